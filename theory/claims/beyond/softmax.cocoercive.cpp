#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::softmax_cocoercive {

template <class S>
struct Terms {
  S squared;     ///< ||b - a||^2
  S along_step;  ///< <b - a, h>
};

template <class S>
Terms<S> terms(const CaseContext& context) {
  // Against the token of the largest weight: b - a adds up to 0.
  const auto& h = context.step();
  const Rational& of_largest = h[context.largest()];
  const std::vector<S> change = change_by_step<S>(context);
  S along(0.0);
  for (std::size_t i = 0; i < h.size(); ++i) {
    along += change[i] * from<S>(Rational(h[i] - of_largest));
  }
  return {squared_norm(change), along};
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Terms<S> t = terms<S>(context);
  return {from<S>(Rational(2 * context.temperature())) * t.squared, t.along_step};
};

constexpr auto kWithoutTemperature = []<class S>(const CaseContext& context) -> Sides<S> {
  const Terms<S> t = terms<S>(context);
  return {S(2.0) * t.squared, t.along_step};
};

Claim claim() {
  return {
      .id = "softmax.cocoercive",
      .title = "Weights and logits move in one direction",
      .statement =
          "$2T ||b - a||^2 <= (b - a) . h$, $a = softmax(l/T)$, $b = softmax((l + h)/T)$, $l$ any "
          "$L$ logits, $h$ any step, $T > 0$",
      .paper =
          "arXiv 1704.00805: the cocoercivity of softmax, with the constant of arXiv 2510.23012",
      .argument =
          "Baillon-Haddad, with a proof of its own here. $b - a = G h$ with $G$ the mean of $J(l "
          "+ t h)$ over $0 <= t <= 1$. Each $J = (diag a - a a^T)/T$ is symmetric, without "
          "negative eigenvalues and of norm at most $1/(2T)$ (corollary3.sharp), and so is $G$. "
          "Its eigenvalues $g$ have $g^2 <= g/(2T)$, so that $||G h||^2 <= (G h) . h/(2T)$. "
          "Approached at $L = 2$ with equal logits as $h = (t, -t)$ vanishes; both sides are 0 "
          "where $h$ moves all logits alike.",
      .kind = {InputKind::step_of, Normalizer::softmax},
      .evaluators = sides<kSides>,
      .mutants = {on_rows(scaled<kSides, 1, 2>("double", "$4T$ in place of $2T$")),
                  mutant<kWithoutTemperature>("no_t", "$T$ left out"),
                  on_rows(per_token<kSides>())},
  };
}

}  // namespace attn::claims::softmax_cocoercive
