#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gpt2_check/rows/run.hpp"

/// The values of flags. Every function throws BadInput that begins with the flag, says what is
/// expected and what was found.
namespace attn::gpt2::arguments {

/// Integers of [lowest, highest] with commas between them; at least one.
std::vector<std::int64_t> integers(const std::string& flag, const std::string& value,
                                   std::int64_t lowest,
                                   std::int64_t highest = std::numeric_limits<std::int64_t>::max());

/// Positive finite numbers with commas between them; at least one.
std::vector<double> positive_numbers(const std::string& flag, const std::string& value);

/// An integer in 0..2^64 - 1.
std::uint64_t seed(const std::string& flag, const std::string& value);

/// `all`, `last` or `stride:k` with k >= 1.
RowSelection rows(const std::string& flag, const std::string& value);

/// Refuses lengths that `positions` tokens do not have, and an N that does not leave out at least
/// one token of every length (of all tokens, where no length is given).
void check_selection(const std::vector<std::int64_t>& lengths,
                     const std::vector<std::int64_t>& top_n, std::int64_t positions);

}  // namespace attn::gpt2::arguments
