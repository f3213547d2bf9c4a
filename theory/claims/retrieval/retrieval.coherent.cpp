#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_coherent {
/// u . x_i.
Rational along(const CaseContext& context, std::size_t i) {
  return dot(context.embeddings()[i], context.direction());
}

std::string_view breaks_coherence(const CaseContext& context) {
  if (const auto broken = breaks_theorem1(context); !broken.empty()) return broken;
  const Rational squared =
      context.reach_constant() * context.reach_constant() * squared_norm(context.direction());
  const bool reaches = std::ranges::all_of(context.others(), [&](std::size_t i) {
    const Rational t = along(context, i);
    return t >= 0 && t * t >= squared;
  });
  return reaches ? std::string_view{} : "u . x_i >= c ||u|| for every i outside";
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {from<S>(context.reach_constant()) * mass_outside<S>(context), lost_length<S>(context)};
};

constexpr auto kTwice = []<class S>(const CaseContext& context) -> Sides<S> {
  return {from<S>(2 * context.reach_constant()) * mass_outside<S>(context),
          lost_length<S>(context)};
};

constexpr auto kWithoutMass = []<class S>(const CaseContext& context) -> Sides<S> {
  return {from<S>(context.reach_constant()), lost_length<S>(context)};
};

/// Known where every embedding of some weight outside is c u/||u||.
bool is_on_direction(const CaseContext& context) {
  const std::vector<bool> has_weight = known_support(context);
  if (has_weight.empty()) return false;
  const Rational reached = context.reach_constant() * context.reach_constant();
  return std::ranges::all_of(context.others(), [&](std::size_t i) {
    const Rational length = squared_norm(context.embeddings()[i]);
    const Rational t = along(context, i);
    // u . x = ||u|| ||x|| and ||x|| = c.
    return !has_weight[i] ||
           (length == reached && t * t == length * squared_norm(context.direction()));
  });
}

Claim claim() {
  return {
      .id = "retrieval.coherent",
      .title = "What is lost at least, where the tokens that are left out agree on a direction",
      .statement =
          "$c (1-A) <= ||sum_{i not in I} a_i x_i||$ for weights $a_i >= 0$ of sum 1, vectors "
          "$x_i$ and $I$ any set of $N < L$ tokens, $A = sum_{i in I} a_i$, where some $v != 0$ "
          "has $v . x_i >= c ||v||$, $c > 0$, for every $i not in I$",
      .paper = "arXiv 2609.37879: Retrieval capacity, Proposition 5",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "Of $e = sum_{i not in I} a_i x_i$: $||e|| ||v|| >= v . e = sum_{i not in I} a_i (v . "
          "x_i) >= (1-A) c ||v||$. Attained where every $x_i$ outside is $c v/||v||$. With "
          "retrieval.deletion.mass what is lost lies between $c (1-A)$ and $(1-A) max_{i not in I} "
          "||x_i||$.",
      .kind = InputKind::chosen_along,
      .evaluators = sides<kSides>,
      .attained = &is_on_direction,
      .unmet = &breaks_coherence,
      .example =
          R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1","0"],["3","4"],["3","4"]],"set":[0],"direction":["3","4"],"constant":"5"})",
      .mutants = {strict(), on_rows(mutant<kTwice>("twice", "$2c$ in place of $c$")),
                  on_rows(mutant<kWithoutMass>("no_mass", "$1 - A$ left out"))},
  };
}

}  // namespace attn::claims::retrieval_coherent
