#include "theory/claims/separability.hpp"

#include "properties/mutants/mutant.hpp"

namespace attn::properties {

namespace {

/// The mean of `term` over the selected tokens.
template <class S, class Term>
S mean_term(const Problem& problem, Term term) {
  const auto moments = others_moments<S>(problem);
  S sum(0.0);
  for (const auto& m : moments) sum += term(m);
  return sum / from_count<S>(moments.size());
}

template <class S>
S radius_of(const Problem& problem) {
  return from<S>(*problem.input().sphere_radius);
}

template <class S>
S r_of(const Problem& problem) {
  return from<S>(*problem.input().r);
}

struct SquaredOffset {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const S mean = mean_term<S>(problem, [&](const OthersMoments<S>& m) -> S {
      return square(S(radius_of<S>(problem) * m.first));
    });
    return {S(1.0) - mean / r_of<S>(problem), expected_share<S>(problem)};
  }
};

struct LinearInR {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const S mean = mean_term<S>(problem, [&](const OthersMoments<S>& m) -> S {
      return square(radius_of<S>(problem)) * m.second;
    });
    return {S(1.0) - mean / r_of<S>(problem), expected_share<S>(problem)};
  }
};

struct OffsetForMean {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const S scale = S(2.0) * square(radius_of<S>(problem));
    const S mean = mean_term<S>(problem, [&](const OthersMoments<S>& m) -> S {
      const S gap = radius_of<S>(problem) * m.first - r_of<S>(problem);
      return exp(S(-(square(gap) / scale)));
    });
    return {expected_share<S>(problem), mean};
  }
};

constexpr Mutant kMutants[] = {
    mutant<SquaredOffset>("theorem2.lower/squared", "xi_i^2 in place of xi_i",
                          Shape::random_embeddings),
    mutant<LinearInR>("theorem2.lower.sharp/linear", "r in place of r^2", Shape::random_embeddings),
    mutant<OffsetForMean>("theorem2.upper.repaired/any_r",
                          "the printed bound, without its hypothesis on r",
                          Shape::random_embeddings),
};

}  // namespace

std::span<const Mutant> separability_mutants() {
  return kMutants;
}

}  // namespace attn::properties
