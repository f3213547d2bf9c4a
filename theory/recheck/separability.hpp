#pragma once

#include <string>

#include "theory/recheck/check.hpp"

namespace attn::recheck {

/// N_s/N of the case's set: the share of the selected y_i = a_i x_i that are no further from s than
/// every y_j outside.
Arb share_within_nearest(const Input& input);

/// More than 16 selected tokens, of weights of sum 1.
std::string many_selected(const Input& input);

}  // namespace attn::recheck
