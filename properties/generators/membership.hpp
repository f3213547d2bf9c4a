#pragma once

#include "theory/case.hpp"

/// Exact membership of the input families. Scores are the logits over T, or the weights.
namespace attn::properties {

bool is_any(const Case&);
bool has_near_tie(const Case&);              ///< two scores differ by at most 2^-20, but differ
bool has_exact_tie(const Case&);             ///< two scores are equal
bool has_dominant_token(const Case&);        ///< logits: 10 above the next; weights: at least 9/10
bool is_flat(const Case&);                   ///< all scores equal
bool has_huge_gap(const Case&);              ///< logits: at least 100 apart; weights: ratio >= 2^40
bool logits_cancel(const Case&);             ///< the logits add up to zero
bool embeddings_cancel(const Case&);         ///< the embeddings add up to the zero vector
bool has_equal_embeddings(const Case&);      ///< all embeddings are the same vector
bool has_collinear_embeddings(const Case&);  ///< all embeddings are multiples of one vector
bool selects_one(const Case&);               ///< N = 1
bool selects_all_but_one(const Case&);       ///< N = L - 1
bool has_two_tokens(const Case&);            ///< L = 2
bool is_cold(const Case&);                   ///< T <= 2^-10
bool is_hot(const Case&);                    ///< T >= 2^10

}  // namespace attn::properties
