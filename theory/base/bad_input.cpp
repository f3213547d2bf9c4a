#include "theory/base/bad_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace attn {
namespace {

using nlohmann::json;

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

/// `text` and `more`, with `between` where both say something.
std::string joined(std::string text, std::string_view between, std::string_view more) {
  if (!text.empty() && !more.empty()) text += between;
  return text.append(more);
}

std::string message(const BadInputParts& parts) {
  const std::string expected = parts.expected.empty() ? "" : "expected " + parts.expected;
  const std::string found = parts.found.empty() ? "" : "found " + parts.found;
  const std::string wrong = joined(expected, ", ", found);
  return one_line(joined(joined(parts.where, ": ", wrong), "; ", parts.advice));
}

std::string printed(const json& value) {
  return shortened(value.dump(-1, ' ', true, json::error_handler_t::replace));
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  const std::string written = json(bytes).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(written).get<std::string>();
}

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

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t end = most;
  while (end > 0 && continues(end)) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", shortened(text));
}

BadInput::BadInput(BadInputParts parts)
    : std::runtime_error(message(parts)), parts_(std::move(parts)) {}

BadInput BadInput::within(std::string_view outer) const {
  BadInputParts parts = parts_;
  parts.where = joined(std::string(outer), ": ", parts_.where);
  return BadInput(std::move(parts));
}

std::string shown_json(const json& value) {
  if (!value.is_structured()) return printed(value);
  std::string name = fmt::format("an {} of {} entries", value.type_name(), value.size());
  const auto is_structured = [](const json& part) { return part.is_structured(); };
  if (value.empty() || std::any_of(value.begin(), value.end(), is_structured)) return name;
  return fmt::format("{}, {}", name, printed(value));
}

}  // namespace attn
