#pragma once

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"
#include "theory/attention/case.hpp"

/// How the cases of each kind are drawn. `output` has its kind, and the normaliser of a kind that
/// leaves it to the claim, and nothing else; `size` is RapidCheck's: 0 .. 100.
namespace attn::properties {

using DrawCase = void(Draw& draw, const Family& family, int size, Case& output);

/// A case of a kind, as `draw_it` draws it.
Case drawn_case(DrawCase* draw_it, const InputKind& kind, const Family& family,
                const rc::Random& random, int size);

// Logits.
DrawCase draw_normalized_row;
DrawCase draw_logit_row;  ///< with nothing else
DrawCase draw_two_temperatures;
DrawCase draw_longer_row;  ///< what is appended is alike, or as the row is
DrawCase draw_bounded_row;
DrawCase draw_pooling_row;
DrawCase draw_polynomial_row;
DrawCase draw_direction;
DrawCase draw_two_steps;  ///< epsilon < epsilon'
DrawCase draw_step;
DrawCase draw_step_norm;  ///< moves the largest weight's logit alone, two, or all
DrawCase draw_step_within;

// Vectors.
DrawCase draw_query_keys;
DrawCase draw_query_key;  ///< the family's scores are the sums q_k + k_k
DrawCase draw_self_attention;
DrawCase draw_weighted_embeddings;
DrawCase draw_pooling_embeddings;
DrawCase draw_sink;  ///< u . x_0 >= 0, and u . x_i >= c ||u|| of the others
DrawCase draw_top_n;
DrawCase draw_set;
DrawCase draw_chosen_weights;  ///< the N largest, or a set
DrawCase draw_chosen_embeddings;
DrawCase draw_chosen_along;  ///< u . x_i >= c ||u|| of those that are not selected
DrawCase draw_step_embeddings;
/// N is such that the sets of N tokens are few enough to be enumerated, unless their vectors are
/// very wide, or, in the family `sampled`, that they are not.
DrawCase draw_random_set;

// What is counted and not listed, up to 10^6 tokens; Theorem 2, with r up to R; and Sinkhorn.
DrawCase draw_equal_tokens;
DrawCase draw_two_levels;
DrawCase draw_lone_logits;  ///< L < longer, and now and then L = longer
DrawCase draw_sphere;
DrawCase draw_plan;

DrawCase draw_useful_tokens;  ///< N >= K, and now and then N < K
DrawCase draw_competitors;

}  // namespace attn::properties
