#include "theory/claims/distance.hpp"

#include "properties/mutants/mutant.hpp"

namespace attn::properties {

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

constexpr Mutant kMutants[] = {
    mutant<WithoutNorms>("theorem1.fixed/no_norms", "the term with X left out",
                         Shape::top_n_embeddings),
    mutant<HalfSpread>("theorem1.fixed/half_spread", "d1 halved", Shape::top_n_embeddings),
    mutant<OneOtherToken>("theorem1.fixed/one_other", "L - N taken as 1", Shape::top_n_embeddings),
    mutant<SignedMismatch>("theorem1.fixed.any_set.repaired/signed",
                           "A - a_i without its absolute value", Shape::set_embeddings),
};

}  // namespace

std::span<const Mutant> distance_mutants() {
  return kMutants;
}

}  // namespace attn::properties
