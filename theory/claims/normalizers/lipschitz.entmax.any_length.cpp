#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_entmax_any_length {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {entmax_terms<S>(context).norm,
          S(1.0) / (sqrt_nonnegative(S(2.0)) * from<S>(context.temperature()))};
};

Claim claim() {
  return {
      .id = "lipschitz.entmax.any_length",
      .title = "The gradient of 1.5-entmax, by the constant of two tokens",
      .statement =
          "$||J|| <= 2^(-1/2)/T$, $J = da/dl$, $||J||$ its spectral norm, for 1.5-entmax, $a_i = "
          "max(z_i/2 - tau, 0)^2$ with $tau$ such that $sum_i a_i = 1$, of $z = l/T$, $l$ any $L$ "
          "logits, $T > 0$",
      .paper = kOtherNormalizers,
      .status = Status::refuted,
      .argument =
          "$T J = diag u - u u^T/sum u$ with $u_i = sqrt(a_i)$ (lipschitz.entmax). For $u = (c, b, "
          "..., b)$ of $k$ entries, $c >= b$, the vector $(k-1, -1, ..., -1)$ has the eigenvalue "
          "$k c b/(c + (k-1) b) >= b$, the vectors that are 0 at the first entry and have sum 0 "
          "have $b$, and the vector of ones has 0. So $||J|| = k c b/((c + (k-1) b) T)$, at most "
          "$2^(-1/2)/T$ at $k = 2$, where $c^2 + b^2 = 1$; but it nears $c/T$, with $c < 1$ as "
          "near to 1 as one likes, as $k$ grows. (Where $c < b$ and $k >= 3$ the norm is $b/T$.)",
      .kind = {InputKind::row_of, Normalizer::entmax},
      .evaluators = sides<kSides>,
      .example = R"({"logits":["13/8","0","0","0","0","0","0","0","0","0","0","0","0","0",)"
                 R"("0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0)"
                 R"(","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0"],"te)"
                 R"(mperature":"1","normalizer":"entmax"})",
      .witness = {.lhs = "0.70757...", .rhs = "0.70710..."},
  };
}

}  // namespace attn::claims::lipschitz_entmax_any_length
