#pragma once

#include <vector>

#include "theory/attention/random_set.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

/// What a case lacks to have weights; empty where it has them. Nothing else is asked of the
/// weights.
inline std::string_view lacks_weights(const Problem& problem) {
  if (problem.has_weights()) return {};
  switch (problem.normalizer()) {
    case Normalizer::pooling:
      return "pooling: a gain, which such a case does not give";
    case Normalizer::polynomial:
      return "polynomial: a degree, which such a case does not give";
    case Normalizer::self_adjusted: {
      const bool origin = all_logits_equal(problem) && problem.logits().front() == 0;
      return origin ? "self_adjusted: not all logits zero" : std::string_view{};
    }
    default:
      return {};
  }
}

inline std::vector<Step> random_set_steps(const Problem& problem) {
  const auto t = random_set_terms<Interval<50>>(problem);
  return {{"E", t.expected},
          {"p", t.share},
          {"p sum_i ||m_i||", random_lower_bound(t)},
          {"p sum_i (||m_i|| + sqrt V_i)", random_upper_bound(t)},
          {"p sum_i sqrt(||m_i||^2 + V_i)", random_sharp_bound(t)},
          {"sum_i ||y_i||", t.contributions},
          {"max_i ||x_i||", t.longest}};
}

}  // namespace attn::claims
