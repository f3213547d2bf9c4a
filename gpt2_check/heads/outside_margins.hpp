#pragma once

#include "gpt2_check/heads/set_pass.hpp"
#include "theory/number/error_double.hpp"

namespace attn::gpt2 {

/// What the claims on the tokens O outside a set have left where rounding hides the difference of
/// their sides. `width`: of the embeddings x_i; `s_length`: ||s||.

/// Of claim distance.radius, max_{i in O} a_i ||x_i|| - max_{i in O} | ||a_i x_i - s|| - ||s|| |,
/// without the digits that the difference loses where s is short; NaN where it is not certain which
/// a_i ||x_i|| is the largest. `bounds`: of the same pass.
ErrorDouble radius_margin(const SetPass& pass, const BoundedTokens& bounds,
                          const ErrorDouble& s_length, Eigen::Index width);

/// A number that is above 0 only where two of a_i x_i - s, i in O, are not of one direction, so
/// that claim distance.net is strict.
ErrorDouble turn_outside(const SetPass& pass, const ErrorDouble& s_length, Eigen::Index width);

}  // namespace attn::gpt2
