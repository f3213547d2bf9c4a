#include "theory/claims/normalizers/shared.hpp"
#include "theory/number/rationals.hpp"

namespace attn::claims::lipschitz_polynomial {

Rational power(const Rational& base, std::size_t exponent) {
  Rational result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

std::string_view within_bound(const CaseContext& context) {
  const bool within = largest_absolute(context.logits()) <= *context.logit_bound();
  return within ? std::string_view{} : "|l_i| <= a";
}

/// p max|z|^(p-1) / (sqrt(L) T) against p b^(p-1) / (sqrt(L) T): J is diagonal.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Rational largest = largest_absolute(context.logits()) / context.temperature();
  const std::size_t p = context.exponent();
  const S root = sqrt_nonnegative(from_count<S>(context.tokens()));
  const Rational scale = Rational(p) / context.temperature();
  return {from<S>(Rational(scale * power(largest, p - 1))) / root,
          from<S>(Rational(scale * power(*context.logit_bound() / context.temperature(), p - 1))) /
              root};
};

/// p taken as 1, p b^(p-1) as b^(p-1).
constexpr auto kWithoutDegree = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto s = evaluate<kSides, S>(context);
  return {s.lhs, s.rhs / from_count<S>(context.exponent())};
};

Claim claim() {
  return {
      .id = "lipschitz.polynomial",
      .title = "The gradient of polynomial attention",
      .statement =
          "$||J|| <= p b^(p-1)/(sqrt(L) T)$, $J = da/dl$, $||J||$ its spectral norm, for $a_i = "
          "z_i^p/sqrt(L)$, $z = l/T$ of $L$ logits with $|z_i| <= b = a/T$, $p >= 1$ a whole "
          "number, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "$J$ is diagonal with entries $p z_i^(p-1)/(sqrt(L) T)$, and $|z_i| <= b$. Attained "
          "where some $|z_i| = b$.",
      .kind = InputKind::polynomial_row,
      .evaluators = sides<kSides>,
      // p = 1 has the same gradient everywhere.
      .attained =
          [](const CaseContext& context) {
            return context.exponent() == 1 ||
                   largest_absolute(context.logits()) == *context.logit_bound();
          },
      .unmet = &within_bound,
      .example =
          R"({"logits":["1","0"],"temperature":"1","normalizer":"polynomial","a":"1","p":2})",
      .mutants = {on_rows(mutant<kWithoutDegree>("no_degree", "the factor $p$ left out")), strict(),
                  on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_polynomial
