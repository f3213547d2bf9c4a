#ifndef ATTN_RECHECK

#include "theory/claims/corollary2/flat_family.hpp"

namespace attn::claims::corollary2_long_context {
namespace {

std::string_view long_beside_n(const Problem& problem) {
  const bool far_out = problem.epsilon() * problem.length() >= Rational(kLong * problem.top_n());
  return far_out ? std::string_view{} : "L >= 1000 N/epsilon";
}

/// |E - sum ||y_i||| against epsilon sum ||y_i||, on the flat family.
constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const auto t = flat_family<S>(problem);
  return {abs(S(t.distance - t.contributions)), from<S>(problem.epsilon()) * t.contributions};
};

}  // namespace

Claim claim() {
  return {
      .id = "corollary2.long_context",
      .title = "Long contexts: what the distance was said to approach",
      .statement =
          "for fixed $N$, $E -> sum_i ||y_i||$ as $L$ grows: $|E - sum_i ||y_i||| <= "
          "epsilon sum_i ||y_i||$ once $L$ is large (here $L >= 1000 N/epsilon$), on "
          "the family $a_i = 1/L$, $x_i = x$",
      .paper = "Corollary 2",
      .provenance = Provenance::reconstructed,
      .status = Status::refuted,
      .argument =
          "All $x_i = x$, $a_i = 1/L$: $s = (N/L) x$, so $E = (L-N)(N-1)||x||/L$, which tends "
          "to $(N-1)||x||$, while $sum ||y_i|| = ||x||$.",
      .kind = EqualTokens{},
      .evaluators = sides<kSides>,
      .unmet = &long_beside_n,
      .steps = &flat_family_steps,
      .example = R"({"L":1000000,"N":3,"embeddings":[["1"]],"epsilon":"1/2"})",
      .witness = {.lhs = "0.999994", .rhs = "1/2"},
      .hypotheses = "L >= 1000 N; other lengths are drawn too and counted as outside",
  };
}

}  // namespace attn::claims::corollary2_long_context

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/flat_family.hpp"

namespace attn::recheck::corollary2_long_context {
namespace {

std::string long_beside_n(const Input& input) {
  const FlatFamily f(input);
  return f.epsilon * f.length >= kLong * f.n ? "" : "L >= 1000 N/epsilon";
}

/// |E - sum_i ||y_i||| <= epsilon ||x||, where sum_i ||y_i|| = ||x||.
Sides sides(const Input& input) {
  const FlatFamily f(input);
  return {Arb(Rational(::abs(f.distance - 1))) * f.x, Arb(f.epsilon) * f.x};
}

}  // namespace

Check check() {
  return {.sides = &sides, .unmet = &long_beside_n};
}

}  // namespace attn::recheck::corollary2_long_context

#endif
