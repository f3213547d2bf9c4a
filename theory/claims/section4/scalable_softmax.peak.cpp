#include "theory/claims/define.hpp"

namespace attn::claims::scalable_softmax_peak {

/// P(n) = 1/(1 + (n-1) n^(-g/T)), g the spread.
template <class S>
S peak(const CaseContext& context, std::size_t count) {
  using std::exp;
  const S power = from<S>(Rational(-context.spread() / context.temperature()));
  const S beside = exp(S(power * log_positive(from_count<S>(count))));
  return S(1.0) / (S(1.0) + from_count<S>(count - 1) * beside);
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {peak<S>(context, context.length()), S(2.0) * peak<S>(context, context.longer())};
};

Claim claim() {
  return {
      .id = "scalable_softmax.peak",
      .title = "The largest weight of Scalable-Softmax is said to stay as the context grows",
      .statement =
          "$P(L) <= 2 P(longer)$ for $2 <= L < longer$: it does not halve, $P(n) = "
          "n^(spread/T)/(n^(spread/T) + n - 1)$ the largest weight of Scalable-Softmax where one "
          "of $n$ logits is $spread > 0$ and the others are 0, $T > 0$",
      .paper = "Section 4, other normalisers",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "As $n$ grows, $P(n)$ tends to 0, $1/2$ or 1 for $spread/T$ below, at or above 1. From "
          "$spread = T$ on it is above $1/2$ at every length, since $n - 1 < n^(spread/T)$. Below, "
          "it falls: at $spread/T = 1/2$ it is $2/5$ of four tokens, $8/71$ of 64 and "
          "$1000/1000999$ of a million.",
      .kind = InputKind::lone_logits,
      .evaluators = sides<kSides>,
      .unmet =
          [](const CaseContext& context) {
            return context.length() < context.longer() ? std::string_view{} : "L < longer";
          },
      .example = R"({"L":4,"longer":64,"spread":"1/2","temperature":"1"})",
      .witness = {.lhs = "2/5", .rhs = "16/71"},
      .sentence =
          "Scalable-Softmax grows with the length \"so that the maximum attention weight stays "
          "roughly constant as the sequence grows\" (Section 4).",
      .instead =
          "It stays above $1/2$ where the largest logit leads by at least $T$. Where it leads by "
          "less, the largest weight goes to 0.",
  };
}

}  // namespace attn::claims::scalable_softmax_peak
