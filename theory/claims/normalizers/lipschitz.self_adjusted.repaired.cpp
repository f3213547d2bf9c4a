#include "theory/claims/normalizers/self_adjusted.hpp"

namespace attn::claims::lipschitz_self_adjusted_repaired {

/// ||J|| against (1/2 + sqrt(2)/rho)/T, or one of the two terms alone.
template <bool has_half, bool has_root>
constexpr auto kWithin = []<class S>(const CaseContext& context) -> Sides<S> {
  const S half(has_half ? 0.5 : 0.0);
  const S root = sqrt_nonnegative(S(has_root ? 2.0 : 0.0));
  const std::vector<Rational> z = context.scaled_logits();
  const self_adjusted::Reach reach(z);
  return {self_adjusted::norm<S>(context, z, reach),
          S(half + root / from<S>(reach.rho())) / from<S>(context.temperature())};
};
constexpr auto kSides = kWithin<true, true>;
constexpr auto kWithoutRho = kWithin<true, false>;
constexpr auto kWithoutHalf = kWithin<false, true>;

Claim claim() {
  return {
      .id = "lipschitz.self_adjusted.repaired",
      .title = "The gradient of Self-Adjusted Softmax where it has one",
      .statement =
          "$||J|| <= (1/2 + sqrt(2)/rho)/T$, $J = da/dl$, $||J||$ its spectral norm, for "
          "Self-Adjusted Softmax, $a_i = p_i v_i$ of $p = softmax(z)$, $v_i = (z_i - min(0, "
          "z_(L)))/rho$, $rho = max(0, z_(1)) - min(0, z_(L))$, $z_(1)$ the largest and $z_(L)$ "
          "the smallest entry of $z = l/T$, $l$ any $L$ logits, $T > 0$, where $z_(1)$ and "
          "$z_(L)$ are not 0, $z_(1)$ is negative or no other entry is as large, and $z_(L)$ is "
          "positive or no other entry is as small",
      .paper = kOtherNormalizers,
      .argument =
          "$a_i = p_i v_i$ with $p = softmax(z)$ and $v_i = (z_i - min(0, z_(L)))/rho$ in $[0, "
          "1]$, so $T J = diag(v) (diag p - p p^T) + diag(p) V/rho$, where row $i$ of $V$ is $e_i "
          "- (1 - v_i) e_m - v_i e_M$, $e_m$ the unit vector of the least token or 0 where $z_(L) "
          "> 0$, and $e_M$ that of the largest or 0 where $z_(1) < 0$. The first part has norm at "
          "most $1/2$ (lemma2.sharp). $e_i$ is at most $sqrt(2)$ from a unit vector and from 0, "
          "hence from their convex combination, so that the second has Frobenius norm at most "
          "$sqrt(2) ||p||/rho <= sqrt(2)/rho$. No constant holds for all logits: "
          "lipschitz.self_adjusted.",
      .kind = {InputKind::row_of, Normalizer::self_adjusted},
      .evaluators = sides<kSides>,
      .unmet = &self_adjusted::kink,
      .mutants = {mutant<kWithoutRho>("no_rho", "$sqrt(2)/rho$ left out"),
                  mutant<kWithoutHalf>("no_half", "$1/2$ left out"), without_temperature<kSides>(),
                  on_rows(exchanged<kSides>()), on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_self_adjusted_repaired
