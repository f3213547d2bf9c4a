#include "theory/attention/weights.hpp"
#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::mass_gap {

/// The tokens at the edge of the set, by the exact order of the weights.
struct Edges {
  std::size_t least_inside, largest_inside, largest_outside;

  explicit Edges(const CaseContext& context) {
    std::vector<std::size_t> rank(context.tokens());
    for (std::size_t k = 0; k < rank.size(); ++k) rank[context.order()[k]] = k;
    const auto by_rank = [&](std::size_t i) { return rank[i]; };
    least_inside = *std::ranges::max_element(context.selected(), {}, by_rank);
    largest_inside = *std::ranges::min_element(context.selected(), {}, by_rank);
    largest_outside = *std::ranges::min_element(context.others(), {}, by_rank);
  }
};

std::string_view no_edge(const CaseContext& context) {
  if (const auto broken = breaks_theorem1(context); !broken.empty()) return broken;
  const std::vector<bool> has_weight = known_support(context);
  const Edges edges(context);
  const bool none =
      !has_weight.empty() && !has_weight[edges.least_inside] && !has_weight[edges.largest_outside];
  return none ? "v + w > 0" : std::string_view{};
}

/// 1 - A against (L-N) w/((L-N) w + N v), `inside` in the place of the token of v.
template <class W>
Sides<W> against(const CaseContext& context, const std::vector<W>& a, std::size_t inside,
                 std::size_t outside) {
  const auto times = [](std::size_t count, const W& weight) {
    return W(W(static_cast<double>(count)) * weight);
  };
  const W beside = times(outside, a[Edges(context).largest_outside]);
  return {Masses<W>(a, own_parts(context)).outside,
          W(beside / W(beside + times(context.selected().size(), a[inside])))};
}

/// In rationals where the weights are. `inside`: the token in the place of that of v; `counted`:
/// whether L-N is a factor of w.
template <std::size_t Edges::*inside, bool counted>
constexpr auto kAgainst = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::size_t token = Edges(context).*inside;
  const std::size_t outside = counted ? context.others().size() : 1;
  if constexpr (!std::is_same_v<S, ErrorDouble>) {
    if (const auto a = rational_weights(context)) {
      const auto [lhs, rhs] = against(context, *a, token, outside);
      return {from<S>(lhs), from<S>(rhs)};
    }
  }
  return against(context, attention_weights<S>(context), token, outside);
};

constexpr auto kSides = kAgainst<&Edges::least_inside, true>;
constexpr auto kLargest = kAgainst<&Edges::largest_inside, true>;
constexpr auto kOneOutside = kAgainst<&Edges::least_inside, false>;

/// A = 0, w = 0, or the weights of I are equal and so are the others.
bool is_met(const CaseContext& context) {
  const auto rational = rational_weights(context);
  const std::vector<bool> has_weight = known_support(context);
  if (has_weight.empty()) return false;
  const auto weigh_nothing = [&](const std::vector<std::size_t>& tokens) {
    return std::ranges::none_of(tokens, [&](std::size_t i) { return has_weight[i]; });
  };
  const auto weigh_the_same = [&](std::size_t i, std::size_t j) {
    if (rational) return (*rational)[i] == (*rational)[j];
    if (!has_weight[i] || !has_weight[j]) return has_weight[i] == has_weight[j];
    return context.logits()[i] == context.logits()[j];
  };
  const auto are_tied = [&](const std::vector<std::size_t>& tokens) {
    return std::ranges::all_of(tokens,
                               [&](std::size_t i) { return weigh_the_same(i, tokens.front()); });
  };
  const auto& inside = context.selected();
  const auto& outside = context.others();
  return weigh_nothing(inside) || weigh_nothing(outside) || (are_tied(inside) && are_tied(outside));
}

Claim claim() {
  return {
      .id = "mass.gap",
      .title = "What a set leaves out, by the gap at its edge",
      .statement =
          "$1 - A <= (L-N) w/((L-N) w + N v)$, $A = sum_{i in I} a_i$, $v = min_{i in I} a_i$, $w "
          "= max_{i not in I} a_i$, $v + w > 0$, for weights $a_i >= 0$ of sum 1 and $I$ any set "
          "of $N < L$ tokens",
      .paper = "arXiv 2512.07647, its boundary gap",
      .argument =
          "$1 - A <= (L-N) w$ and $N v <= A$, so that $(1-A)((L-N) w + N v) <= (1-A)(L-N) w + "
          "(L-N) w A$. Attained where the weights of $I$ are equal and so are the others, as with "
          "two tokens. Of softmax $v/w = exp((min_{i in I} l_i - max_{i not in I} l_i)/T)$, where "
          "the gap may be below 0, of a set that is not the largest.",
      .kind = InputKind::chosen_weights,
      .evaluators = sides<kSides>,
      .attained = &is_met,
      .unmet = &no_edge,
      .example = R"({"weights":["1/3","1/3","1/6","1/6"],"N":2})",
      .mutants = {mutant<kLargest>("largest", "$max_{i in I} a_i$ in place of $v$"),
                  on_rows(mutant<kOneOutside>("one_outside", "$L - N$ left out")),
                  on_rows(exchanged<kSides>()), strict()},
  };
}

}  // namespace attn::claims::mass_gap
