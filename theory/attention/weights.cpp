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
std::vector<S> computed_weights(const CaseContext& context) {
  if (context.has_weights()) return enclosed<S>(context.weights());
  switch (context.normalizer()) {
    case Normalizer::sparsemax:
      return enclosed<S>(sparsemax(context.scaled_logits()));
    case Normalizer::entmax: {
      std::vector<S> a = entmax_roots<S>(context);
      for (S& weight : a) weight = square(weight);
      return a;
    }
    case Normalizer::self_adjusted:
      return self_adjusted_weights<S>(context.scaled_logits());
    case Normalizer::softmax1:
      return softmax1_weights<S>(context.scaled_logits()).a;
    case Normalizer::sigmoid_attention:
      return sigmoid_attention_weights<S>(context.scaled_logits());
    case Normalizer::relu_attention:
      return enclosed<S>(relu_attention(context.scaled_logits()));
    case Normalizer::softmax:
    case Normalizer::sigmoid:
    case Normalizer::softplus:
    case Normalizer::taylor:
    case Normalizer::scalable_softmax:
      return weights_of(normalizer_values<S>(context));
    case Normalizer::pooling:
    case Normalizer::polynomial:
      break;
  }
  throw std::logic_error(std::string(traits(context.normalizer()).lacks));
}

}  // namespace

template <class S>
std::vector<S> attention_weights(const CaseContext& context) {
  return context.once<S>([&] { return computed_weights<S>(context); });
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

bool all_logits_equal(const CaseContext& context) {
  const auto& l = context.logits();
  return std::ranges::adjacent_find(l, std::not_equal_to<>()) == l.end();
}

std::optional<std::vector<Rational>> rational_weights(const CaseContext& context) {
  if (context.has_weights()) return context.weights();
  if (context.normalizer() == Normalizer::sparsemax) return sparsemax(context.scaled_logits());
  if (context.normalizer() == Normalizer::relu_attention) {
    return relu_attention(context.scaled_logits());
  }
  if (context.normalizer() == Normalizer::entmax) {
    return equal_shares(context.logits(), context.support().tokens);
  }
  if (traits(context.normalizer()).probability && all_logits_equal(context)) {
    return std::vector<Rational>(context.tokens(), Rational(1, context.tokens()));
  }
  if (context.normalizer() == Normalizer::scalable_softmax) {
    return weights_by_powers(context.scaled_logits());
  }
  if (context.normalizer() != Normalizer::taylor) return std::nullopt;
  std::vector<Rational> f;
  f.reserve(context.logits().size());
  for (const Rational& logit : context.logits()) {
    const Rational shifted = 1 + logit / context.temperature();
    f.emplace_back((shifted * shifted + 1) / 2);
  }
  return weights_of(f);
}

std::vector<bool> known_support(const CaseContext& context) {
  std::vector<bool> has_weight(context.tokens());
  if (const auto rational = rational_weights(context)) {
    for (std::size_t i = 0; i < rational->size(); ++i) has_weight[i] = (*rational)[i] != 0;
  } else if (context.normalizer() == Normalizer::entmax) {
    for (const std::size_t i : context.support().tokens) has_weight[i] = true;
  } else if (traits(context.normalizer()).smooth_positive) {
    has_weight.assign(context.tokens(), true);
  } else {
    return {};
  }
  return has_weight;
}

}  // namespace attn
