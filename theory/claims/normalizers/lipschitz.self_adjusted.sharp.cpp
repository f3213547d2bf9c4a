#include "theory/attention/softmax_row.hpp"
#include "theory/claims/normalizers/self_adjusted.hpp"

namespace attn::claims::lipschitz_self_adjusted_sharp {

/// ||J||, and what ||J|| T is compared with.
template <class S>
struct Terms {
  S norm;   ///< ||J||
  S local;  ///< p_(1) (1 - p_(1) + p_(2))
  S inner;  ///< sqrt(sum p_i^2)/rho over the tokens with 0 < v_i < 1
  S temperature;
};

constexpr auto kTerms = []<class S>(const CaseContext& context) {
  const std::vector<Rational> z = context.scaled_logits();
  const self_adjusted::Reach reach(z);
  const SortedWeights<S>& p = own_softmax<S>(context).weights;
  S squares(0.0);
  for (std::size_t k = 0; k < z.size(); ++k) {
    const Rational& of_rank = z[context.order()[k]];
    if (reach.low < of_rank && of_rank < reach.high) squares += square(p.a[k]);
  }
  return Terms<S>{.norm = self_adjusted::norm<S>(context, z, reach),
                  .local = attn::corollary3_local_upper(p),
                  .inner = sqrt_nonnegative(squares) / from<S>(reach.rho()),
                  .temperature = from<S>(context.temperature())};
};

constexpr auto kSides = of(kTerms, []<class S>(const Terms<S>& t) {
  return Sides{t.norm, S((t.local + sqrt_nonnegative(S(2.0)) * t.inner) / t.temperature)};
});

constexpr auto kWithoutRootOfTwo = of(kTerms, []<class S>(const Terms<S>& t) {
  return Sides{t.norm, S((t.local + t.inner) / t.temperature)};
});

constexpr auto kWithoutLocal = of(kTerms, []<class S>(const Terms<S>& t) {
  return Sides{t.norm, S(sqrt_nonnegative(S(2.0)) * t.inner / t.temperature)};
});

Claim claim() {
  return {
      .id = "lipschitz.self_adjusted.sharp",
      .title = "The gradient of Self-Adjusted Softmax, by the weights of softmax",
      .statement =
          "$||J|| <= (p_(1)(1 - p_(1) + p_(2)) + sqrt(2 sum p_i^2)/rho)/T$, $J = da/dl$, $||J||$ "
          "its spectral norm, for Self-Adjusted Softmax, $a_i = p_i v_i$ of $p = softmax(z)$, "
          "$v_i = (z_i - min(0, z_(L)))/rho$, $rho = max(0, z_(1)) - min(0, z_(L))$, $z_(1)$ the "
          "largest and $z_(L)$ the smallest entry of $z = l/T$, $l$ any $L$ logits, $T > 0$, "
          "where $z_(1)$ and $z_(L)$ are not 0, $z_(1)$ is negative or no other entry is as "
          "large, and $z_(L)$ is positive or no other entry is as small, $p_(1) >= p_(2)$ the two "
          "largest $p_i$, the sum over the tokens with $0 < v_i < 1$",
      .paper = kOtherNormalizers,
      .argument =
          "As in lipschitz.self_adjusted.repaired $T J = diag(v) (diag p - p p^T) + diag(p) "
          "V/rho$, and the first part has norm at most $p_(1)(1 - p_(1) + p_(2))$ "
          "(corollary3.local.upper), since $0 <= v_i <= 1$. Row $i$ of $V$ is $e_i - (1 - v_i) e_m "
          "- v_i e_M$, which is 0 for the tokens $m$ and $M$ themselves, of $v = 0$ and $v = 1$, "
          "and at most $sqrt(2)$ long for the others. Never looser than "
          "lipschitz.self_adjusted.repaired, and small where one weight is nearly all. Approached "
          "at $L = 2$: where $z_(2)/z_(1)$ goes to 1, both as $rho = z_(1)$ goes to 0 and as it "
          "grows.",
      .kind = {InputKind::row_of, Normalizer::self_adjusted},
      .evaluators = sides<kSides>,
      .unmet = &self_adjusted::kink,
      .sharpens = "lipschitz.self_adjusted.repaired",
      .mutants = {mutant<kWithoutRootOfTwo>("no_root", "$1$ in place of $sqrt(2)$"),
                  mutant<kWithoutLocal>("no_local", "$p_(1)(1 - p_(1) + p_(2))$ left out"),
                  without_temperature<kSides>(), on_rows(exchanged<kSides>()),
                  on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_self_adjusted_sharp
