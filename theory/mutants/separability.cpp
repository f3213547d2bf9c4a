#include "theory/claims/separability.hpp"

#include "theory/mutants/mutant.hpp"

namespace attn {

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
  return from<S>(problem.sphere_radius());
}

template <class S>
S r_of(const Problem& problem) {
  return from<S>(problem.r());
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

struct HalfOffset {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const S mean = mean_term<S>(
        problem, [&](const OthersMoments<S>& m) -> S { return radius_of<S>(problem) * m.first; });
    return {S(1.0) - mean / (S(2.0) * r_of<S>(problem)), expected_share<S>(problem)};
  }
};

/// 1 - R^2 (mean of the second moments) / divisor.
template <class S>
Sides<S> chebyshev(const Problem& problem, const S& divisor) {
  const S mean = mean_term<S>(problem, [&](const OthersMoments<S>& m) -> S {
    return square(radius_of<S>(problem)) * m.second;
  });
  return {S(1.0) - mean / divisor, expected_share<S>(problem)};
}

struct LinearInR {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return chebyshev<S>(problem, r_of<S>(problem));
  }
};

struct HalfMoment {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return chebyshev<S>(problem, S(S(2.0) * square(r_of<S>(problem))));
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

/// McDiarmid's exponent with differences 2 a_j in place of 2 R a_j.
struct ExponentWithoutRadius {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const S dimension = from_count<S>(problem.dimension());
    const S radius2 = square(radius_of<S>(problem));
    const S mean = mean_term<S>(problem, [&](const OthersMoments<S>& m) -> S {
      if (m.none) return S(1.0);
      const S s2 = radius2 * m.second;
      const S spread = max(S(square(s2) - square(radius2) * m.fourth), S(0.0));
      const S fourth_moment = square(s2) + S(2.0) / dimension * spread;
      const S mu = s2 * sqrt_nonnegative(s2) / sqrt_nonnegative(fourth_moment);
      const S excess = max(S(mu - r_of<S>(problem)), S(0.0));
      return exp(S(-(square(excess) / (S(2.0) * m.second))));
    });
    return {expected_share<S>(problem), mean};
  }
};

constexpr Mutant kMutants[] = {
    mutant<SquaredOffset>("theorem2.lower/squared", "$xi_i^2$ in place of $xi_i$"),
    mutant<HalfOffset>("theorem2.lower/half", "$xi_i$ halved"),
    mutant<LinearInR>("theorem2.lower.sharp/linear", "$r$ in place of $r^2$"),
    mutant<HalfMoment>("theorem2.lower.sharp/half", "the second moment halved"),
    mutant<OffsetForMean>("theorem2.upper.repaired/any_r",
                          "the printed bound, without its hypothesis on $r$"),
    mutant<ExponentWithoutRadius>("theorem2.upper.repaired/no_radius",
                                  "$R^2$ left out below the exponent"),
};

}  // namespace

std::span<const Mutant> separability_mutants() {
  return kMutants;
}

}  // namespace attn
