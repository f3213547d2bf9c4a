#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::lemma2_vanishing {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{corollary3_entry_bound(t.temperature), t.norm()};
});

Claim claim() {
  return {
      .id = "lemma2.vanishing",
      .title = "A normaliser whose least value vanishes is said to be unstable",
      .statement =
          "$1/(4T) <= ||J||$ for $(max l - min l)/T >= 7$, so that $min F < max F/1000$ for $F(z) "
          "= exp(z)$, $J = da/dl$, $a = softmax(l/T)$, $l$ any $L$ logits, $T > 0$, $||J||$ its "
          "spectral norm",
      .paper = "Lemma 2, as Section 4 reads it",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "Two logits 0 and $-7$: $||J|| = 2 a_1 a_2$, while the bound of lemma2 is $(exp(7) + "
          "exp(14))/2 = 601850$. With $l = (0, -k)$, as $k$ grows, $min F$ goes to 0, that bound "
          "to infinity, and $||J||$ to 0. Nor is $min F$ a property of the weights: $c F$ gives "
          "the same ones for every $c > 0$.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .unmet = &narrow_range,
      .example = R"({"logits":["0","-7"],"temperature":"1"})",
      .witness = {.lhs = "1/4", .rhs = "0.0018204..."},
      .sentence =
          "\"Any normaliser with a vanishing minimum value will inherit the same instability\" "
          "(Section 4): the $1/(4 T)$ of the clause before.",
      .instead =
          "What counts is the largest $|F'/F|$ (lemma2.sharp) and the two largest weights "
          "(lemma2.local), not the least value of $F$.",
  };
}

}  // namespace attn::claims::lemma2_vanishing
