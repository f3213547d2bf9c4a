#pragma once

#include <cstddef>
#include <string_view>

namespace attn {

/// The symbol that the statements have for a field of a case; the field's name where they have
/// none.
std::string_view symbol_of(std::string_view field);

/// The place of a field where a case is written out in one line.
std::size_t rank_of(std::string_view field);

}  // namespace attn
