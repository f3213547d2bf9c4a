#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// GPT-2's printable stand-in for each byte, as UTF-8: the byte's own Latin-1 character where that
/// prints (0x21-0x7E, 0xA1-0xAC, 0xAE-0xFF), else the characters from U+0100 on, in byte order. A
/// space is U+0120. Vocabulary entries and merges are written in these characters.
const std::array<std::string, 256>& byte_symbols();

/// The number of Unicode characters (code points) of a UTF-8 text.
///
/// Throws BadInput, naming `name` and the byte offset of the first bad sequence, where the text is
/// not UTF-8 (overlong forms, surrogates and values above U+10FFFF included).
std::int64_t count_characters(std::string_view text, std::string_view name);

/// The version of ICU, and that of Unicode whose classes of characters it has: "72.1
/// (Unicode 15.0)".
std::string icu_version();

/// Says which characters of a UTF-8 text the ICU in use does not know, being older: a tokenizer
/// that knows them may split words there in another way. Empty where there is none. `name` is the
/// text's.
std::string newer_characters(std::string_view text, std::string_view name);

/// Splits a UTF-8 text into GPT-2's words, the units within which byte pairs are merged: the
/// matches of 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ in order.
/// They cover the text: put together they give it back. Throws BadInput where the text is not
/// UTF-8.
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace attn
