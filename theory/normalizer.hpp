#pragma once

#include <vector>

#include "theory/problem.hpp"
#include "theory/scalar/scalar.hpp"

namespace attn {

/// F and its derivative F' with respect to the logit, for every token; F(l) = f(l / T).
/// For softmax both are divided by exp(max l / T): weights, F'/F and every bound of Lemma 2 are
/// invariant under a common factor, and nothing overflows.
template <class S>
struct Normalized {
  std::vector<S> value;       ///< F(l_i) > 0, [L]
  std::vector<S> derivative;  ///< F'(l_i), [L]
};

/// f(z) and f'(z).
template <class S>
std::pair<S, S> normalizer_at(Normalizer normalizer, const S& z) {
  using std::exp;
  const S one(1.0);
  switch (normalizer) {
    case Normalizer::softmax: {
      const S e = exp(z);
      return {e, e};
    }
    case Normalizer::sigmoid: {
      const S up = exp(z);
      const S total = one + up;
      return {up / total, up / (total * total)};
    }
    case Normalizer::softplus: {
      const S up = exp(z);
      return {log1p(up), up / (one + up)};
    }
    case Normalizer::taylor: {
      // 1 + z + z^2/2 = ((1 + z)^2 + 1) / 2, which shows that it is positive.
      const S shifted = one + z;
      return {(square(shifted) + one) / S(2.0), shifted};
    }
  }
  return {};
}

/// F and F' of every token of a case given by logits.
template <class S>
Normalized<S> normalize(const Problem& problem) {
  const Case& input = problem.input();
  const S temperature = from<S>(input.temperature);
  const bool shift = input.normalizer == Normalizer::softmax;
  const Rational top = shift ? input.logits[problem.order().front()] : Rational(0);
  Normalized<S> result;
  for (const Rational& logit : input.logits) {
    // Exact up to here: rounded logits would lose the difference of two large ones.
    const S z = from<S>(Rational((logit - top) / input.temperature));
    auto [value, derivative] = normalizer_at<S>(input.normalizer, z);
    result.value.push_back(value);
    result.derivative.push_back(derivative / temperature);
  }
  return result;
}

}  // namespace attn
