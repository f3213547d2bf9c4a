#pragma once

#include "gpt2_check/heads/set_pass.hpp"
#include "theory/number/error_double.hpp"

namespace attn::gpt2 {

/// What claim distance.radius leaves between its sides for the tokens O outside a set, max_{i in O}
/// a_i ||x_i|| - max_{i in O} | ||a_i x_i - s|| - ||s|| |, without the digits that the difference
/// loses where s is short; NaN where it is not certain which a_i ||x_i|| is the largest. `bounds`
/// is of the same pass.
ErrorDouble radius_margin(const SetPass& pass, const BoundedTokens& bounds);

/// A number that is above 0 only where two of a_i x_i - s, i outside a set, are not of one
/// direction, so that claim distance.net is strict.
ErrorDouble turn_outside(const SetPass& pass);

}  // namespace attn::gpt2
