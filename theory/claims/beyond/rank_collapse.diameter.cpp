#include <algorithm>

#include "theory/attention/output.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::rank_collapse_diameter {

/// max_{i, k} ||o_i - o_k||, o_i = sum_j a_j x_j, a = softmax(x_i . x_j / T over j).
template <class S>
S attended_diameter(const CaseContext& context) {
  const auto& x = context.embeddings();
  std::vector<std::vector<S>> outputs;  // o_i - x_1
  for (const auto& query : x) {
    std::vector<Rational> z;
    for (const auto& key : x) z.push_back(dot(query, key) / context.temperature());
    outputs.push_back(weighted_sum(softmax_of<S>(z), x, x.front()));
  }
  S most(0.0);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) most = max(most, squared_distance(outputs[i], outputs[k]));
  }
  return sqrt_nonnegative(most);
}

/// max ||o_i - o_k|| and length tanh(diam^2/(4 t)).
template <class S>
Sides<S> contraction(const CaseContext& context, const S& length, const Rational& t) {
  const Rational reach = squared_diameter(context.embeddings()) / (4 * t);
  return {attended_diameter<S>(context), length * tanh_nonnegative(from<S>(reach))};
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return contraction<S>(context, diameter<S>(context), context.temperature());
};

constexpr auto kHalfExponent = []<class S>(const CaseContext& context) -> Sides<S> {
  return contraction<S>(context, diameter<S>(context), 2 * context.temperature());
};

constexpr auto kWithoutTemperature = []<class S>(const CaseContext& context) -> Sides<S> {
  return contraction<S>(context, diameter<S>(context), Rational(1));
};

constexpr auto kLongest = []<class S>(const CaseContext& context) -> Sides<S> {
  return contraction<S>(context, longest_embedding<S>(context), context.temperature());
};

/// Whether all embeddings are equal, or are two vectors of one length, each equally often.
bool is_split_evenly(const CaseContext& context) {
  const auto& x = context.embeddings();
  const auto& first = x.front();
  const auto other = std::ranges::find_if(x, [&](const auto& v) { return v != first; });
  if (other == x.end()) return true;
  const auto at_first = std::ranges::count(x, first);
  return at_first == std::ranges::count(x, *other) && 2 * at_first == std::ssize(x) &&
         squared_norm(first) == squared_norm(*other);
}

Claim claim() {
  return {
      .id = "rank_collapse.diameter",
      .title = "Self-attention draws its embeddings together",
      .statement =
          "$max_{i,k} ||o_i - o_k|| <= diam tanh(diam^2/(4T))$ with $o_i = sum_j a_ij x_j$, where "
          "$a_i1, ..., a_iL$ are the softmax weights of $x_i . x_j/T$ over $j$, $diam = max_{i,k} "
          "||x_i - x_k||$, $x_1, ..., x_L$ any vectors, $T > 0$",
      .paper = "arXiv 2103.03404: Attention is not all you need (rank collapse)",
      .argument =
          "For two tokens $i$ and $k$ let $p_j = a_ij$, $q_j = a_kj$, $r_j = q_j/p_j$. Over $j$, "
          "$log r_j$ is $(x_k - x_i) . x_j/T$ plus a constant and varies by at most $w = "
          "diam^2/T$ (Cauchy-Schwarz), so that $m <= r_j <= M$ with $M/m <= exp(w)$ and, as $sum "
          "p_j r_j = 1$, $m <= 1 <= M$. Let $m < M$; else $p = q$. The chord of the convex $max(r "
          "- 1, 0)$ over $[m, M]$ gives for $t = TV(p, q) = sum p_j max(r_j - 1, 0)$ that $t <= "
          "(M - 1)(1 - m)/(M - m)$. With $M = c m$ that is $(c + 1 - c m - 1/m)/(c - 1) <= "
          "(sqrt(c) - 1)/(sqrt(c) + 1) = tanh(log(c)/4)$, by $c m + 1/m >= 2 sqrt(c)$, and at "
          "most $tanh(w/4)$. Last, $o_k - o_i = sum_j (q_j - p_j) x_j = t (u - v)$ with $u$ and "
          "$v$ convex combinations of the $x_j$, whence $||o_k - o_i|| <= t diam$. Attained just "
          "where all $x_j$ are equal, or are two vectors of one length, each equally often, as by "
          "two opposite vectors of any length at any $T$, so that no smaller bound in $diam$ and "
          "$T$ holds. (Where $diam > 0$, every $r_j$ is $m$ or $M$, so that $u$ and $v$ are means "
          "of all $x_j$; $||u - v|| = diam$ then takes one vector on either side, $x_k$ and $x_i$. "
          "Last, $c m = 1/m$ says that $p$ has $1/(1 + sqrt(c))$ at $x_k$, so that their counts "
          "are as $exp(-||x_k||^2/(2T))$ to $exp(-||x_i||^2/(2T))$; no power of $e$ with a "
          "rational exponent is rational but 1.) For small diameters it is cubic, at any "
          "temperature.",
      .kind = InputKind::self_attention,
      .evaluators = sides<kSides>,
      .attained = &is_split_evenly,
      .example = R"({"embeddings":[["1"],["-1"]],"temperature":"1"})",
      .mutants = {mutant<kHalfExponent>("eighth", "$diam^2/(8T)$ in place of $diam^2/(4T)$"),
                  mutant<kLongest>("longest", "$max_i ||x_i||$ in place of the factor $diam$"),
                  mutant<kWithoutTemperature>("no_t", "$T$ left out"), strict()},
  };
}

}  // namespace attn::claims::rank_collapse_diameter
