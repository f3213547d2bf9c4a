#pragma once

#include <cstdint>
#include <string_view>

namespace attn {

/// The number of Unicode characters (code points) of a UTF-8 text.
///
/// Throws BadInput, naming `name` and the byte offset of the first bad sequence, where the text is
/// not UTF-8 (overlong forms, surrogates and values above U+10FFFF included).
std::int64_t count_characters(std::string_view text, std::string_view name);

}  // namespace attn
