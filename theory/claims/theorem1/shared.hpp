#pragma once

#include <vector>

#include "theory/attention/random_set.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::string_view some_mass(const CaseContext& problem) {
  if (const auto broken = breaks_theorem1(problem); !broken.empty()) return broken;
  return has_mass(problem) ? std::string_view{} : "A > 0";
}

inline constexpr auto kDistance = []<class S>(const CaseContext& problem) {
  return distance_terms<S>(problem);
};
inline constexpr auto kCentred = []<class S>(const CaseContext& problem) {
  return centred_terms<S>(problem);
};
template <Moments moments>
inline constexpr auto kRandomSet =
    []<class S>(const CaseContext& problem) { return random_set_terms<S>(problem, moments); };

inline std::vector<Step> distance_steps(const CaseContext& problem) {
  const auto t = distance_terms<Interval>(problem);
  return {{"A", t.mass},     {"1 - A", t.outside}, {"A (L-N) - (1-A)", t.excess},
          {"D", t.distance}, {"d1", t.spread},     {"X", t.radius}};
}

inline std::vector<Step> centred_steps(const CaseContext& problem) {
  std::vector<Step> steps = distance_steps(problem);
  const auto t = centred_terms<Interval>(problem);
  steps.push_back({"||c|| (A (L-N) - (1-A))", t.core});
  steps.push_back({"sum_{i not in I} a_i ||x_i - c||", t.around});
  return steps;
}

/// D.
template <class S>
S distance(const CaseContext& problem) {
  return with_weights<S>(problem, [&]<class W>(const std::vector<W>& a, const detail::Rows<W>& x) {
    return detail::distance_from<S>(problem, a, x);
  });
}

/// ||s|| = A ||c||.
template <class S>
S selected_length(const CaseContext& problem) {
  return with_weights<S>(problem, [&]<class W>(const std::vector<W>& a, const detail::Rows<W>& x) {
    const std::vector<W> s = detail::selected_sum(problem, a, x);
    return sqrt_nonnegative(from<S>(squared_norm(s)));
  });
}

inline std::vector<Step> random_set_steps(const CaseContext& problem) {
  const auto t = random_set_terms<Interval>(problem, Moments::mean_and_variance);
  return {{"E", t.expected},
          {"p", t.share},
          {"p sum_i ||m_i||", random_lower_bound(t)},
          {"p sum_i (||m_i|| + sqrt V_i)", random_upper_bound(t)},
          {"p sum_i sqrt(||m_i||^2 + V_i)", random_sharp_bound(t)},
          {"sum_i ||y_i||", t.contributions},
          {"max_i ||x_i||", t.longest}};
}

}  // namespace attn::claims
