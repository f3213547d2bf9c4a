#include "theory/base/one_line.hpp"

#include <fmt/format.h>

#include "theory/base/valid_utf8.hpp"

namespace attn {

std::string one_line(std::string_view message) {
  std::string line = valid_utf8(message);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kShown = 60;
  if (text.size() <= kShown) return std::string(text);
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t end = kShown;
  while (end > 0 && continues(end)) --end;  // not in the middle of a character
  return std::string(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", shortened(text));
}

}  // namespace attn
