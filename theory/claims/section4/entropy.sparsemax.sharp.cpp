#include "theory/claims/section4/shared.hpp"

namespace attn::claims::entropy_sparsemax_sharp {

/// Against 1.5-entmax at the temperature T/divisor.
template <int divisor>
constexpr auto kAgainst = []<class S>(const CaseContext& context) -> Sides<S> {
  return {sparsemax_entropy<S>(context),
          EntmaxAt<S>(context, context.temperature() / divisor).entropy()};
};
constexpr auto kSides = kAgainst<1>;

constexpr auto kLeast = []<class S>(const CaseContext& context) -> Sides<S> {
  return {sparsemax_entropy<S>(context),
          EntmaxAt<S>(context, context.temperature()).least_surprise()};
};

bool is_support_tied(const CaseContext& context) {
  const Support support = entmax_support(context.scaled_logits());
  const auto& l = context.logits();
  return l[support.tokens.front()] == l[support.tokens.back()];
}

Claim claim() {
  return {
      .id = "entropy.sparsemax.sharp",
      .title = "Sparsemax has no more entropy than 1.5-entmax",
      .statement =
          "$H(p) <= H(w)$, $H(a) = -sum_i a_i log a_i$ with $0 log 0 = 0$, $p$ sparsemax and $w$ "
          "1.5-entmax of $z = l/T$, $p_i = max(z_i - tau, 0)$ and $w_i = max(z_i/2 - sigma, 0)^2$ "
          "with $tau$ such that $sum_i p_i = 1$ and $sigma$ such that $sum_i w_i = 1$, $l$ any $L$ "
          "logits, $T > 0$",
      .paper = "Section 4, other normalisers",
      .argument =
          "$w_i = v_i^2$, $v_i = max(z_i/2 - sigma, 0) <= 1$. If $z_i >= z_j$ and $p_j > w_j$, "
          "then $p_i > w_i$: as $p_j > 0$, $p_i = p_j + z_i - z_j$ and $z_i - z_j >= 2 v_i - 2 "
          "v_j$, so that $p_i - w_i >= (p_j - w_j) + (v_i - v_j)(2 - v_i - v_j) >= p_j - w_j$. If "
          "no $p_i > w_i$, $p = w$. Else let $k$ be the token of the least $z$ with $p_k > w_k$: "
          "$p_i > w_i$ where $z_i >= z_k$, and $p_i <= w_i$ elsewhere. $w_i = 0$ forces $p_i = 0$: "
          "else $p_j > w_j$ for all of larger $z$, and those of smaller $z$ have $w = 0 <= p$, so "
          "that $sum p > sum w$. Then $H(w) - H(p) = sum_{p_i > 0} p_i log(p_i/w_i) + sum_{w_i > "
          "0} (p_i - w_i)(log w_i - log w_k)$: the first sum is at least 0 by $x log(x/y) >= x - "
          "y$, and no term of the second is negative. Equal exactly where the support of "
          "1.5-entmax is tied.",
      .kind = {InputKind::row_of, Normalizer::sparsemax},
      .evaluators = sides<kSides>,
      .attained = &is_support_tied,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"sparsemax"})",
      .sharpens = "entropy.sparsemax",
      .mutants = {on_rows(exchanged<kSides>()),
                  on_rows(scaled<kSides, 1, 10>("tenth", "a tenth of the entropy of 1.5-entmax")),
                  mutant<kLeast>("least", "$-log max_i w_i$ in place of $H(w)$"),
                  mutant<kAgainst<8>>("colder", "1.5-entmax at the temperature $T/8$"), strict()},
  };
}

}  // namespace attn::claims::entropy_sparsemax_sharp
