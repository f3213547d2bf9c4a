#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// Exact numbers in one short text, with spaces between them: an integer m ("-3"), m 2^-e as
/// "mp-e" ("-14668639p-24"), as floats are, and any other number as to_string has it ("1/3").
std::string packed(const std::vector<Rational>& numbers);

/// The numbers of a text that `packed` writes. Throws BadInput for any other.
std::vector<Rational> unpacked(std::string_view text);

}  // namespace attn
