#include "theory/attention/output.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::corollary2_long_context {

/// How large L must be, beside N/epsilon, for a statement about its limit to speak.
constexpr std::size_t kLong = 1000;

std::string_view long_beside_n(const CaseContext& context) {
  const bool far_out = context.epsilon() * context.length() >= Rational(kLong * context.top_n());
  return far_out ? std::string_view{} : "L >= 1000 N/epsilon";
}

/// |E - ||x||| against epsilon ||x||, E = (N+1)(L-N)||x||/L, where one token has all the weight.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Rational tokens(context.length());
  const Rational selected(context.top_n());
  const S length = embedding_length<S>(context, 0);  // of the one embedding
  const S expected = from<S>(Rational((selected + 1) * (tokens - selected) / tokens)) * length;
  return {abs(S(expected - length)), from<S>(context.epsilon()) * length};
};

Claim claim() {
  return {
      .id = "corollary2.long_context",
      .title = "Long contexts: what the distance was said to approach",
      .statement =
          "for fixed $N$, $E -> sum_i ||y_i||$ as $L$ grows: $|E - sum_i ||y_i||| <= epsilon "
          "sum_i ||y_i||$ once $L$ is large (here $L >= 1000 N/epsilon$), on the family $a = (1, "
          "0, ..., 0)$, $x_i = x != 0$, where $I$ is uniform over the sets of $N$ of the $L$ "
          "tokens, $E = E[D]$, $D = sum_{i not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = "
          "a_i x_i$, $epsilon > 0$",
      .paper = "Corollary 2",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "Only $y_1 = x$ is not 0. With probability $N/L$ the first token is selected, $s = x$ "
          "and $D = (L-N) ||x||$; else $s = 0$ and $D = ||x||$. So $E = (N+1)(L-N)||x||/L$, which "
          "tends to $(N+1)||x||$ for every $N$, while $sum_i ||y_i|| = ||x||$. (Equal weights $a_i "
          "= 1/L$ give $E = (L-N)(N-1)||x||/L$, which has the limit $||x||$ at $N = 2$.)",
      .kind = InputKind::equal_tokens,
      .evaluators = sides<kSides>,
      .unmet = &long_beside_n,
      .example = R"({"L":1000000,"N":1,"embeddings":[["1"]],"epsilon":"1/2"})",
      .witness = {.lhs = "0.999998", .rhs = "1/2"},
      .sentence =
          "\"When $N$ is small relative to the sequence length ... the expected distance is "
          "dominated by the individual contributions\" $||a_i x_i||$ (Corollary 2).",
      .instead =
          "$E$ lies within $p N sum_i ||y_i||$ of $p sum_i ||y_i||$, $p = (L-N)/L$, and no closer "
          "in general: one token of all the weight attains that "
          "(corollary2.long_context.repaired).",
  };
}

}  // namespace attn::claims::corollary2_long_context
