#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpt2_check/cli/input.hpp"
#include "gpt2_check/rows/run.hpp"

/// The values of flags. Every function throws BadInput that says what is expected and what was
/// found.
namespace attn::gpt2::arguments {

/// Integers from `lowest` on with commas between them; at least one.
std::vector<std::int64_t> integers(const std::string& value, std::int64_t lowest);

/// Positive finite numbers with commas between them; at least one.
std::vector<double> positive_numbers(const std::string& value);

/// `all`, `last` or `stride:k` with k >= 1.
RowSelection rows(const std::string& value);

/// `all`, which is kAllWindows, or K >= 1.
std::uint64_t windows(const std::string& value);

/// Refuses lengths that no row of an input of this shape has, and an N that does not leave out at
/// least one token of every length (of the longest row, where no length is given).
void check_selection(const std::vector<std::int64_t>& lengths,
                     const std::vector<std::int64_t>& top_n, const ActivationShape& shape);

}  // namespace attn::gpt2::arguments
