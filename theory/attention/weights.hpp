#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "theory/attention/normalizer.hpp"

namespace attn {

/// a_i = F_i / sum_j F_j.
template <class S>
std::vector<S> weights_of(const std::vector<S>& f) {
  const S sum = std::accumulate(f.begin(), f.end(), S(0));
  std::vector<S> weights;
  weights.reserve(f.size());
  for (const S& value : f) weights.push_back(value / sum);
  return weights;
}

/// softmax(z), whose exponentials are taken about the largest z. [L]
template <class S>
std::vector<S> softmax_of(const std::vector<Rational>& z) {
  using std::exp;
  const Rational top = *std::ranges::max_element(z);
  std::vector<S> f;
  f.reserve(z.size());
  for (const Rational& value : z) f.push_back(exp(from<S>(Rational(value - top))));
  return weights_of(f);
}

template <class S>
std::vector<S> enclosed(const std::vector<Rational>& values) {
  std::vector<S> result;
  result.reserve(values.size());
  for (const Rational& value : values) result.push_back(from<S>(value));
  return result;
}

/// u_i = sqrt(a_i) of 1.5-entmax: z_i/2 - tau on the support, 0 elsewhere. [L]
template <class S>
std::vector<S> entmax_roots(const Problem& problem) {
  const Support& support = problem.support();
  const S rise = sqrt_nonnegative(from<S>(support.rise));
  std::vector<S> u(problem.logits().size(), S(0.0));
  for (const std::size_t i : support.tokens) {
    const Rational z = problem.logits()[i] / problem.temperature();
    u[i] = from<S>(Rational(z / 2 - support.mean)) + rise;
  }
  return u;
}

/// The weights of a case, given or computed from its logits, by a normaliser whose weights are
/// non-negative and of sum one. [L]
template <class S>
std::vector<S> attention_weights(const Problem& problem) {
  if (problem.has_weights()) return enclosed<S>(problem.weights());
  if (problem.normalizer() == Normalizer::sparsemax) {
    return enclosed<S>(sparsemax(problem.scaled_logits()));
  }
  if (problem.normalizer() == Normalizer::entmax) {
    std::vector<S> a = entmax_roots<S>(problem);
    for (S& weight : a) weight = square(weight);
    return a;
  }
  return weights_of(normalize<S>(problem).value);
}

/// The weights where they are rational: given as such, of the Taylor normaliser, of sparsemax, or
/// all equal. Zeros that come from cancellation then stay exact, which no enclosure can show. [L]
inline std::optional<std::vector<Rational>> rational_weights(const Problem& problem) {
  if (problem.has_weights()) return problem.weights();
  if (problem.normalizer() == Normalizer::sparsemax) return sparsemax(problem.scaled_logits());
  if (std::ranges::adjacent_find(problem.logits(), std::not_equal_to<>()) ==
      problem.logits().end()) {
    return std::vector<Rational>(problem.tokens(), Rational(1, problem.tokens()));
  }
  if (problem.normalizer() != Normalizer::taylor) return std::nullopt;
  std::vector<Rational> f;
  f.reserve(problem.logits().size());
  for (const Rational& logit : problem.logits()) {
    const Rational shifted = 1 + logit / problem.temperature();
    f.emplace_back((shifted * shifted + 1) / 2);
  }
  return weights_of(f);
}

}  // namespace attn
