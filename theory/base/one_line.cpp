#include "theory/base/one_line.hpp"

#include <fmt/format.h>

#include "theory/base/valid_utf8.hpp"

namespace attn {
namespace {

/// The bytes of the control character that `text` begins with; 0 where it begins with another.
/// Controls are C0, C1 (which some terminals obey), what ends a line, and what turns the direction
/// of the text around it.
std::size_t control_at_begin(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) < 0xa0) return 2;
  if (text.starts_with("\u061C")) return 2;
  const bool is_mark = text.starts_with("\u200E") || text.starts_with("\u200F");
  const bool is_turn = byte(0) == 0xe2 && byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae;
  const bool is_isolate = byte(0) == 0xe2 && byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;
  return is_mark || is_turn || is_isolate ? 3 : 0;
}

}  // namespace

std::string one_line(std::string_view message) {
  const std::string text = valid_utf8(message);
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t control = control_at_begin(std::string_view(text).substr(at));
    line += control > 0 ? ' ' : text[at];
    at += control > 0 ? control : 1;
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
