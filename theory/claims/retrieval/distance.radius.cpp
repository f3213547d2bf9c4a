#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::distance_radius {
/// max_{i in O} | ||y_i - s|| - ||s|| |, y_i = a_i x_i.
template <class S>
S off_sphere(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    const std::vector<W> s =
        sum_about(context, a, context.selected(), std::vector<Rational>(x.front().size()));
    S largest(0.0);
    visit_offsets(context, a, x, s, enclosed_length<S>(s),
                  [&](const S& offset) { largest = max(largest, abs(offset)); });
    return largest;
  });
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {off_sphere<S>(context), largest_of(contributions_outside<S>(context))};
};

constexpr auto kLeast = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<S> lengths = contributions_outside<S>(context);
  S least = lengths.front();
  for (const S& length : lengths) least = min(least, length);
  return {off_sphere<S>(context), least};
};

constexpr auto kAboutOrigin = []<class S>(const CaseContext& context) -> Sides<S> {
  const S radius =
      with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
        const std::vector<W> s = selected_sum(context, a, x);
        S farthest(0.0);
        for (const std::size_t i : context.others()) {
          const W square = squared_distance(a[i], x[i], s);
          farthest = max(farthest, S(sqrt_nonnegative(from<S>(square))));
        }
        return farthest;
      });
  return {radius, largest_of(contributions_outside<S>(context))};
};

Claim claim() {
  return {
      .id = "distance.radius",
      .title = "The tokens outside lie near a sphere about the selected sum",
      .statement =
          "$max_{i not in I} |D_i - ||s||| <= max_{i not in I} a_i ||x_i||$, $D_i = ||a_i x_i - "
          "s||$, for weights $a_i >= 0$ of any sum, any vectors $x_i$ and $I$ any set of $N < L$ "
          "tokens, $s = sum_{i in I} a_i x_i$",
      .paper = "arXiv 2609.37879: Retrieval capacity, A.2",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "The triangle inequality gives $-||y_i|| <= ||y_i - s|| - ||s|| <= ||y_i||$ for $y_i = "
          "a_i x_i$. Attained where the longest $y_i$ points away from $s$, or as $s$ does and is "
          "no longer.",
      .kind = InputKind::chosen_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_radius,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/4","3/4"],"embeddings":[["1"],["-1"]],"set":[0]})",
      .mutants = {scaled<kSides, 1, 2>("half", "half the bound"), strict(),
                  on_rows(
                      mutant<kLeast>("least", "the least $a_i ||x_i||$ in place of the largest")),
                  on_rows(mutant<kAboutOrigin>("no_radius", "$||s||$ left out"))},
  };
}

}  // namespace attn::claims::distance_radius
