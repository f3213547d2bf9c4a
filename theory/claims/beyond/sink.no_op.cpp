#include <algorithm>

#include "theory/attention/known_weights.hpp"
#include "theory/attention/output.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::sink_no_op {

/// u . x_i. [L]
std::vector<Rational> along_direction(const CaseContext& context) {
  std::vector<Rational> along;
  for (const auto& x : context.embeddings()) along.push_back(dot(context.direction(), x));
  return along;
}

std::string_view breaks_sink(const CaseContext& context) {
  if (const auto broken = breaks_theorem1(context); !broken.empty()) return broken;
  const std::vector<Rational> along = along_direction(context);
  const Rational& c = context.reach_constant();
  const Rational squared = c * c * squared_norm(context.direction());
  if (along.front() < 0) return "u . x_0 >= 0";
  const bool reach = std::all_of(along.begin() + 1, along.end(),
                                 [&](const Rational& t) { return t >= 0 && t * t >= squared; });
  return reach ? std::string_view{} : "u . x_i >= c ||u|| for every i != 0";
}

/// c^2 - ||o||^2, from o = y + e with y the embedding of the largest weight: c^2 - ||y||^2 is
/// exact, and e = sum_i a_i (x_i - y) is as small as the other weights, so that no digits of a
/// small a_0 are lost where ||y|| = c.
template <class S>
S square_missing(const CaseContext& context, const Rational& reach) {
  const std::vector<S> a = attention_weights<S>(context);
  const auto& y = context.embeddings()[context.largest()];
  S along(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    along += a[i] * from<S>(Rational(dot(y, context.embeddings()[i]) - squared_norm(y)));
  }
  const std::vector<S> e = weighted_sum(a, context.embeddings(), y);
  const Rational exact = reach * reach - squared_norm(y);
  return from<S>(exact) - S(2.0) * along - squared_norm(e);
}

/// 1 - ||o||/reach; rational where it can be, so that an attained bound of 0 is 0.
template <class S>
S missing(const CaseContext& context, const Rational& reach) {
  if constexpr (!std::is_same_v<S, ErrorDouble>) {
    if (const auto squared = rational_output_square(context)) {
      const auto root = exact_root(Rational(*squared / (reach * reach)));
      if (root) return from<S>(Rational(1 - *root));
    }
  }
  const S c = from<S>(reach);
  return square_missing<S>(context, reach) / (c * (c + output_length<S>(context)));
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {missing<S>(context, context.reach_constant()), attention_weights<S>(context).front()};
};

constexpr auto kLeastWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  return {missing<S>(context, context.reach_constant()),
          attention_weights<S>(context)[context.least()]};
};

constexpr auto kWithoutSink = []<class S>(const CaseContext& context) -> Sides<S> {
  return {missing<S>(context, context.reach_constant()), S(0.0)};
};

constexpr auto kTwiceTheReach = []<class S>(const CaseContext& context) -> Sides<S> {
  return {missing<S>(context, 2 * context.reach_constant()), attention_weights<S>(context).front()};
};

/// sum_i a_i (x_i - (u . x_i/||u||^2) u) = 0, times ||u||^2: what the tokens put out across u.
bool puts_nothing_across(const CaseContext& context, const KnownWeights& a,
                         const std::vector<Rational>& along) {
  const std::vector<Rational>& u = context.direction();
  const Rational length = squared_norm(u);
  for (std::size_t k = 0; k < u.size(); ++k) {
    Form across(a.kinds());
    for (std::size_t i = 0; i < along.size(); ++i) {
      const Rational coordinate = length * context.embeddings()[i][k] - along[i] * u[k];
      across[a.kind[i]] += coordinate * a.share[i];
    }
    if (!is_zero(across)) return false;
  }
  return true;
}

/// Every step of the argument is an equality.
bool is_met(const CaseContext& context) {
  const KnownWeights a(context);
  const std::vector<Rational> along = along_direction(context);
  const Rational least = square(context.reach_constant()) * squared_norm(context.direction());
  if (a.share.front() != 0 && along.front() != 0) return false;
  for (std::size_t i = 1; i < along.size(); ++i) {
    if (a.share[i] != 0 && square(along[i]) != least) return false;
  }
  return puts_nothing_across(context, a, along);
}

Claim claim() {
  return {
      .id = "sink.no_op",
      .title = "A head that is to output nothing must have a sink",
      .statement =
          "$1 - ||sum_i a_i x_i||/c <= a_0$, $a_0$ the weight of the first token, for $a_i >= 0$, "
          "$sum_i a_i = 1$ and vectors $x_i$ for which some $v != 0$ has $v . x_i >= c ||v||$, $c "
          "> 0$, for every $i != 0$, and $v . x_0 >= 0$",
      .paper = "arXiv 2603.11487: Attention sinks",
      .argument =
          "Of $o = sum a_i x_i$: $||o|| ||v|| >= v . o = sum a_i (v . x_i) >= (1 - a_0) c ||v||$. "
          "Attained just where $v . x_i = c ||v||$ for every $i != 0$ with $a_i > 0$, $v . x_0 = "
          "0$ if $a_0 > 0$, and $o$ is $v . o/||v||^2$ times $v$: as where $x_0 = 0$ and all other "
          "embeddings are the same vector of length $c$. For softmax the last says that the parts "
          "of the $x_i$ across $v$ have the sum 0 over the tokens of each logit, for exponentials "
          "of distinct rationals are linearly independent over the rationals.",
      .kind = InputKind::sink_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_met,
      .unmet = &breaks_sink,
      .example =
          R"({"weights":["7/10","1/5","1/10"],"embeddings":[["0","0"],["3","4"],["3","4"]],"direction":["3","4"],"constant":"5"})",
      .mutants = {mutant<kLeastWeight>("least", "$min_i a_i$ in place of $a_0$"),
                  on_rows(mutant<kWithoutSink>("no_sink", "$a_0$ left out")),
                  on_rows(mutant<kTwiceTheReach>("twice", "$2c$ in place of $c$")), strict()},
  };
}

}  // namespace attn::claims::sink_no_op
