#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "properties/generators/family.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/attention/token_sets.hpp"
#include "theory/number/rationals.hpp"

/// Exact membership of the input families and classes. Scores are the logits over T, or the
/// weights; vectors are the embeddings, or the keys.
namespace attn::properties {

/// The scores of a case from the least to the largest, seen through the gaps between neighbours.
/// Scores are the logits over T, or the weights; the gaps here are of the logits or the weights
/// themselves, and `unit` is T or 1: a division for each score is spared.
struct Gaps {
  Rational unit{};
  bool tied{};                      ///< some gap is 0
  std::optional<Rational> least{};  ///< the least gap above 0; none where all scores are equal
  Rational widest{};                ///< largest score less the least
  Rational lead{};                  ///< largest score less the second
  Rational top{};                   ///< the largest score
  Rational bottom{};                ///< the least score
};

/// A case and what the input classes ask of it again and again, computed once, on first use.
/// Keeps a reference to the case. Not to be shared between threads.
class CaseFeatures {
 public:
  CaseFeatures(const Case& input) : context_(input) {}  // NOLINT: every case has its features

  [[nodiscard]] const Case& input() const { return context_.input(); }

  /// The case for who decides claims on it: both need the order of its scores.
  [[nodiscard]] const CaseContext& context() const { return context_; }

  /// Empty where the case has neither logits nor weights.
  [[nodiscard]] const std::optional<Gaps>& gaps() const;

  [[nodiscard]] bool has_logits() const { return !input().logits.empty(); }

  /// N, however the tokens are selected; 0 where none are.
  [[nodiscard]] std::size_t selected() const {
    return input().set.empty() ? input().top_n : input().set.size();
  }

  /// The embeddings, or else the keys; empty where there are neither. [L][d], or one row
  [[nodiscard]] const Case::Vectors& vectors() const {
    return input().embeddings.empty() ? input().keys : input().embeddings;
  }

 private:
  CaseContext context_;
  mutable bool compared_{false};
  mutable std::optional<Gaps> gaps_;
};

/// Whether all are multiples of `line`, or, where that is zero, of one of them.
bool are_collinear(const Case::Vectors& vectors, const std::vector<Rational>& line);

/// q_k + k_k of a query and one key, the largest first; empty for other kinds.
std::vector<Rational> falling_sums(const Case& input);

// Scores.
/// two scores differ by at most 2^-20, but differ
inline bool has_near_tie(const CaseFeatures& c) {
  const auto& gaps = c.gaps();
  return gaps && gaps->least && *gaps->least * (std::int64_t{1} << 20) <= gaps->unit;
}
/// two scores are equal
inline bool has_exact_tie(const CaseFeatures& c) {
  return c.gaps() && c.gaps()->tied;
}
/// logits: 10 above the next; weights: at least 9/10
inline bool has_dominant_token(const CaseFeatures& c) {
  const auto& gaps = c.gaps();
  if (!gaps) return false;
  return c.has_logits() ? gaps->lead >= 10 * gaps->unit : gaps->top >= Rational(9, 10);
}
/// all scores equal
inline bool is_flat(const CaseFeatures& c) {
  return c.gaps() && c.gaps()->widest == 0;
}
/// logits: at least 100 apart; weights: ratio >= 2^40
inline bool has_huge_gap(const CaseFeatures& c) {
  const auto& gaps = c.gaps();
  if (!gaps) return false;
  if (c.has_logits()) return gaps->widest >= 100 * gaps->unit;
  return gaps->top >= gaps->bottom * (std::int64_t{1} << 40);
}
/// the logits add up to zero
inline bool logits_cancel(const CaseFeatures& c) {
  const std::vector<Rational>& logits = c.input().logits;
  return !logits.empty() && std::accumulate(logits.begin(), logits.end(), Rational(0)) == 0;
}
/// one logit above all others, which are equal
inline bool is_two_level(const CaseFeatures& c) {
  const auto& gaps = c.gaps();
  return gaps && gaps->lead > 0 && gaps->lead == gaps->widest;
}
/// one logit at an end of [-a, a], all others at the other
inline bool is_one_at_an_end(const CaseFeatures& c) {
  const std::vector<Rational>& logits = c.input().logits;
  if (logits.empty()) return false;
  const auto& given = c.input().logit_bound;
  const Rational bound = given ? *given : largest_absolute(logits);
  std::size_t up = 0;
  for (const Rational& logit : logits) {
    if (abs(logit) != bound) return false;
    if (logit > 0) ++up;
  }
  return up == 1 || up + 1 == logits.size();
}
/// all logits over T are below 2^-10 in size
inline bool is_near_zero(const CaseFeatures& c) {
  const auto& gaps = c.gaps();
  if (!c.has_logits()) return false;
  const Rational size = std::max<Rational>(abs(gaps->top), abs(gaps->bottom));
  return size * 1024 < gaps->unit;
}
/// some weight given is 0
inline bool has_zero_weight(const CaseFeatures& c) {
  return !c.has_logits() && c.gaps() && c.gaps()->bottom == 0;
}

// Vectors.
/// the vectors add up to the zero vector
inline bool vectors_cancel(const CaseFeatures& c) {
  const auto& vectors = c.vectors();
  if (vectors.empty()) return false;
  for (std::size_t k = 0; k < vectors.front().size(); ++k) {
    Rational sum = 0;
    for (const auto& x : vectors) sum += x[k];
    if (sum != 0) return false;
  }
  return true;
}
/// all vectors are the same vector
inline bool has_equal_vectors(const CaseFeatures& c) {
  const auto& vectors = c.vectors();
  return !vectors.empty() && std::all_of(vectors.begin(), vectors.end(),
                                         [&](const auto& x) { return x == vectors.front(); });
}
/// all vectors are multiples of one vector
inline bool has_collinear_vectors(const CaseFeatures& c) {
  const auto& vectors = c.vectors();
  return !vectors.empty() && are_collinear(vectors, vectors.front());
}
template <std::size_t d>
bool has_coordinates(const CaseFeatures& c) {
  return !c.vectors().empty() && c.vectors().front().size() == d;
}
/// the first vector is zero, all others are the same vector
inline bool has_empty_sink(const CaseFeatures& c) {
  const auto& vectors = c.vectors();
  return !vectors.empty() && largest_absolute(vectors.front()) == 0 &&
         std::all_of(vectors.begin() + 1, vectors.end(),
                     [&](const auto& x) { return x == vectors.back(); });
}
/// all coordinates of the query plus the only key are equal
inline bool has_equal_sums(const CaseFeatures& c) {
  const std::vector<Rational> sums = falling_sums(c.input());
  return !sums.empty() && sums.front() == sums.back();
}
/// the largest sum of a coordinate of the query and the key is 10 above the next
inline bool has_dominant_sum(const CaseFeatures& c) {
  const std::vector<Rational> sums = falling_sums(c.input());
  return sums.size() > 1 && sums[0] >= sums[1] + 10;
}
/// the query and all keys are multiples of one vector
inline bool has_aligned_query(const CaseFeatures& c) {
  const Case& input = c.input();
  return input.keys.size() > 1 && are_collinear(input.keys, input.query);
}

// Counts.
/// N = 1
inline constexpr auto selects_one = [](const CaseFeatures& c) { return c.selected() == 1; };
/// N = L - 1
inline bool selects_all_but_one(const CaseFeatures& c) {
  return c.selected() + 1 == tokens_of(c.input());
}
/// N > 16
inline bool selects_more_than_16(const CaseFeatures& c) {
  return c.selected() > 16;
}
/// L
template <std::size_t count>
bool has_tokens(const CaseFeatures& c) {
  return tokens_of(c.input()) == count;
}
/// L >= 1000
inline constexpr auto is_long = [](const CaseFeatures& c) { return tokens_of(c.input()) >= kLong; };
/// L >= 1000 N
inline bool is_long_beside_n(const CaseFeatures& c) {
  return tokens_of(c.input()) >= kLong * c.selected();
}
/// L < 1000
inline constexpr auto is_short = [](const CaseFeatures& c) { return !is_long(c); };

// Temperature.
/// T <= 2^-10
inline bool is_cold(const CaseFeatures& c) {
  return c.input().temperature * 1024 <= 1;
}
/// T >= 2^10
inline constexpr auto is_hot = [](const CaseFeatures& c) { return c.input().temperature >= 1024; };

// Normaliser.
template <Normalizer normalizer>
bool uses(const CaseFeatures& c) {
  return c.has_logits() && normalizer_of(c.input()) == normalizer;
}
template <bool NormalizerTraits::*fits>
bool is_outside(const CaseFeatures& c) {
  return c.has_logits() && !(traits(normalizer_of(c.input())).*fits);
}
/// the normaliser is none that Lemma 1, Lemma 2 or Theorem 1 speaks of
inline constexpr auto is_outside_lemma1 = is_outside<&NormalizerTraits::of_any_length>;
inline constexpr auto is_outside_lemma2 = is_outside<&NormalizerTraits::smooth_positive>;
inline constexpr auto is_outside_theorem1 = is_outside<&NormalizerTraits::probability>;

// Parameters.
/// |l_i| = a for some token
inline bool bound_is_attained(const CaseFeatures& c) {
  const auto& bound = c.input().logit_bound;
  return bound && largest_absolute(c.input().logits) == *bound;
}
/// a is left to be max |l_i|
inline constexpr auto bound_is_absent = [](const CaseFeatures& c) {
  return !c.input().logit_bound;
};
/// epsilon <= 2^-10 T
inline bool is_short_step(const CaseFeatures& c) {
  const auto& epsilon = c.input().epsilon;
  return epsilon && *epsilon * 1024 <= c.input().temperature;
}
/// epsilon >= T
inline bool is_long_step(const CaseFeatures& c) {
  const auto& epsilon = c.input().epsilon;
  return epsilon && *epsilon >= c.input().temperature;
}
/// the direction raises one logit and lowers another
inline bool moves_two_tokens(const CaseFeatures& c) {
  std::size_t up = 0;
  std::size_t down = 0;
  Rational sum = 0;
  for (const Rational& v : c.input().direction) {
    if (v > 0) ++up;
    if (v < 0) ++down;
    sum += v;
  }
  return up == 1 && down == 1 && sum == 0;
}
inline bool is_odd_degree(const CaseFeatures& c) {
  return c.input().exponent % 2 == 1;
}
inline bool is_even_degree(const CaseFeatures& c) {
  return c.input().exponent > 0 && c.input().exponent % 2 == 0;
}

/// p of a norm
template <std::size_t exponent>
bool has_exponent(const CaseFeatures& c) {
  return c.input().exponent == exponent;
}
inline bool has_large_exponent(const CaseFeatures& c) {
  return c.input().exponent > 8;
}

// Longer rows.
/// longer >= 1000 L
inline bool is_far_longer(const CaseFeatures& c) {
  return c.input().longer >= 1000 * c.input().length;
}
/// longer = L
inline bool is_no_longer(const CaseFeatures& c) {
  return c.input().longer == c.input().length;
}
inline bool has_one_appended(const CaseFeatures& c) {
  return c.input().appended.size() == 1;
}
/// an appended logit is above all of l
inline bool is_overtaken(const CaseFeatures& c) {
  const auto& more = c.input().appended;
  return !more.empty() &&
         *std::ranges::max_element(more) > *std::ranges::max_element(c.input().logits);
}

// Plans.
/// all entries equal
inline bool is_flat_plan(const CaseFeatures& c) {
  const auto& plan = c.input().plan;
  return !plan.empty() && std::ranges::all_of(plan, [&](const auto& row) {
    return std::ranges::all_of(row, [&](const Rational& p) { return p == row.front(); });
  });
}
/// each row has an entry of at least 9/10
inline bool is_nearly_permutation(const CaseFeatures& c) {
  const auto& plan = c.input().plan;
  return !plan.empty() && std::ranges::all_of(plan, [](const auto& row) {
    return *std::ranges::max_element(row) >= Rational(9, 10);
  });
}

// Expectations.
/// the sphere has that d
template <std::size_t d>
bool is_on_sphere(const CaseFeatures& c) {
  return c.input().dimension == d;
}
/// the sphere has neither d = 1 nor d = 3
inline bool is_in_other_dimensions(const CaseFeatures& c) {
  return c.input().dimension > 0 && !is_on_sphere<1>(c) && !is_on_sphere<3>(c);
}
/// more sets of N tokens than are enumerated
inline bool has_sets_to_sample(const CaseFeatures& c) {
  return sets_of(tokens_of(c.input()), c.selected()) > kMostSets;
}

}  // namespace attn::properties
