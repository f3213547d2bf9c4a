#pragma once

#include <vector>

#include "theory/attention/random_set.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline std::string_view some_mass(const CaseContext& context) {
  if (const auto broken = breaks_theorem1(context); !broken.empty()) return broken;
  return has_mass(context) ? std::string_view{} : "A > 0";
}

inline constexpr auto kDistance = []<class S>(const CaseContext& context) {
  return distance_terms<S>(context);
};
/// theorem1.fixed and theorem1.fixed.any_set: the same inequality, for the top N and for any set.
inline constexpr auto kTheorem1 = of(kDistance, [](const auto& t) {
  return Sides{t.distance, theorem1_bound(t)};
});
/// D <= (1-A) d1.
inline constexpr auto kSpreadAlone = of(kDistance, [](const auto& t) {
  return Sides{t.distance, t.outside * t.spread};
});
inline constexpr auto kCentred = []<class S>(const CaseContext& context) {
  return centred_terms<S>(context);
};
template <Moments moments>
inline constexpr auto kRandomSet =
    []<class S>(const CaseContext& context) { return random_set_terms<S>(context, moments); };

inline constexpr auto kExpectedBelowMeans = of(kRandomSet<Moments::mean>, [](const auto& t) {
  return Sides{t.expected, random_lower_bound(t)};
});

/// D.
template <class S>
S distance(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    return distance_from<S>(context, a, x);
  });
}

/// ||s|| = A ||c||.
template <class S>
S selected_length(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    const std::vector<W> s = selected_sum(context, a, x);
    return sqrt_nonnegative(from<S>(squared_norm(s)));
  });
}

}  // namespace attn::claims
