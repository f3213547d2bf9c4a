#pragma once

#include <string_view>
#include <vector>

namespace attn {

/// Splits a UTF-8 text into GPT-2's words, the units within which byte pairs are merged: the
/// matches of 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ in order.
/// They cover the text: put together they give it back. Throws BadInput where the text is not
/// UTF-8.
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace attn
