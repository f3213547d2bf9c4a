#include "theory/claims/define.hpp"

namespace attn::claims::retrieval_recovery {
/// What retrieval.recovery counts of a case with K useful tokens, of which the N of largest score
/// are kept.
struct Recovery {
  std::size_t missed{0};  ///< m, how many useful tokens are not kept
  /// Inv, how many pairs of a token that is not useful and a useful one of no larger score.
  std::size_t inversions{0};
  std::size_t spare;  ///< N - K

  explicit Recovery(const CaseContext& context)
      : spare(context.top_n() - context.named_set().size()) {
    const auto& scores = context.scores();
    std::vector<bool> is_useful(scores.size(), false);
    for (const std::size_t i : context.named_set()) is_useful[i] = true;
    for (std::size_t rank = context.top_n(); rank < scores.size(); ++rank) {
      missed += is_useful[context.score_order()[rank]] ? 1 : 0;
    }
    for (const std::size_t i : context.named_set()) {
      for (std::size_t j = 0; j < scores.size(); ++j) {
        inversions += !is_useful[j] && scores[j] >= scores[i] ? 1 : 0;
      }
    }
  }
};

/// (sqrt(spare^2 + 4 inversions) - spare)/2, as 2 inversions over the sum.
template <class S>
S most_missed(const Rational& spare, const Rational& inversions) {
  const Rational squared = spare * spare + 4 * inversions;
  if (const auto root = exact_root(squared)) return from<S>(Rational((*root - spare) / 2));
  return from<S>(Rational(2 * inversions)) / (sqrt_nonnegative(from<S>(squared)) + from<S>(spare));
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Recovery t(context);
  return {from_count<S>(t.missed), most_missed<S>(t.spare, t.inversions)};
};

constexpr auto kHalf = []<class S>(const CaseContext& context) -> Sides<S> {
  const Recovery t(context);
  return {from_count<S>(t.missed), most_missed<S>(t.spare, Rational(t.inversions) / 2)};
};

constexpr auto kTwiceTheSpare = []<class S>(const CaseContext& context) -> Sides<S> {
  const Recovery t(context);
  return {from_count<S>(t.missed), most_missed<S>(2 * t.spare + 1, t.inversions)};
};

/// m (N - K + m) = Inv, which is the bound solved for Inv.
bool is_met(const CaseContext& context) {
  const Recovery t(context);
  return t.missed * (t.spare + t.missed) == t.inversions;
}

Claim claim() {
  return {
      .id = "retrieval.recovery",
      .title = "How many useful tokens the largest scores miss: by pairs out of order",
      .statement =
          "$m <= (sqrt((N-K)^2 + 4 Inv) - (N-K))/2$ for any logits $l_i$ and $I$ any set of $K$ "
          "useful tokens, $m$ the number of those that are not among the $N >= K$ tokens of the "
          "largest logits (ties to the lower index), $Inv = #{(i, j) : i in I, j not in I, l_j >= "
          "l_i}$",
      .paper = "arXiv 2609.37879: Retrieval capacity, Proposition 1",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "Of the $N$ kept tokens $K - m$ are useful and $N - K + m$ are not, and each of these "
          "scores at least as much as each useful one that is missed: $m (N - K + m) <= Inv$; "
          "solve for $m$. Attained where no other pair is out of order.",
      .kind = InputKind::useful_tokens,
      .evaluators = sides<kSides>,
      .attained = &is_met,
      .unmet =
          [](const CaseContext& context) {
            return context.named_set().size() <= context.top_n() ? std::string_view{} : "N >= K";
          },
      .example = R"({"logits":["4","0","3"],"set":[2],"N":1})",
      .mutants = {strict(), on_rows(mutant<kHalf>("half", "half of $Inv$")),
                  on_rows(mutant<kTwiceTheSpare>("spare", "$2(N-K) + 1$ in place of $N - K$"))},
  };
}

}  // namespace attn::claims::retrieval_recovery
