#include "theory/claims/dispersion.hpp"

#include "theory/mutants/mutant.hpp"

namespace attn {

namespace {

/// The terms of Lemma 1 with F taken over half of [-a, a].
template <class S>
DispersionTerms<S> half_bound_terms(const Problem& problem) {
  const Rational half = logit_bound(problem) / 2;
  auto t = dispersion_terms<S>(problem);
  t.least = least_value<S>(problem, half);
  t.most = normalize_one<S>(problem, half, common_shift(problem)).first;
  return t;
}

struct HalfBoundLower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = half_bound_terms<S>(problem);
    return {lemma1_lower_bound(t), t.least_weight};
  }
};

struct HalfBoundUpper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = half_bound_terms<S>(problem);
    return {t.largest_weight, lemma1_upper_bound(t)};
  }
};

struct OneOverLBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = dispersion_terms<S>(problem);
    return {S(1.0) / t.count, t.least_weight};
  }
};

struct OneOverLAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = dispersion_terms<S>(problem);
    return {t.largest_weight, S(1.0) / t.count};
  }
};

struct OneOtherFewerBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    auto t = dispersion_terms<S>(problem);
    t.count = t.count - S(1.0);
    return {lemma1_lower_sharp_bound(t), t.least_weight};
  }
};

struct OneOtherMoreAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    auto t = dispersion_terms<S>(problem);
    t.count = t.count + S(1.0);
    return {t.largest_weight, lemma1_upper_sharp_bound(t)};
  }
};

template <class S>
S half_delta(const Problem& problem) {
  return twice_delta<S>(problem) / S(2.0);
}

struct OneDeltaBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const auto a = attention_weights<S>(problem);
    return {exp(S(-half_delta<S>(problem))) / from_count<S>(a.size()), a[problem.order().back()]};
  }
};

struct OneDeltaAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const auto a = attention_weights<S>(problem);
    return {a[problem.order().front()], exp(half_delta<S>(problem)) / from_count<S>(a.size())};
  }
};

/// 2 ||q|| ||k_i|| / T of one token.
template <class S>
S twice_own_delta(const Problem& problem, std::size_t i) {
  const Rational squared = 4 * squared_length(problem.query()) * squared_length(problem.keys()[i]);
  return sqrt_nonnegative(from<S>(squared)) / from<S>(problem.temperature());
}

/// exp(-2 ||q|| ||k_i|| / T) / L <= a_i for the token of the least weight.
struct OwnKeyBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const auto a = attention_weights<S>(problem);
    const std::size_t i = problem.order().back();
    return {exp(S(-twice_own_delta<S>(problem, i))) / from_count<S>(a.size()), a[i]};
  }
};

/// a_i <= exp(2 ||q|| ||k_i|| / T) / L for the token of the largest weight.
struct OwnKeyAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const auto a = attention_weights<S>(problem);
    const std::size_t i = problem.order().front();
    return {a[i], exp(twice_own_delta<S>(problem, i)) / from_count<S>(a.size())};
  }
};

constexpr std::string_view kHalfBound = "F taken over [-a/2, a/2]";
constexpr std::string_view kNoSpread = "M in place of m";
constexpr std::string_view kOneDelta = "Delta in place of 2 Delta";
constexpr std::string_view kOwnKey = "||k_i|| of the token itself in place of the longest key";

constexpr Mutant kMutants[] = {
    mutant<HalfBoundLower>("lemma1.lower/half_bound", kHalfBound),
    on_rows(mutant<OneOverLBelow>("lemma1.lower/no_spread", kNoSpread)),
    mutant<HalfBoundUpper>("lemma1.upper/half_bound", kHalfBound),
    on_rows(mutant<OneOverLAbove>("lemma1.upper/no_spread", kNoSpread)),
    on_rows(mutant<OneOtherFewerBelow>("lemma1.lower.sharp/one_fewer", "L - 2 in place of L - 1")),
    strict("lemma1.lower.sharp/strict"),
    mutant<OneOtherMoreAbove>("lemma1.upper.sharp/one_more", "L in place of L - 1"),
    strict("lemma1.upper.sharp/strict"),
    mutant<OneDeltaBelow>("corollary1.lower/one_delta", kOneDelta),
    mutant<OwnKeyBelow>("corollary1.lower/own_key", kOwnKey),
    mutant<OneDeltaAbove>("corollary1.upper/one_delta", kOneDelta),
    mutant<OwnKeyAbove>("corollary1.upper/own_key", kOwnKey),
};

}  // namespace

std::span<const Mutant> dispersion_mutants() {
  return kMutants;
}

}  // namespace attn
