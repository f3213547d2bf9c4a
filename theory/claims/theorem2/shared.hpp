#pragma once

#include <vector>

#include "theory/attention/separability.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline constexpr std::string_view kBothAssumptions =
    "Assumptions 1 and 2 together (tokens at least delta apart have probability zero here, or no "
    "useful bound on it)";

/// Conditioning on Assumption 2 has positive probability, with a bound of use, in d = 3 only.
inline std::string_view separated(const CaseContext& problem) {
  if (problem.delta() == 0) return {};
  if (problem.dimension() != 3) return kBothAssumptions;
  const std::size_t pairs = problem.tokens() * (problem.tokens() - 1) / 2;
  const Rational closer = problem.delta() / problem.sphere_radius();
  return closer * closer * pairs < 4 ? std::string_view{} : kBothAssumptions;
}

inline std::string_view independent(const CaseContext& problem) {
  return problem.delta() == 0 ? std::string_view{}
                              : "Assumption 1 alone (independent tokens: delta = 0)";
}

inline std::vector<Step> squared_offset_steps(const CaseContext& problem) {
  using S = Interval;
  const auto offsets = squared_offsets<S>(problem);
  return {{"E[N_s]/N", expected_share<S>(problem)},
          {"r^2", offsets.front().allowed},
          {"s2 of the largest weight", offsets.front().mean},
          {"v of the largest weight", offsets.front().variance},
          {"s2 of the least selected", offsets.back().mean},
          {"v of the least selected", offsets.back().variance}};
}

inline std::vector<Step> separability_steps(const CaseContext& problem) {
  using S = Interval;
  const Sphere<S> sphere(problem);
  const auto moments = others_sums<S>(problem);
  return {
      {"E[N_s]/N", expected_share<S>(problem)},
      {"xi of the largest weight", largest_offset(moments.front(), sphere.radius, sphere.delta)},
      {"xi of the least selected", largest_offset(moments.back(), sphere.radius, sphere.delta)},
      {"mean of sum_{j != i} a_j^2",
       mean_over(moments, [](const PowerSums<S>& m) { return m.second; })}};
}

}  // namespace attn::claims
