#include "theory/attention/dispersion.hpp"
#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::mass_fano {
std::string_view some_zero(const CaseContext& context) {
  if (const auto broken = breaks_theorem1(context); !broken.empty()) return broken;
  const std::vector<bool> has_weight = known_support(context);
  const bool all = std::ranges::all_of(has_weight, [](bool has) { return has; });
  return all && !has_weight.empty() ? std::string_view{} : "a_i > 0";
}

template <class S>
struct EntropyTerms {
  S entropy{0.0};  ///< H(a)
  S inside{0.0};   ///< A
  S outside{0.0};  ///< 1 - A
};

template <class S>
EntropyTerms<S> entropy_terms(const CaseContext& context) {
  const std::vector<S> a = attention_weights<S>(context);
  EntropyTerms<S> t;
  for (const std::size_t j : context.selected()) t.inside += a[j];
  for (const std::size_t i : context.others()) t.outside += a[i];
  S others(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i == context.largest()) continue;
    others += a[i];
    t.entropy -= a[i] * log_positive(a[i]);
  }
  t.entropy += surprise(a[context.largest()], others);
  return t;
}

/// h(A).
template <class S>
S split_entropy(const EntropyTerms<S>& t) {
  return surprise(t.inside, t.outside) + surprise(t.outside, t.inside);
}

template <class S>
S bound(const CaseContext& context, const EntropyTerms<S>& t) {
  return fano_bound(t.inside, t.outside, context.selected().size(), context.others().size());
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = entropy_terms<S>(context);
  return {t.entropy, bound(context, t)};
};

constexpr auto kWithoutSplit = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = entropy_terms<S>(context);
  return {t.entropy, bound(context, t) - split_entropy(t)};
};

constexpr auto kSplitAlone = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = entropy_terms<S>(context);
  return {t.entropy, split_entropy(t)};
};

bool has_two_levels(const CaseContext& context) {
  const auto& scores = context.scores();
  const auto are_tied = [&](const std::vector<std::size_t>& tokens) {
    return std::ranges::all_of(tokens,
                               [&](std::size_t i) { return scores[i] == scores[tokens.front()]; });
  };
  return are_tied(context.selected()) && are_tied(context.others());
}

Claim claim() {
  return {
      .id = "mass.fano",
      .title = "How much entropy weights can have of which a set holds a share",
      .statement =
          "$H(a) <= h(A) + A log N + (1-A) log(L-N)$, $H(a) = -sum_i a_i log a_i$, $A = sum_{i in "
          "I} a_i$, $h(A) = -A log A - (1-A) log(1-A)$, for weights $a_i > 0$ of sum 1 and $I$ any "
          "set of $N < L$ tokens",
      .paper = "arXiv 2609.37879: Retrieval capacity, its question",
      .argument =
          "The chain rule: $H(a) = h(A) + A H(a_I/A) + (1-A) H(a_O/(1-A))$, $a_I$ and $a_O$ the "
          "weights inside and outside, and no entropy of $n$ shares is above $log n$. Attained "
          "where the weights of $I$ are equal, and so are the others.",
      .kind = InputKind::chosen_weights,
      .evaluators = sides<kSides>,
      .attained = &has_two_levels,
      .unmet = &some_zero,
      .example = R"({"weights":["1/2","1/4","1/4"],"N":1})",
      .mutants = {scaled<kSides, 3, 4>("scaled", "three quarters of the bound"), strict(),
                  on_rows(mutant<kWithoutSplit>("no_split", "$h(A)$ left out")),
                  on_rows(mutant<kSplitAlone>("split", "$h(A)$ alone"))},
  };
}

}  // namespace attn::claims::mass_fano
