#pragma once

#include <string>

#include "theory/number/interval.hpp"

namespace attn {

// Numbers of a certificate as decimals of 50 significant digits: positional where that is short
// enough to read, scientific elsewhere.

/// Whether the interval is narrow enough for 46 of the digits to be certain.
bool is_known(const Interval& x);

/// About the middle of the interval.
std::string middle_of(const Interval& x);

/// The ends, rounded outwards.
std::string lower_of(const Interval& x);
std::string upper_of(const Interval& x);

}  // namespace attn
