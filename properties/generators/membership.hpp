#pragma once

#include "properties/generators/profile.hpp"

/// Exact membership of the input families and classes. Scores are the logits over T, or the
/// weights; vectors are the embeddings, or the keys.
namespace attn::properties {

bool is_any(const Profile&);

// Scores.
bool has_near_tie(const Profile&);        ///< two scores differ by at most 2^-20, but differ
bool has_exact_tie(const Profile&);       ///< two scores are equal
bool has_dominant_token(const Profile&);  ///< logits: 10 above the next; weights: at least 9/10
bool is_flat(const Profile&);             ///< all scores equal
bool has_huge_gap(const Profile&);        ///< logits: at least 100 apart; weights: ratio >= 2^40
bool logits_cancel(const Profile&);       ///< the logits add up to zero
bool is_two_level(const Profile&);        ///< one logit above all others, which are equal
bool is_one_at_an_end(const Profile&);  ///< one logit at an end of [-a, a], all others at the other
bool is_near_zero(const Profile&);      ///< all logits over T are below 2^-10 in size
bool has_zero_weight(const Profile&);   ///< some weight given is 0

// Vectors.
bool vectors_cancel(const Profile&);         ///< they add up to the zero vector
bool has_equal_vectors(const Profile&);      ///< all are the same vector
bool has_collinear_vectors(const Profile&);  ///< all are multiples of one vector
bool has_one_coordinate(const Profile&);     ///< d = 1
bool has_64_coordinates(const Profile&);     ///< d = 64
bool has_empty_sink(const Profile&);         ///< the first is zero, all others are the same vector
bool has_equal_sums(const Profile&);  ///< all coordinates of the query plus the only key are equal
bool has_dominant_sum(const Profile&);   ///< the largest of them is 10 above the next
bool has_aligned_query(const Profile&);  ///< the query and all keys are multiples of one vector

// Counts.
bool selects_one(const Profile&);           ///< N = 1
bool selects_all_but_one(const Profile&);   ///< N = L - 1
bool selects_more_than_16(const Profile&);  ///< N > 16
bool has_two_tokens(const Profile&);        ///< L = 2
bool has_64_tokens(const Profile&);         ///< L = 64
bool has_a_million_tokens(const Profile&);  ///< L = 10^6
bool is_long(const Profile&);               ///< L >= 1000
bool is_long_beside_n(const Profile&);      ///< L >= 1000 N
bool is_short(const Profile&);              ///< L < 1000

// Temperature.
bool is_cold(const Profile&);  ///< T <= 2^-10
bool is_hot(const Profile&);   ///< T >= 2^10

// Normaliser.
template <Normalizer normalizer>
bool uses(const Profile& profile) {
  return !profile.logits().empty() &&
         value_of<case_field::normalizer>(profile.input()) == normalizer;
}
bool is_outside_lemma1(const Profile&);    ///< the normaliser is none that Lemma 1 speaks of
bool is_outside_lemma2(const Profile&);    ///< none that Lemma 2 speaks of
bool is_outside_theorem1(const Profile&);  ///< none that Theorem 1 speaks of

// Parameters.
bool bound_is_attained(const Profile&);  ///< |l_i| = a for some token
bool bound_is_absent(const Profile&);    ///< a is left to be max |l_i|
bool is_short_step(const Profile&);      ///< epsilon <= 2^-10 T
bool is_long_step(const Profile&);       ///< epsilon >= T
bool moves_two_tokens(const Profile&);   ///< the direction raises one logit and lowers another
bool is_odd_degree(const Profile&);
bool is_even_degree(const Profile&);

// Plans.
bool is_flat_plan(const Profile&);           ///< all entries equal
bool is_nearly_permutation(const Profile&);  ///< each row has an entry of at least 9/10

// Expectations.
bool is_on_line(const Profile&);              ///< the sphere has d = 1
bool is_in_space(const Profile&);             ///< the sphere has d = 3
bool is_in_other_dimensions(const Profile&);  ///< the sphere has neither d = 1 nor d = 3
bool has_sets_to_sample(const Profile&);      ///< more sets of N tokens than are enumerated

}  // namespace attn::properties
