#include "theory/attention/output.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::theorem1_random_linear {

/// How large L must be beside N for a statement about its growth to speak.
constexpr std::size_t kLong = 1000;

/// epsilon L ||x|| against E = (N+1)(L-N)||x||/L, where one token has all the weight.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Rational tokens(context.length());
  const Rational selected(context.top_n());
  const S length = embedding_length<S>(context, 0);  // of the one embedding
  const Rational expected = (selected + 1) * (tokens - selected) / tokens;
  return {from<S>(Rational(context.epsilon() * tokens)) * length, from<S>(expected) * length};
};

Claim claim() {
  return {
      .id = "theorem1.random.linear",
      .title = "The expected distance is said to grow linearly with the context",
      .statement =
          "for fixed $N$, $E$ grows linearly in $L$: $epsilon L ||x|| <= E$ at some slope $epsilon "
          "> 0$, $L >= 1000 N$, on the family $a = (1, 0, ..., 0)$, $x_i = x != 0$, which makes "
          "$E$ as large as it gets, where $I$ is uniform over the sets of $N$ of the $L$ tokens, "
          "$E = E[D]$, $D = sum_{i not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$",
      .paper = "Theorem 1 (2), caption of Figure 2(a)",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "Only $y_1 = x$ is not 0, so that $E = (N+1)(L-N)||x||/L <= (N+1)||x||$ "
          "(corollary2.long_context), and every slope fails once $L > (N+1)/epsilon$. Whatever the "
          "weights, $E <= ((N+1)(L-N)/L) max ||x_i||$ (corollary2.full_set.sharp): at $N = 5$ the "
          "factor is 5.06 at $L = 32$ and 5.97 at $L = 1024$.",
      .kind = InputKind::equal_tokens,
      .evaluators = sides<kSides>,
      .unmet =
          [](const CaseContext& context) {
            return context.length() >= kLong * context.top_n() ? std::string_view{} : "L >= 1000 N";
          },
      .example = R"({"L":1000000,"N":5,"embeddings":[["1"]],"epsilon":"1/1000"})",
      .witness = {.lhs = "1000", .rhs = "5.99997"},
      .sentence =
          "\"With $N = 5$, both the true distance and its expectation grow roughly linearly in "
          "$L$\" (Figure 2(a)).",
      .instead =
          "The distance of the largest weights does, at the slope $||s||$ (distance.linear). The "
          "expectation over random sets never exceeds $((N+1)(L-N)/L) max ||x_i||$, which is "
          "below $(N+1) max ||x_i||$ at every length (corollary2.full_set.sharp).",
  };
}

}  // namespace attn::claims::theorem1_random_linear
