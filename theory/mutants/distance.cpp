#include "theory/claims/distance.hpp"

#include "theory/mutants/mutant.hpp"

namespace attn {

namespace {

struct WithoutNorms {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = distance_terms<S>(problem);
    return {t.distance, t.outside * t.spread};
  }
};

struct HalfSpread {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    auto t = distance_terms<S>(problem);
    t.spread = t.spread / S(2.0);
    t.cancels = false;
    return {t.distance, theorem1_bound(t)};
  }
};

struct OneOtherToken {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    auto t = distance_terms<S>(problem);
    t.excess = t.mass - t.outside;
    t.cancels = false;
    return {t.distance, theorem1_bound(t)};
  }
};

struct SignedMismatch {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    auto t = distance_terms<S>(problem);
    t.mismatch = t.excess;
    return {t.distance, theorem1_bound_any_set(t)};
  }
};

struct AnySetWithoutNorms {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = distance_terms<S>(problem);
    return {t.distance, t.outside * t.spread + t.mismatch};
  }
};

/// core + share/2 of what lies around the centre, from above (1) or below (-1).
template <int sign, int halves>
struct PartAround {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = centred_terms<S>(problem);
    const S distance = distance_terms<S>(problem).distance;
    const S part = t.around * S(halves / 2.0);
    if constexpr (sign > 0) {
      return {distance, t.core + part};
    } else {
      return {t.core - part, distance};
    }
  }
};

constexpr std::string_view kNoAround = "the sum of a_i ||x_i - c|| left out";
constexpr std::string_view kHalfAround = "the sum of a_i ||x_i - c|| halved";

constexpr Mutant kMutants[] = {
    mutant<WithoutNorms>("theorem1.fixed/no_norms", "the term with X left out"),
    mutant<HalfSpread>("theorem1.fixed/half_spread", "d1 halved"),
    mutant<OneOtherToken>("theorem1.fixed/one_other", "L - N taken as 1"),
    {.id = "theorem1.fixed/any_set",
     .change = "the hypothesis that I holds the N largest weights left out",
     .kind = SetEmbeddings{}},
    mutant<PartAround<1, 0>>("theorem1.fixed.sharp.upper/no_spread", kNoAround),
    mutant<PartAround<1, 1>>("theorem1.fixed.sharp.upper/half_spread", kHalfAround),
    strict("theorem1.fixed.sharp.upper/strict"),
    mutant<PartAround<-1, 0>>("theorem1.fixed.sharp.lower/no_spread", kNoAround),
    mutant<PartAround<-1, 1>>("theorem1.fixed.sharp.lower/half_spread", kHalfAround),
    mutant<SignedMismatch>("theorem1.fixed.any_set.repaired/signed",
                           "A - a_i without its absolute value"),
    mutant<AnySetWithoutNorms>("theorem1.fixed.any_set.repaired/no_norm", "X left out"),
};

}  // namespace

std::span<const Mutant> distance_mutants() {
  return kMutants;
}

}  // namespace attn
