#pragma once

#include <array>
#include <string>

namespace attn {

/// GPT-2's printable stand-in for each byte, as UTF-8: the byte's own Latin-1 character where that
/// prints (0x21-0x7E, 0xA1-0xAC, 0xAE-0xFF), else the characters from U+0100 on, in byte order. A
/// space is U+0120. Vocabulary entries and merges are written in these characters.
const std::array<std::string, 256>& byte_symbols();

/// The bytes in the order of their characters: the printing ones, then the others. GPT-2 numbers
/// its first 256 tokens so.
const std::array<unsigned char, 256>& bytes_by_symbol();

}  // namespace attn
