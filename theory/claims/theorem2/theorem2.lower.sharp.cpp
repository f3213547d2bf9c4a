#ifndef ATTN_RECHECK

#include "theory/claims/theorem2/shared.hpp"

namespace attn::claims::theorem2_lower_sharp {
namespace {

/// 1 - (R^2/(N r^2)) sum_i sum_{j != i} a_j^2 <= E[N_s]/N.
constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const Sphere<S> sphere(problem);
  const S mean =
      mean_over(others_moments<S>(problem), [](const OthersMoments<S>& m) { return m.second; });
  return {S(1.0) - square(S(sphere.radius / sphere.r)) * mean, expected_share<S>(problem)};
};

/// The mean of R^2 sum_{j != i} a_j^2.
template <class S>
S mean_square(const Problem& problem) {
  const Sphere<S> sphere(problem);
  return mean_over(others_moments<S>(problem), [&](const OthersMoments<S>& m) -> S {
    return square(sphere.radius) * m.second;
  });
}

constexpr auto kLinearInR = []<class S>(const Problem& problem) -> Sides<S> {
  const Sphere<S> sphere(problem);
  return {S(1.0) - mean_square<S>(problem) / sphere.r, expected_share<S>(problem)};
};

constexpr auto kHalfMoment = []<class S>(const Problem& problem) -> Sides<S> {
  const Sphere<S> sphere(problem);
  return {S(1.0) - mean_square<S>(problem) / (S(2.0) * square(sphere.r)),
          expected_share<S>(problem)};
};

}  // namespace

Claim claim() {
  return {
      .id = "theorem2.lower.sharp",
      .title = "The lower bound from second moments",
      .statement = "$1 - (R^2/(N r^2)) sum_{i in I} sum_{j in I, j != i} a_j^2 <= E[N_s]/N$",
      .paper = "Theorem 2, lower bound",
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "Under Assumption 1 the cross terms vanish: $E X_i^2 = R^2 sum_{j != i} "
          "a_j^2$. Chebyshev: $P(X_i > r) <= E[X_i^2]/r^2$. Tighter than theorem2.lower "
          "where each offset is at most $r$; neither contains the other.",
      .kind = SphereEmbeddings{},
      .evaluators = sides<kSides>,
      .unmet = &independent,
      .steps = &separability_steps,
      .example = R"({"weights":["1/2","1/2"],"N":1,"M":"1","r":"1","delta":"0","dimension":1})",
      .sharpens = "theorem2.lower",
      .mutants = {mutant<kLinearInR>("theorem2.lower.sharp/linear", "$r$ in place of $r^2$"),
                  mutant<kHalfMoment>("theorem2.lower.sharp/half", "the second moment halved")},
  };
}

}  // namespace attn::claims::theorem2_lower_sharp

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/sphere.hpp"

namespace attn::recheck::theorem2_lower_sharp {
namespace {

/// 1 - (1/(N r^2)) sum s2_i <= E[N_s]/N.
Sides sides(const Input& input) {
  const Sphere sphere(input);
  Rational sum = 0;
  for (const auto& powers : sphere.powers()) sum += powers.second;
  const Rational mean = sum / Rational(sphere.radii.size());
  return {Arb(Rational(1 - mean / (sphere.r * sphere.r))), sphere.share()};
}

}  // namespace

Check check() {
  return {.sides = &sides, .unmet = &independent};
}

}  // namespace attn::recheck::theorem2_lower_sharp

#endif
