#include "theory/claims/random_sets.hpp"

#include "theory/mutants/mutant.hpp"

namespace attn {

namespace {

struct LowerOfAll {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {random_lower_bound(t) / t.share, t.expected};
  }
};

struct LowerWithoutOthers {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {t.share * t.contributions, t.expected};
  }
};

struct UpperWithoutVariance {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {t.expected, random_lower_bound(t)};
  }
};

/// N/L in place of p.
template <class S>
S selected_share(const RandomSetTerms<S>& t) {
  return S(1.0) - t.share;
}

struct UpperOfSelected {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    auto t = random_set_terms<S>(problem);
    t.share = selected_share(t);
    return {t.expected, random_upper_bound(t)};
  }
};

struct SharpOfSelected {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    auto t = random_set_terms<S>(problem);
    t.share = selected_share(t);
    return {t.expected, random_sharp_bound(t)};
  }
};

struct OneOutside {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {t.expected, t.longest};
  }
};

struct ShortestEmbedding {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    const auto x = detail::embeddings_of<S>(problem);
    S least = detail::squared_norm(x.front());
    for (const auto& row : x) least = min(least, detail::squared_norm(row));
    const std::size_t outside = problem.tokens() - problem.top_n();
    return {t.expected, from_count<S>(outside) * sqrt_nonnegative(least)};
  }
};

struct GapWithoutN {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    const S sum = t.share * t.contributions;
    return {abs(S(t.expected - sum)), sum};
  }
};

struct GapToAll {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {abs(S(t.expected - t.contributions)),
            from_count<S>(problem.top_n()) * t.share * t.contributions};
  }
};

constexpr std::string_view kNoVariance = "$V_i$ left out";
constexpr std::string_view kSelected = "$N/L$ in place of $p = (L-N)/L$";

constexpr Mutant kMutants[] = {
    mutant<LowerOfAll>("theorem1.random.lower/no_share", "the factor $p$ left out"),
    mutant<LowerWithoutOthers>("theorem1.random.lower/no_others", "$y_i$ in place of $m_i$"),
    mutant<UpperWithoutVariance>("theorem1.random.upper/no_variance", kNoVariance),
    mutant<UpperOfSelected>("theorem1.random.upper/selected_share", kSelected),
    mutant<UpperWithoutVariance>("theorem1.random.sharp/no_variance", kNoVariance),
    mutant<SharpOfSelected>("theorem1.random.sharp/selected_share", kSelected),
    mutant<OneOutside>("corollary2.full_set/one_outside", "$L - N$ taken as 1"),
    mutant<ShortestEmbedding>("corollary2.full_set/shortest", "$min ||x_i||$ in place of the max"),
    mutant<GapWithoutN>("corollary2.long_context.repaired/no_n", "the factor $N$ left out"),
    mutant<GapToAll>("corollary2.long_context.repaired/no_share",
                     "$p$ left out before the sum that $E$ is compared with"),
};

}  // namespace

std::span<const Mutant> random_set_mutants() {
  return kMutants;
}

}  // namespace attn
