#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_coherent {
/// u . x_i.
Rational along(const CaseContext& problem, std::size_t i) {
  return dot(problem.embeddings()[i], problem.direction());
}

std::string_view breaks_coherence(const CaseContext& problem) {
  if (const auto broken = breaks_theorem1(problem); !broken.empty()) return broken;
  const Rational squared = problem.reach() * problem.reach() * squared_norm(problem.direction());
  const bool reaches = std::ranges::all_of(problem.others(), [&](std::size_t i) {
    const Rational t = along(problem, i);
    return t >= 0 && t * t >= squared;
  });
  return reaches ? std::string_view{} : "u . x_i >= c ||u|| for every i outside";
}

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  return {from<S>(problem.reach()) * mass_outside<S>(problem), lost_length<S>(problem)};
};

constexpr auto kTwice = []<class S>(const CaseContext& problem) -> Sides<S> {
  return {from<S>(2 * problem.reach()) * mass_outside<S>(problem), lost_length<S>(problem)};
};

constexpr auto kWithoutMass = []<class S>(const CaseContext& problem) -> Sides<S> {
  return {from<S>(problem.reach()), lost_length<S>(problem)};
};

/// Known where every embedding of some weight outside is c u/||u||.
bool is_on_direction(const CaseContext& problem) {
  const std::vector<bool> has_weight = known_support(problem);
  if (has_weight.empty()) return false;
  const Rational reached = problem.reach() * problem.reach();
  return std::ranges::all_of(problem.others(), [&](std::size_t i) {
    const Rational length = squared_norm(problem.embeddings()[i]);
    const Rational t = along(problem, i);
    // u . x = ||u|| ||x|| and ||x|| = c.
    return !has_weight[i] ||
           (length == reached && t * t == length * squared_norm(problem.direction()));
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
