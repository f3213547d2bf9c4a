#include "theory/claims/define.hpp"

namespace attn::claims::lemma1_uniform {

constexpr std::size_t kLong = 1000;

/// TV = tanh(spread/(2T))/2 = (1 - e)/(2 (1 + e)), e = exp(-spread/T), of any even L.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  using std::exp;
  using std::expm1;
  const S fall = from<S>(Rational(-context.spread() / context.temperature()));
  return {-expm1(fall) / (S(2.0) * (S(1.0) + exp(fall))), from<S>(context.epsilon())};
};

Claim claim() {
  return {
      .id = "lemma1.uniform",
      .title = "Weights over a long context are said to become uniform",
      .statement =
          "$TV(a, u) <= epsilon$ once $L$ is large (here $L >= 1000$), $u_i = 1/L$, $TV(a, u) = "
          "(1/2) sum_i |a_i - u_i|$, $a = softmax(l/T)$, where half of the $L$ logits are $spread "
          "> 0$ and half are 0, $T > 0$, $epsilon > 0$",
      .paper = "Lemma 1, in the words of the abstract and the introduction",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "Every weight falls as $1/L$, as the lemma says, but their ratios stay: with $e = "
          "exp(-spread/T)$ the weights are $2/(L (1 + e))$ and $2 e/(L (1 + e))$, and $TV = "
          "(1 - e)/(2 (1 + e)) = tanh(spread/(2T))/2$ for every $L$.",
      .kind = InputKind::two_level_tokens,
      .evaluators = sides<kSides>,
      .unmet =
          [](const CaseContext& context) {
            return context.tokens() >= kLong ? std::string_view{} : "L >= 1000";
          },
      .example = R"({"length":1000,"spread":"1","temperature":"1","epsilon":"1/10"})",
      .witness = {.lhs = "0.23105...", .rhs = "1/10"},
      .sentence =
          "\"As the context length $L$ grows, attention weights collapse toward $1/L$\" "
          "(introduction), \"often converging toward a uniform selection pattern\" (abstract).",
      .instead =
          "Each weight falls like $1/L$ (after the lemma itself the paper says \"uniformly small "
          "(on the order of $1/L$)\", which is true), but the weights need not become alike: with "
          "half the logits at each of two levels the total variation from uniform is "
          "$tanh(spread/(2 T))/2$ at every $L$. It is never more than $tanh((max l - min l)/(4 "
          "T))$ (lemma1.uniform.repaired).",
  };
}

}  // namespace attn::claims::lemma1_uniform
