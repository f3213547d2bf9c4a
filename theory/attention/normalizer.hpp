#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "theory/attention/case_context.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

/// One normaliser of section 4 of the paper, and which of the paper's assumptions it meets.
struct NormalizerTraits {
  std::optional<Normalizer> normalizer;  ///< empty for Sinkhorn, which is given by a plan
  std::string_view name;
  std::string_view definition;
  std::string_view constant;   ///< the sharp Euclidean Lipschitz constant, at T = 1
  std::string_view breaks;     ///< what of the paper's assumptions it breaks; "-" for nothing
  std::string_view claim;      ///< id of the claim on its Lipschitz constant
  bool smooth_positive{};      ///< a_i = F(l_i) / sum_j F(l_j), F > 0 differentiable (Lemma 2)
  bool of_any_length{};        ///< smooth_positive, and F does not depend on L (Lemma 1)
  bool probability{};          ///< a_i >= 0 and sum_i a_i = 1 (Theorem 1)
  bool sums_to_at_most_one{};  ///< a_i >= 0 and sum_i a_i <= 1
  bool exponential{};          ///< logits less c have the same F over a common factor
  bool by_matrix{};            ///< ||J|| is certified on an L x L matrix
  std::string_view lacks{};    ///< what its weights take besides logits and temperature, in words
};

/// Every normaliser, those that the paper's assumptions fit first.
std::span<const NormalizerTraits> normalizers();

const NormalizerTraits& traits(Normalizer normalizer);

/// The hypothesis of Lemma 1 (F positive, continuous, independent of L), of Lemma 2 (F positive,
/// differentiable) and of Theorem 1 (weights of sum one) on the normaliser: empty where it is met,
/// else the normaliser's name and what it breaks. Weights that are given meet Theorem 1's.
std::string_view breaks_lemma1(const CaseContext& context);
std::string_view breaks_lemma2(const CaseContext& context);
std::string_view breaks_theorem1(const CaseContext& context);

/// F and its derivative F' with respect to the logit, for every token; F(l) = f(l / T).
/// For softmax both are divided by exp(max l / T): weights, F'/F and every bound of Lemma 2 are
/// invariant under a common factor, and nothing overflows.
template <class S>
struct Normalized {
  std::vector<S> value;       ///< F(l_i) > 0, [L]
  std::vector<S> derivative;  ///< F'(l_i), [L]
};

/// f(z) and f'(z) of a normaliser a_i = f(z_i) / sum_j f(z_j) for `tokens` tokens.
template <class S>
std::pair<S, S> normalizer_at(Normalizer normalizer, const S& z, std::size_t tokens) {
  using std::exp;
  const S one(1.0);
  switch (normalizer) {
    case Normalizer::softmax: {
      const S e = exp(z);
      return {e, e};
    }
    case Normalizer::scalable_softmax: {
      const S base = log_positive(from_count<S>(tokens));
      const S e = exp(S(z * base));
      return {e, base * e};
    }
    case Normalizer::sigmoid: {
      // By the exponential that stays below 1: the other overflows.
      const bool above = ScalarTraits<S>::lower(z) > 0;
      const S e = exp(above ? S(-z) : z);
      const S total = one + e;
      return {above ? S(one / total) : S(e / total), e / (total * total)};
    }
    case Normalizer::softplus: {
      const bool above = ScalarTraits<S>::lower(z) > 0;
      const S e = exp(above ? S(-z) : z);
      if (above) return {z + log1p(e), one / (one + e)};
      return {log1p(e), e / (one + e)};
    }
    case Normalizer::taylor: {
      // 1 + z + z^2/2 = ((1 + z)^2 + 1) / 2, which shows that it is positive.
      const S shifted = one + z;
      return {(square(shifted) + one) / S(2.0), shifted};
    }
    case Normalizer::sparsemax:
    case Normalizer::entmax:
    case Normalizer::self_adjusted:
    case Normalizer::softmax1:
    case Normalizer::sigmoid_attention:
    case Normalizer::relu_attention:
    case Normalizer::pooling:
    case Normalizer::polynomial:
      break;
  }
  throw std::logic_error("not a normaliser of the form F(z) / sum F");
}

/// What is taken off the logits before F, to keep it in range: F(l - shift) is F(l) over a common
/// factor for the exponential normalisers; 0 for the others.
inline Rational common_shift(const CaseContext& context) {
  const bool exponential = traits(context.normalizer()).exponential;
  return exponential ? context.logits()[context.largest()] : Rational(0);
}

/// F and F' of a case given by logits, for a normaliser of the form F / sum F, over the common
/// factor of `common_shift`. Keeps a reference to the case.
template <class S>
class NormalizerFunction {
 public:
  explicit NormalizerFunction(const CaseContext& context)
      : normalizer_(context.normalizer()),
        tokens_(context.tokens()),
        shift_(common_shift(context)),
        temperature_(context.temperature()),
        divisor_(from<S>(temperature_)) {}

  /// F(l).
  [[nodiscard]] S value(const Rational& logit) const { return at(logit).first; }

  /// F(l) and F'(l).
  [[nodiscard]] std::pair<S, S> value_and_derivative(const Rational& logit) const {
    const auto [value, derivative] = at(logit);
    return {value, derivative / divisor_};
  }

 private:
  /// f(z) and f'(z). Exact up to z: rounded logits would lose the difference of two large ones.
  [[nodiscard]] std::pair<S, S> at(const Rational& logit) const {
    const S z = from<S>(Rational((logit - shift_) / temperature_));
    return normalizer_at<S>(normalizer_, z, tokens_);
  }

  Normalizer normalizer_;
  std::size_t tokens_;
  Rational shift_;
  const Rational& temperature_;
  S divisor_;
};

/// F of every token. [L]
template <class S>
std::vector<S> normalizer_values(const CaseContext& context) {
  const NormalizerFunction<S> f(context);
  std::vector<S> values;
  values.reserve(context.tokens());
  for (const Rational& logit : context.logits()) values.push_back(f.value(logit));
  return values;
}

/// F and F' of every token.
template <class S>
Normalized<S> normalize(const CaseContext& context) {
  const NormalizerFunction<S> f(context);
  Normalized<S> result;
  result.value.reserve(context.tokens());
  result.derivative.reserve(context.tokens());
  for (const Rational& logit : context.logits()) {
    auto [value, derivative] = f.value_and_derivative(logit);
    result.value.push_back(std::move(value));
    result.derivative.push_back(std::move(derivative));
  }
  return result;
}

}  // namespace attn
