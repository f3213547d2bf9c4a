#include "theory/attention/attained.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::distance_linear {

/// What D is compared with.
template <class S>
struct LinearTerms {
  S distance;         ///< D
  S length;           ///< ||s||
  S selected;         ///< N
  S off_line{};       ///< D - (L-N) ||s||
  S contributions{};  ///< sum_{i in O} a_i ||x_i||
};

constexpr auto kLinear = []<class S>(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    LinearTerms<S> t{.distance = distance_from<S>(context, a, x),
                     .length = selected_length<S>(context),
                     .selected = from_count<S>(context.selected().size())};
    const std::vector<W> s = selected_sum(context, a, x);
    visit_offsets(context, a, x, s, t.length, [&](const S& o) { t.off_line += o; });
    for (const std::size_t i : context.others()) {
      const S length = sqrt_nonnegative(from<S>(squared_norm(x[i])));
      t.contributions += from<S>(a[i]) * length;
    }
    return t;
  });
};

constexpr auto kSides = of(kLinear, [](const auto& t) {
  return Sides{abs(t.off_line), t.contributions};
});

/// distance.linear at the slope ||s|| of N in place of L-N tokens.
constexpr auto kSelectedSlope = of(kLinear, [](const auto& t) {
  return Sides{abs(t.distance - t.selected * t.length), t.contributions};
});

constexpr auto kNoSlope = of(kLinear, [](const auto& t) {
  return Sides{t.distance, t.contributions};
});

Claim claim() {
  return {
      .id = "distance.linear",
      .title = "The distance grows with the context, at the slope of the selected sum",
      .statement =
          "$|D - (L-N) ||s||| <= sum_{i not in I} a_i ||x_i||$ for weights $a_i >= 0$ of any sum, "
          "any vectors $x_i$ and $I$ any set of $N < L$ tokens, $s = sum_{i in I} a_i x_i$, $D = "
          "sum_{i not in I} ||a_i x_i - s||$",
      .paper = "Theorem 1 (1)",
      .argument =
          "With $y_i = a_i x_i$ the triangle inequality gives $-||y_i|| <= ||y_i - s|| - ||s|| <= "
          "||y_i||$; sum over the $L-N$ tokens outside. The right-hand side is at most $max "
          "||x_i||$ however many tokens there are, so nothing collapses as $L$ grows unless $s$ "
          "does. Attained where every $y_i$ outside points away from $s$, or is zero, and where "
          "each points as $s$ does and is no longer.",
      .kind = InputKind::set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_linear,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/4","3/4"],"embeddings":[["1"],["-1"]],"set":[0]})",
      .mutants = {scaled<kSides, 1, 2>("half", "the right-hand side halved"), strict(),
                  on_rows(
                      mutant<kSelectedSlope>("selected", "$N ||s||$ in place of $(L-N) ||s||$")),
                  on_rows(mutant<kNoSlope>("no_slope", "$(L-N) ||s||$ left out"))},
  };
}

}  // namespace attn::claims::distance_linear
