#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "properties/generators/family.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/normalizer.hpp"

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
  CaseFeatures(const Case& input) : problem_(input) {}  // NOLINT: a case is a profile of itself

  [[nodiscard]] const Case& input() const { return problem_.input(); }

  /// The case for who decides claims on it: both need the order of its scores.
  [[nodiscard]] const CaseContext& problem() const { return problem_; }

  /// Empty where the case has neither logits nor weights.
  [[nodiscard]] const std::optional<Gaps>& gaps() const;

  /// N, however the tokens are selected; 0 where none are.
  [[nodiscard]] std::size_t selected() const {
    return input().set.empty() ? input().top_n : input().set.size();
  }

  /// The embeddings, or else the keys; empty where there are neither. [L][d], or one row
  [[nodiscard]] const Case::Vectors& vectors() const {
    return input().embeddings.empty() ? input().keys : input().embeddings;
  }

 private:
  CaseContext problem_;
  mutable bool compared_{false};
  mutable std::optional<Gaps> gaps_;
};

// Scores.
bool has_near_tie(const CaseFeatures&);  ///< two scores differ by at most 2^-20, but differ
/// two scores are equal
inline constexpr auto has_exact_tie = [](const CaseFeatures& c) {
  return c.gaps() && c.gaps()->tied;
};
bool has_dominant_token(
    const CaseFeatures&);  ///< logits: 10 above the next; weights: at least 9/10
/// all scores equal
inline constexpr auto is_flat = [](const CaseFeatures& c) {
  return c.gaps() && c.gaps()->widest == 0;
};
bool has_huge_gap(const CaseFeatures&);   ///< logits: at least 100 apart; weights: ratio >= 2^40
bool logits_cancel(const CaseFeatures&);  ///< the logits add up to zero
bool is_two_level(const CaseFeatures&);   ///< one logit above all others, which are equal
bool is_one_at_an_end(
    const CaseFeatures&);  ///< one logit at an end of [-a, a], all others at the other
bool is_near_zero(const CaseFeatures&);  ///< all logits over T are below 2^-10 in size
/// some weight given is 0
inline constexpr auto has_zero_weight = [](const CaseFeatures& c) {
  return c.input().logits.empty() && c.gaps() && c.gaps()->bottom == 0;
};

// Vectors.
bool vectors_cancel(const CaseFeatures&);         ///< they add up to the zero vector
bool has_equal_vectors(const CaseFeatures&);      ///< all are the same vector
bool has_collinear_vectors(const CaseFeatures&);  ///< all are multiples of one vector
/// d = 1
inline constexpr auto has_one_coordinate = [](const CaseFeatures& c) {
  return !c.vectors().empty() && c.vectors().front().size() == 1;
};
/// d = 64
inline constexpr auto has_64_coordinates = [](const CaseFeatures& c) {
  return !c.vectors().empty() && c.vectors().front().size() == 64;
};
bool has_empty_sink(const CaseFeatures&);  ///< the first is zero, all others are the same vector
bool has_equal_sums(
    const CaseFeatures&);  ///< all coordinates of the query plus the only key are equal
bool has_dominant_sum(const CaseFeatures&);  ///< the largest of them is 10 above the next
bool has_aligned_query(
    const CaseFeatures&);  ///< the query and all keys are multiples of one vector

// Counts.
/// N = 1
inline constexpr auto selects_one = [](const CaseFeatures& c) { return c.selected() == 1; };
/// N = L - 1
inline constexpr auto selects_all_but_one = [](const CaseFeatures& c) {
  return c.selected() + 1 == tokens_of(c.input());
};
/// N > 16
inline constexpr auto selects_more_than_16 = [](const CaseFeatures& c) {
  return c.selected() > 16;
};
/// L = 2
inline constexpr auto has_two_tokens = [](const CaseFeatures& c) {
  return tokens_of(c.input()) == 2;
};
/// L = 64
inline constexpr auto has_64_tokens = [](const CaseFeatures& c) {
  return tokens_of(c.input()) == 64;
};
/// L = 10^6
inline constexpr auto has_a_million_tokens = [](const CaseFeatures& c) {
  return tokens_of(c.input()) == kMillion;
};
/// L >= 1000
inline constexpr auto is_long = [](const CaseFeatures& c) { return tokens_of(c.input()) >= kLong; };
/// L >= 1000 N
inline constexpr auto is_long_beside_n = [](const CaseFeatures& c) {
  return tokens_of(c.input()) >= kLong * c.selected();
};
/// L < 1000
inline constexpr auto is_short = [](const CaseFeatures& c) { return !is_long(c); };

// Temperature.
bool is_cold(const CaseFeatures&);  ///< T <= 2^-10
/// T >= 2^10
inline constexpr auto is_hot = [](const CaseFeatures& c) { return c.input().temperature >= 1024; };

// Normaliser.
template <Normalizer normalizer>
bool uses(const CaseFeatures& c) {
  return !c.input().logits.empty() && normalizer_of(c.input()) == normalizer;
}
template <bool NormalizerTraits::*fits>
bool is_outside(const CaseFeatures& c) {
  return !c.input().logits.empty() && !(traits(normalizer_of(c.input())).*fits);
}
/// the normaliser is none that Lemma 1, Lemma 2 or Theorem 1 speaks of
inline constexpr auto is_outside_lemma1 = is_outside<&NormalizerTraits::of_any_length>;
inline constexpr auto is_outside_lemma2 = is_outside<&NormalizerTraits::smooth_positive>;
inline constexpr auto is_outside_theorem1 = is_outside<&NormalizerTraits::probability>;

// Parameters.
bool bound_is_attained(const CaseFeatures&);  ///< |l_i| = a for some token
/// a is left to be max |l_i|
inline constexpr auto bound_is_absent = [](const CaseFeatures& c) { return !c.input().bound; };
bool is_short_step(const CaseFeatures&);     ///< epsilon <= 2^-10 T
bool is_long_step(const CaseFeatures&);      ///< epsilon >= T
bool moves_two_tokens(const CaseFeatures&);  ///< the direction raises one logit and lowers another
inline constexpr auto is_odd_degree = [](const CaseFeatures& c) {
  return c.input().degree % 2 == 1;
};
inline constexpr auto is_even_degree = [](const CaseFeatures& c) {
  return c.input().degree > 0 && c.input().degree % 2 == 0;
};

// Plans.
bool is_flat_plan(const CaseFeatures&);           ///< all entries equal
bool is_nearly_permutation(const CaseFeatures&);  ///< each row has an entry of at least 9/10

// Expectations.
/// the sphere has d = 1
inline constexpr auto is_on_line = [](const CaseFeatures& c) { return c.input().dimension == 1; };
/// the sphere has d = 3
inline constexpr auto is_in_space = [](const CaseFeatures& c) { return c.input().dimension == 3; };
/// the sphere has neither d = 1 nor d = 3
inline constexpr auto is_in_other_dimensions = [](const CaseFeatures& c) {
  return c.input().dimension > 0 && !is_on_line(c) && !is_in_space(c);
};
bool has_sets_to_sample(const CaseFeatures&);  ///< more sets of N tokens than are enumerated

}  // namespace attn::properties
