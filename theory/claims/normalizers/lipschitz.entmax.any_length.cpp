#ifndef ATTN_RECHECK

#include "theory/claims/normalizers/entmax.hpp"

namespace attn::claims::lipschitz_entmax_any_length {
namespace {

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  return {entmax_terms<S>(problem).norm,
          S(1.0) / (sqrt_nonnegative(S(2.0)) * from<S>(problem.temperature()))};
};

}  // namespace

Claim claim() {
  return {
      .id = "lipschitz.entmax.any_length",
      .title = "The gradient of 1.5-entmax, by the constant of two tokens",
      .statement =
          "$||J|| <= 2^(-1/2)/T$ for 1.5-entmax of any length, $a_i = max(z_i/2 - tau, 0)^2$",
      .paper = kOtherNormalizers,
      .provenance = Provenance::derived,
      .status = Status::refuted,
      .argument =
          "$J = diag u - u u^T/sum u$ with $u_i = sqrt(a_i)$. For $u = (c, b, ..., b)$ of $k$ "
          "entries, $c >= b$, $||J|| = k c b/(c + (k-1) b)$, which is at most $2^(-1/2)$ at "
          "$k = 2$ but tends to $c < 1$ as $k$ grows.",
      .kind = RowOf{Normalizer::entmax},
      .evaluators = sides<kSides>,
      .steps = &entmax_steps,
      .example = R"({"logits":["13/8","0","0","0","0","0","0","0","0","0","0","0","0","0",)"
                 R"("0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0)"
                 R"(","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0","0"],"te)"
                 R"(mperature":"1","normalizer":"entmax"})",
      .witness = {.lhs = "0.70757...", .rhs = "0.70710..."},
  };
}

}  // namespace attn::claims::lipschitz_entmax_any_length

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/own_normalizer.hpp"

namespace attn::recheck::lipschitz_entmax_any_length {
namespace {

/// ||J|| <= 2^(-1/2)/T.
Sides sides(const Input& input) {
  const Rational t = input.temperature();
  return {Entmax(input).norm, sqrt(Rational(1 / (2 * t * t)))};
}

}  // namespace

Check check() {
  return {.sides = &sides};
}

}  // namespace attn::recheck::lipschitz_entmax_any_length

#endif
