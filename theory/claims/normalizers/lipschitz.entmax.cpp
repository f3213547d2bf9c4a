#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_entmax {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = entmax_terms<S>(context);
  return {t.norm, t.local_upper / from<S>(context.temperature())};
};

/// p_1 (1 - p_1 + p_2) of the shares p = u/sum u.
constexpr auto kOfShares = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = entmax_terms<S>(context);
  return {t.norm, t.local_upper / (t.sum * from<S>(context.temperature()))};
};

/// Whether both sides are equal by the support: it is one token, its two largest logits are tied,
/// or all but its largest are.
bool ties_in_support(const CaseContext& context) {
  const auto& l = context.logits();
  const auto& tokens = context.support().tokens;
  return tokens.size() == 1 || context.top_tied() || l[tokens[1]] == l[tokens.back()];
}

Claim claim() {
  return {
      .id = "lipschitz.entmax",
      .title = "The gradient of 1.5-entmax",
      .statement =
          "$||J|| <= u_1 (1 - (u_1 - u_2)/sum u)/T$, $J = da/dl$, $||J||$ its spectral norm, for "
          "1.5-entmax, $a_i = max(z_i/2 - tau, 0)^2$ with $tau$ such that $sum_i a_i = 1$, of $z "
          "= l/T$, $l$ any $L$ logits, $T > 0$, $u_i = sqrt(a_i)$, $u_1 >= u_2$ the two largest; "
          "hence $||J|| <= 1/T$",
      .paper = kOtherNormalizers,
      .argument =
          "$a_i = u_i^2$, $u_i = max(z_i/2 - tau, 0)$, $z = l/T$, with $tau$ such that $sum_i a_i "
          "= 1$; the weights are continuously differentiable, also where a token enters the "
          "support, since $u_i = 0$ there. On the support $d a_i = 2 u_i (d z_i/2 - d tau) = u_i d "
          "z_i - 2 u_i d tau$, and $sum_i d a_i = 0$ gives $2 d tau = sum_j u_j d z_j/sum u$: $J = "
          "(diag u - u u^T/sum u)/T = (sum u) (diag p - p p^T)/T$ with $p = u/sum u$. By the proof "
          "of corollary3.local.upper, which asks of $p$ only that the entries are not negative and "
          "have sum 1, $||J|| <= (sum u) p_1 (1 - p_1 + p_2)/T$; entries of zero change neither "
          "side. Attained where the two largest logits tie or all but the largest of the support "
          "do; with one token in the support both sides are 0. $u_1 <= 1$, and $1/T$ is approached "
          "as $L$ grows.",
      .kind = {InputKind::row_of, Normalizer::entmax},
      .evaluators = sides<kSides>,
      .attained = &ties_in_support,
      .example = R"({"logits":["1/2","-1/4"],"temperature":"1","normalizer":"entmax"})",
      .mutants = {scaled<kSides, 1, 2>("half", kHalf),
                  mutant<kOfShares>("shares", "the shares $u/sum u$ in place of $u$"),
                  without_temperature<kSides>(), strict(), on_rows(exchanged<kSides>()),
                  on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_entmax
