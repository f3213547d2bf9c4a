#include "theory/attention/weights.hpp"

#include <stdexcept>
#include <string>

namespace attn {
namespace {

/// L^z_i over their sum, where z differ by whole numbers that are not large. [L]
std::optional<std::vector<Rational>> weights_by_powers(const std::vector<Rational>& z) {
  constexpr unsigned kMostSteps = 64;
  const Rational top = *std::ranges::max_element(z);
  std::vector<Rational> f;
  for (const Rational& value : z) {
    const Rational steps = top - value;
    if (denominator(steps) != 1 || steps > kMostSteps) return std::nullopt;
    const Rational power =
        pow(numerator(Rational(z.size())), static_cast<unsigned>(steps.nearest()));
    f.emplace_back(1 / power);
  }
  return weights_of(f);
}

/// 1/k each of k tokens, in whose support all logits are equal; else nothing. [L]
std::optional<std::vector<Rational>> equal_shares(const std::vector<Rational>& logits,
                                                  const std::vector<std::size_t>& support) {
  std::vector<Rational> weights(logits.size());
  for (const std::size_t i : support) {
    if (logits[i] != logits[support.front()]) return std::nullopt;
    weights[i] = Rational(1, support.size());
  }
  return weights;
}

template <class S>
std::vector<S> computed_weights(const CaseContext& problem) {
  if (problem.has_weights()) return enclosed<S>(problem.weights());
  switch (problem.normalizer()) {
    case Normalizer::sparsemax:
      return enclosed<S>(sparsemax(problem.scaled_logits()));
    case Normalizer::entmax: {
      std::vector<S> a = entmax_roots<S>(problem);
      for (S& weight : a) weight = square(weight);
      return a;
    }
    case Normalizer::self_adjusted:
      return self_adjusted_weights<S>(problem.scaled_logits());
    case Normalizer::softmax1:
      return softmax1_weights<S>(problem.scaled_logits()).a;
    case Normalizer::sigmoid_attention:
      return sigmoid_attention_weights<S>(problem.scaled_logits());
    case Normalizer::relu_attention:
      return enclosed<S>(relu_attention(problem.scaled_logits()));
    case Normalizer::softmax:
    case Normalizer::sigmoid:
    case Normalizer::softplus:
    case Normalizer::taylor:
    case Normalizer::scalable_softmax:
      return weights_of(normalizer_values<S>(problem));
    case Normalizer::pooling:
    case Normalizer::polynomial:
      break;
  }
  throw std::logic_error(std::string(traits(problem.normalizer()).lacks));
}

}  // namespace

template <class S>
std::vector<S> attention_weights(const CaseContext& problem) {
  return problem.once<S, std::vector<S>>([&] { return computed_weights<S>(problem); });
}

template std::vector<ErrorDouble> attention_weights(const CaseContext&);
template std::vector<Interval> attention_weights(const CaseContext&);
template std::vector<Exact> attention_weights(const CaseContext&);

std::vector<Rational> self_adjustment(const std::vector<Rational>& z) {
  const Rational low = std::min(Rational(0), *std::ranges::min_element(z));
  const Rational high = std::max(Rational(0), *std::ranges::max_element(z));
  std::vector<Rational> factor;
  factor.reserve(z.size());
  for (const Rational& value : z) factor.emplace_back((value - low) / (high - low));
  return factor;
}

std::vector<Rational> relu_attention(std::vector<Rational> z) {
  for (Rational& value : z) value = value > 0 ? Rational(value / z.size()) : Rational(0);
  return z;
}

bool all_logits_equal(const CaseContext& problem) {
  const auto& l = problem.logits();
  return std::ranges::adjacent_find(l, std::not_equal_to<>()) == l.end();
}

std::optional<std::vector<Rational>> rational_weights(const CaseContext& problem) {
  if (problem.has_weights()) return problem.weights();
  if (problem.normalizer() == Normalizer::sparsemax) return sparsemax(problem.scaled_logits());
  if (problem.normalizer() == Normalizer::relu_attention) {
    return relu_attention(problem.scaled_logits());
  }
  if (problem.normalizer() == Normalizer::entmax) {
    return equal_shares(problem.logits(), problem.support().tokens);
  }
  if (traits(problem.normalizer()).probability && all_logits_equal(problem)) {
    return std::vector<Rational>(problem.tokens(), Rational(1, problem.tokens()));
  }
  if (problem.normalizer() == Normalizer::scalable_softmax) {
    return weights_by_powers(problem.scaled_logits());
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

std::vector<bool> known_support(const CaseContext& problem) {
  std::vector<bool> has_weight(problem.tokens());
  if (const auto rational = rational_weights(problem)) {
    for (std::size_t i = 0; i < rational->size(); ++i) has_weight[i] = (*rational)[i] != 0;
  } else if (problem.normalizer() == Normalizer::entmax) {
    for (const std::size_t i : problem.support().tokens) has_weight[i] = true;
  } else if (traits(problem.normalizer()).smooth_positive) {
    has_weight.assign(problem.tokens(), true);
  } else {
    return {};
  }
  return has_weight;
}

}  // namespace attn
