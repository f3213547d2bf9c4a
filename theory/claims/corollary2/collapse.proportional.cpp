#include "theory/attention/output.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::collapse_proportional {

/// How large L must be for a statement about its limit to speak.
constexpr std::size_t kLong = 1000;

/// D = (L-N)(N-1)||x||/L, since s = (N/L) x, against epsilon ||x||.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Rational tokens(context.length());
  const Rational selected(context.top_n());
  const S length = embedding_length<S>(context, 0);  // of the one embedding
  return {from<S>(Rational((tokens - selected) * (selected - 1) / tokens)) * length,
          from<S>(context.epsilon()) * length};
};

Claim claim() {
  return {
      .id = "collapse.proportional",
      .title = "Selecting a fixed share of a growing context",
      .statement =
          "$D -> 0$ when $N = rho L$ and $L$ grows: $D <= epsilon ||x||$ once $L$ is large (here "
          "$L >= 1000$), on the family $a_i = 1/L$, $x_i = x != 0$, where $I$ holds any $N$ of "
          "the $L$ tokens, $s = sum_{i in I} a_i x_i$, $D = sum_{i not in I} ||a_i x_i - s||$, "
          "$epsilon > 0$",
      .paper = "Corollary 2, as the introduction and Sections 4 and 5 put it",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "All $x_i = x$, $a_i = 1/L$: $s = rho x$ and $L - N = (1-rho) L$ tokens are $(rho - 1/L) "
          "||x||$ from it, so $D = (1-rho)(rho L - 1)||x||$, which grows without bound. What is "
          "true is $D = 0$ at $N = L$ and $D <= (L-N) max ||x||$.",
      .kind = InputKind::equal_tokens,
      .evaluators = sides<kSides>,
      .unmet =
          [](const CaseContext& context) {
            return context.length() >= kLong ? std::string_view{} : "L >= 1000";
          },
      .example = R"({"L":1000000,"N":500000,"embeddings":[["1"]],"epsilon":"1/2"})",
      .witness = {.lhs = "249999.5", .rhs = "1/2"},
      .sentence =
          "\"Once the top-$N$ set grows proportionally to $L$, the distance must collapse\" "
          "(introduction); it \"necessarily collapses to zero\" (Section 4), \"collapses once $N$ "
          "grows proportionally to $L$\" (Section 5).",
      .instead =
          "The distance grows with $L$ at the slope $||s||$: $D$ lies within $sum_{i not in I} "
          "a_i ||x_i||$ of $(L-N) ||s||$ (distance.linear). Nothing collapses unless $s$ does.",
  };
}

}  // namespace attn::claims::collapse_proportional
