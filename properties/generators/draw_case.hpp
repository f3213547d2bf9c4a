#pragma once

#include "properties/generators/draw.hpp"
#include "properties/generators/family.hpp"

namespace attn::properties {

/// Logits, with what goes with them: a normaliser, a bound, a direction or a step.
Case draw_logit_case(Draw& draw, const Given& given, const Family& family, int size);

/// A query and keys.
Case draw_query_case(Draw& draw, const Family& family, int size);

/// Scores, embeddings and N or a set.
Case draw_embedding_case(Draw& draw, const Given& given, const Family& family, int size);

/// The same for sets of N tokens drawn at random: N is such that they can be enumerated, or, in the
/// family `sampled`, that they can't.
Case draw_random_set_case(Draw& draw, const Given& given, const Family& family, int size);

/// Equal weights and equal embeddings of up to 10^6 tokens.
Case draw_flat_family_case(Draw& draw, const Family& family, int size);

/// Weights and the sphere of Theorem 2.
Case draw_sphere_case(Draw& draw, const Given& given, const Family& family, int size);

/// A doubly stochastic matrix.
Case draw_plan_case(Draw& draw, const Family& family, int size);

}  // namespace attn::properties
