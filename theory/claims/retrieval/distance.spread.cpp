#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::distance_spread {
std::string_view one_outside(const CaseContext& context) {
  if (const auto lack = lacks_weights(context); !lack.empty()) return lack;
  return few_outside(context.others().size());
}

/// sum_{i < k in O} ||y_i - y_k||, y_i = a_i x_i.
template <class S>
S pair_distances(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    std::vector<std::vector<W>> y;
    for (const std::size_t i : context.others()) {
      for (auto& contribution = y.emplace_back(); const W& coordinate : x[i]) {
        contribution.push_back(a[i] * coordinate);
      }
    }
    S sum(0.0);
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        sum += sqrt_nonnegative(from<S>(squared_distance(y[i], y[k])));
      }
    }
    return sum;
  });
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {pair_distances<S>(context) / from_count<S>(context.others().size() - 1),
          distance<S>(context)};
};

constexpr auto kSum = []<class S>(const CaseContext& context) -> Sides<S> {
  return {pair_distances<S>(context), distance<S>(context)};
};

Claim claim() {
  return {
      .id = "distance.spread",
      .title = "The distance is at least what the tokens outside are apart",
      .statement =
          "$(1/(L-N-1)) sum_{i not in I} sum_{k < i, k not in I} ||a_i x_i - a_k x_k|| <= D$ for "
          "weights $a_i >= 0$ of any sum, any vectors $x_i$ and $I$ any set of $N <= L - 2$ "
          "tokens, $s = sum_{i in I} a_i x_i$, $D = sum_{i not in I} ||a_i x_i - s||$",
      .paper = "arXiv 2609.37879: Retrieval capacity, A.2",
      .argument =
          "With $y_i = a_i x_i$ and $D_i = ||y_i - s||$ the triangle inequality gives $||y_i - "
          "y_k|| <= D_i + D_k$. Of the sum over all pairs outside each $D_i$ gets $L - N - 1$. "
          "Attained where $s$ lies between two $y_i$ and all others are at $s$.",
      .kind = InputKind::chosen_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_spread,
      .unmet = &one_outside,
      .example = R"({"weights":["1/3","1/3","1/3"],"embeddings":[["1"],["0"],["3"]],"set":[0]})",
      .mutants = {scaled<kSides, 3, 4>("scaled", "three quarters of the bound"), strict(),
                  on_rows(mutant<kSum>("sum", "$1/(L-N-1)$ left out")),
                  on_rows(per_token<kSides>())},
  };
}

}  // namespace attn::claims::distance_spread
