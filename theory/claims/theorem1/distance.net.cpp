#include "theory/attention/attained.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::distance_net {

/// ||sum_{i in O} (y_i - per_token s)||, y_i = a_i x_i.
template <class S>
S net_length(const CaseContext& context, const Rational& per_token) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    const std::vector<W> s = selected_sum(context, a, x);
    const W share = from<W>(per_token);
    std::vector<W> net(s.size(), W(0));
    for (const std::size_t i : context.others()) {
      for (std::size_t k = 0; k < s.size(); ++k) net[k] += a[i] * x[i][k] - share * s[k];
    }
    return S(sqrt_nonnegative(from<S>(squared_norm(net))));
  });
}

template <int per_token>
constexpr auto kNet = []<class S>(const CaseContext& context) -> Sides<S> {
  return {net_length<S>(context, per_token), distance<S>(context)};
};
constexpr auto kSides = kNet<1>;
constexpr auto kWithoutSum = kNet<0>;
constexpr auto kOppositeSum = kNet<-1>;

Claim claim() {
  return {
      .id = "distance.net",
      .title = "The distance is at least that of the sums",
      .statement =
          "$||sum_{i not in I} (a_i x_i - s)|| <= D$ for weights $a_i >= 0$ of any sum, any "
          "vectors $x_i$ and $I$ any set of $N < L$ tokens, $s = sum_{i in I} a_i x_i$, $D = "
          "sum_{i not in I} ||a_i x_i - s||$: $||o - (L-N+1) s|| <= D$ with $o = sum_i a_i x_i$",
      .paper = "Theorem 1 (1)",
      .argument =
          "The triangle inequality, for the $L-N$ vectors whose lengths $D$ adds up; their sum is "
          "$o - s - (L-N) s$. It vanishes only where $s$ is the mean of what the tokens outside "
          "add to the output. Attained where all $a_i x_i - s$ point one way, so wherever one "
          "token is outside. How the norm of a sum was read is in theorem1.fixed.",
      .kind = InputKind::set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_net,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/4","3/4"],"embeddings":[["1"],["-1"]],"set":[0]})",
      .mutants = {on_rows(scaled<kSides, 1, 2>("half", "$D$ halved")), strict(),
                  mutant<kWithoutSum>("without_sum", "$s$ left out"),
                  on_rows(
                      mutant<kOppositeSum>("opposite", "$a_i x_i + s$ in place of $a_i x_i - s$"))},
  };
}

}  // namespace attn::claims::distance_net
