#ifndef ATTN_RECHECK

#include "theory/claims/theorem2/shared.hpp"

namespace attn::claims::theorem2_upper_repaired {
namespace {

/// E[N_s]/N <= (1/N) sum exp(-max(mu_i - r, 0)^2 / (2 s2_i)).
constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  using std::exp;
  const Sphere<S> sphere(problem);
  const S dimension = from_count<S>(problem.dimension());
  const S radius2 = square(sphere.radius);
  const S mean = mean_over(others_moments<S>(problem), [&](const OthersMoments<S>& m) -> S {
    if (m.none) return S(1.0);
    const S s2 = radius2 * m.second;
    const S s4 = square(radius2) * m.fourth;
    const S spread = max(S(square(s2) - s4), S(0.0));  // pairs a_j^2 a_k^2: never negative
    const S fourth_moment = square(s2) + S(2.0) / dimension * spread;
    const S mu = s2 * sqrt_nonnegative(s2) / sqrt_nonnegative(fourth_moment);
    const S excess = max(S(mu - sphere.r), S(0.0));
    return exp(S(-(square(excess) / (S(2.0) * s2))));
  });
  return {expected_share<S>(problem), mean};
};

constexpr auto kOffsetForMean = []<class S>(const Problem& problem) -> Sides<S> {
  using std::exp;
  const Sphere<S> sphere(problem);
  const S scale = S(2.0) * square(sphere.radius);
  const S mean = mean_over(others_moments<S>(problem), [&](const OthersMoments<S>& m) -> S {
    return exp(S(-(square(S(sphere.radius * m.first - sphere.r)) / scale)));
  });
  return {expected_share<S>(problem), mean};
};

/// McDiarmid's exponent with differences 2 a_j in place of 2 R a_j.
constexpr auto kExponentWithoutRadius = []<class S>(const Problem& problem) -> Sides<S> {
  using std::exp;
  const Sphere<S> sphere(problem);
  const S dimension = from_count<S>(problem.dimension());
  const S radius2 = square(sphere.radius);
  const S mean = mean_over(others_moments<S>(problem), [&](const OthersMoments<S>& m) -> S {
    if (m.none) return S(1.0);
    const S s2 = radius2 * m.second;
    const S spread = max(S(square(s2) - square(radius2) * m.fourth), S(0.0));
    const S fourth_moment = square(s2) + S(2.0) / dimension * spread;
    const S mu = s2 * sqrt_nonnegative(s2) / sqrt_nonnegative(fourth_moment);
    const S excess = max(S(mu - sphere.r), S(0.0));
    return exp(S(-(square(excess) / (S(2.0) * m.second))));
  });
  return {expected_share<S>(problem), mean};
};

}  // namespace

Claim claim() {
  return {
      .id = "theorem2.upper.repaired",
      .title = "The upper bound that holds",
      .statement =
          "$E[N_s]/N <= (1/N) sum_{i in I} exp(-max(mu_i - r, 0)^2/(2 s2_i))$, $s2_i = R^2 "
          "sum_{j in I, j != i} a_j^2$, $s4_i = R^4 sum_{j != i} a_j^4$, $mu_i = s2_i^(3/2) / "
          "sqrt(s2_i^2 + (2/d)(s2_i^2 - s4_i))$; a term is 1 where $s2_i = 0$",
      .paper = "Theorem 2, upper bound",
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "$E X^2 = s2$ and $E X^4 = s2^2 + (2/d)(s2^2 - s4)$; by Hoelder $E X >= (E "
          "X^2)^(3/2) / (E X^4)^(1/2) = mu$. $X$ changes by at most $2 R a_j$ when $x_j$ "
          "does, so McDiarmid gives $P(X <= mu - t) <= exp(-t^2/(2 s2))$.",
      .kind = SphereEmbeddings{},
      .evaluators = sides<kSides>,
      .unmet = &independent,
      .steps = &separability_steps,
      .example = R"({"weights":["1/2","1/2"],"N":1,"M":"1","r":"1","delta":"0","dimension":1})",
      .mutants = {mutant<kOffsetForMean>("theorem2.upper.repaired/any_r",
                                         "the printed bound, without its hypothesis on $r$"),
                  mutant<kExponentWithoutRadius>("theorem2.upper.repaired/no_radius",
                                                 "$R^2$ left out below the exponent")},
  };
}

}  // namespace attn::claims::theorem2_upper_repaired

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/sphere.hpp"

namespace attn::recheck::theorem2_upper_repaired {
namespace {

/// E[N_s]/N <= (1/N) sum exp(-max(mu_i - r, 0)^2/(2 s2_i)).
Sides sides(const Input& input) {
  const Sphere sphere(input);
  const Rational twice_over_d = Rational(2) / Rational(sphere.dimension);
  Arb sum;
  for (const auto& [s2, s4] : sphere.powers()) {
    if (s2 == 0) {
      sum += Arb(1);
      continue;
    }
    const Rational mu_squared = s2 * s2 * s2 / (s2 * s2 + twice_over_d * (s2 * s2 - s4));
    if (mu_squared <= sphere.r * sphere.r) {
      sum += Arb(1);
    } else {
      sum += exp(-square(sqrt(mu_squared) - Arb(sphere.r)) / Arb(Rational(2 * s2)));
    }
  }
  return {sphere.share(), sphere.mean(sum)};
}

}  // namespace

Check check() {
  return {.sides = &sides, .unmet = &independent};
}

}  // namespace attn::recheck::theorem2_upper_repaired

#endif
