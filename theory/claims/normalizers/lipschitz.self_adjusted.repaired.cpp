#include "theory/claims/normalizers/self_adjusted.hpp"

namespace attn::claims::lipschitz_self_adjusted_repaired {

/// ||J|| against (half + root/rho)/T.
template <class S>
Sides<S> within(const CaseContext& problem, const S& half, const S& root) {
  const std::vector<Rational> z = problem.scaled_logits();
  const self_adjusted::Reach reach(z);
  const S temperature = from<S>(problem.temperature());
  return {self_adjusted::norm_at_one<S>(z, reach) / temperature,
          S(half + root / from<S>(reach.rho())) / temperature};
}

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  return within(problem, S(0.5), sqrt_nonnegative(S(2.0)));
};

constexpr auto kWithoutRho = []<class S>(const CaseContext& problem) -> Sides<S> {
  return within(problem, S(0.5), S(0.0));
};

constexpr auto kWithoutHalf = []<class S>(const CaseContext& problem) -> Sides<S> {
  return within(problem, S(0.0), sqrt_nonnegative(S(2.0)));
};

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
      .kind = {InputKind::fixed_normalizer_logits, Normalizer::self_adjusted},
      .evaluators = sides<kSides>,
      .unmet = &self_adjusted::kink,
      .mutants = {mutant<kWithoutRho>("no_rho", "$sqrt(2)/rho$ left out"),
                  mutant<kWithoutHalf>("no_half", "$1/2$ left out"), without_temperature<kSides>(),
                  on_rows(exchanged<kSides>()), on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_self_adjusted_repaired
