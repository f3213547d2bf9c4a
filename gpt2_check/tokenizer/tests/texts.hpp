#pragma once

#include <rapidcheck.h>

#include <string>

namespace attn::test {

/// UTF-8 of a character.
inline std::string utf8(char32_t c) {
  const auto tail = [](char32_t bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), tail(c)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | (c >> 12)), tail(c >> 6), tail(c)};
  return {static_cast<char>(0xF0 | (c >> 18)), tail(c >> 12), tail(c >> 6), tail(c)};
}

/// Any character but the surrogates; those that the word pattern tells apart are frequent.
inline rc::Gen<std::string> any_character() {
  const auto in = [](char32_t first, char32_t last) {
    return rc::gen::map(rc::gen::inRange<std::uint32_t>(first, last + 1),
                        [](std::uint32_t c) { return utf8(c); });
  };
  return rc::gen::weightedOneOf<std::string>(
      {{6, in('a', 'e')},
       {4, rc::gen::elementOf(std::vector<std::string>{" ", "'", "\n", "\t", "s", "ll", "'re"})},
       {2, in(0, 0x7F)},
       {1, in(0x80, 0x7FF)},
       {1, in(0x800, 0xD7FF)},
       {1, in(0xE000, 0xFFFF)},
       {1, in(0x10000, 0x10FFFF)}});
}

inline rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(any_character()),
                      [](const std::vector<std::string>& characters) {
                        std::string text;
                        for (const std::string& character : characters) text += character;
                        return text;
                      });
}

}  // namespace attn::test
