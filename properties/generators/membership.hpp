#pragma once

#include "properties/generators/case_features.hpp"

/// Exact membership of the input families and classes. Scores are the logits over T, or the
/// weights; vectors are the embeddings, or the keys.
namespace attn::properties {

bool is_any(const CaseFeatures&);

// Scores.
bool has_near_tie(const CaseFeatures&);   ///< two scores differ by at most 2^-20, but differ
bool has_exact_tie(const CaseFeatures&);  ///< two scores are equal
bool has_dominant_token(
    const CaseFeatures&);                 ///< logits: 10 above the next; weights: at least 9/10
bool is_flat(const CaseFeatures&);        ///< all scores equal
bool has_huge_gap(const CaseFeatures&);   ///< logits: at least 100 apart; weights: ratio >= 2^40
bool logits_cancel(const CaseFeatures&);  ///< the logits add up to zero
bool is_two_level(const CaseFeatures&);   ///< one logit above all others, which are equal
bool is_one_at_an_end(
    const CaseFeatures&);  ///< one logit at an end of [-a, a], all others at the other
bool is_near_zero(const CaseFeatures&);     ///< all logits over T are below 2^-10 in size
bool has_zero_weight(const CaseFeatures&);  ///< some weight given is 0

// Vectors.
bool vectors_cancel(const CaseFeatures&);         ///< they add up to the zero vector
bool has_equal_vectors(const CaseFeatures&);      ///< all are the same vector
bool has_collinear_vectors(const CaseFeatures&);  ///< all are multiples of one vector
bool has_one_coordinate(const CaseFeatures&);     ///< d = 1
bool has_64_coordinates(const CaseFeatures&);     ///< d = 64
bool has_empty_sink(const CaseFeatures&);  ///< the first is zero, all others are the same vector
bool has_equal_sums(
    const CaseFeatures&);  ///< all coordinates of the query plus the only key are equal
bool has_dominant_sum(const CaseFeatures&);  ///< the largest of them is 10 above the next
bool has_aligned_query(
    const CaseFeatures&);  ///< the query and all keys are multiples of one vector

// Counts.
bool selects_one(const CaseFeatures&);           ///< N = 1
bool selects_all_but_one(const CaseFeatures&);   ///< N = L - 1
bool selects_more_than_16(const CaseFeatures&);  ///< N > 16
bool has_two_tokens(const CaseFeatures&);        ///< L = 2
bool has_64_tokens(const CaseFeatures&);         ///< L = 64
bool has_a_million_tokens(const CaseFeatures&);  ///< L = 10^6
bool is_long(const CaseFeatures&);               ///< L >= 1000
bool is_long_beside_n(const CaseFeatures&);      ///< L >= 1000 N
bool is_short(const CaseFeatures&);              ///< L < 1000

// Temperature.
bool is_cold(const CaseFeatures&);  ///< T <= 2^-10
bool is_hot(const CaseFeatures&);   ///< T >= 2^10

// Normaliser.
template <Normalizer normalizer>
bool uses(const CaseFeatures& profile) {
  return !profile.logits().empty() &&
         value_of<case_field::normalizer>(profile.input()) == normalizer;
}
bool is_outside_lemma1(const CaseFeatures&);    ///< the normaliser is none that Lemma 1 speaks of
bool is_outside_lemma2(const CaseFeatures&);    ///< none that Lemma 2 speaks of
bool is_outside_theorem1(const CaseFeatures&);  ///< none that Theorem 1 speaks of

// Parameters.
bool bound_is_attained(const CaseFeatures&);  ///< |l_i| = a for some token
bool bound_is_absent(const CaseFeatures&);    ///< a is left to be max |l_i|
bool is_short_step(const CaseFeatures&);      ///< epsilon <= 2^-10 T
bool is_long_step(const CaseFeatures&);       ///< epsilon >= T
bool moves_two_tokens(const CaseFeatures&);   ///< the direction raises one logit and lowers another
bool is_odd_degree(const CaseFeatures&);
bool is_even_degree(const CaseFeatures&);

// Plans.
bool is_flat_plan(const CaseFeatures&);           ///< all entries equal
bool is_nearly_permutation(const CaseFeatures&);  ///< each row has an entry of at least 9/10

// Expectations.
bool is_on_line(const CaseFeatures&);              ///< the sphere has d = 1
bool is_in_space(const CaseFeatures&);             ///< the sphere has d = 3
bool is_in_other_dimensions(const CaseFeatures&);  ///< the sphere has neither d = 1 nor d = 3
bool has_sets_to_sample(const CaseFeatures&);      ///< more sets of N tokens than are enumerated

}  // namespace attn::properties
