#pragma once

#include <numeric>
#include <string_view>

#include "theory/attention/weights.hpp"
#include "theory/claims/decide.hpp"
#include "theory/number/sums.hpp"

namespace attn::claims {

// Hypotheses on weights of any sum, and on the logits that pooling reads.

/// What a case lacks to have a standard deviation of its logits.
inline std::string_view spread_out(const CaseContext& context) {
  return squared_norm(about_mean(context.logits())) > 0 ? std::string_view{} : "std > 0";
}

/// What a case lacks to have weights; empty where it has them. Nothing else is asked of the
/// weights.
inline std::string_view lacks_weights(const CaseContext& context) {
  if (context.has_weights()) return {};
  const NormalizerTraits& normalizer = traits(context.normalizer());
  if (normalizer.normalizer == Normalizer::self_adjusted && is_zero(context.logits())) {
    return "self_adjusted: not all logits zero";
  }
  return normalizer.lacks;
}

/// a_i >= 0 is true of all weights that a case can have; whether their sum is at most 1 is decided
/// as a claim is. Throws BeyondExact where that stays undecided.
inline std::string_view sum_beyond_one(const CaseContext& context) {
  constexpr std::string_view kUnmet = "a_i >= 0 and sum a_i <= 1";
  if (const auto lack = lacks_weights(context); !lack.empty()) return lack;
  if (context.has_weights() || traits(context.normalizer()).sums_to_at_most_one) return {};
  if (const auto a = rational_weights(context)) {
    return std::accumulate(a->begin(), a->end(), Rational(0)) <= 1 ? std::string_view{} : kUnmet;
  }
  const Decision decision = decide([&]<class S>() -> Sides<S> {
    const auto a = attention_weights<S>(context);
    return {std::accumulate(a.begin(), a.end(), S(0.0)), S(1.0)};
  });
  if (decision.verdict == Verdict::undecided) throw BeyondExact("a sum of weights");
  return decision.verdict == Verdict::violated ? kUnmet : std::string_view{};
}

}  // namespace attn::claims
