#pragma once

#include <optional>

#include "properties/generators/draw.hpp"
#include "theory/attention/case.hpp"

namespace attn::properties {

/// A neighbour of a case, for a hill climb: one number changed by a dyadic step, or set to a plain
/// value or to that of another entry; one vector set to another; a token dropped or doubled; N
/// changed by one. Empty where the move drawn does not apply. The neighbour may be invalid.
///
/// `depth`: a step is about 2^-depth of the number changed.
std::optional<Case> neighbour(const Case& input, Draw& draw, unsigned depth);

}  // namespace attn::properties
