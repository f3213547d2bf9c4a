#include "reports/text/escape.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cstdint>
#include <span>
#include <utility>

namespace attn::report {
namespace {

constexpr UChar32 kReplacement = 0xFFFD;

/// Whether XML 1.0 allows `c` and a reader sees the same everywhere: what turns the direction of
/// the text around it can make a name or a number look like another.
bool is_plain(UChar32 c) {
  if (c == '\n' || c == '\t') return true;
  if (u_hasBinaryProperty(c, UCHAR_BIDI_CONTROL) != 0) return false;
  return c >= 0x20 && (c < 0x7F || c > 0x9F) && c != 0xFFFE && c != 0xFFFF;
}

constexpr std::pair<char, std::string_view> kEntities[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

std::string with_entities(std::string_view text,
                          std::span<const std::pair<char, std::string_view>> entities) {
  std::string out;
  for (const char c : xml_text(text)) {
    const auto at = std::ranges::find(entities, c, &std::pair<char, std::string_view>::first);
    if (at == entities.end()) {
      out += c;
    } else {
      out += at->second;
    }
  }
  return out;
}

}  // namespace

std::string xml_text(std::string_view text) {
  const icu::UnicodeString whole = icu::UnicodeString::fromUTF8(text);
  icu::UnicodeString plain;
  for (std::int32_t at = 0; at < whole.length(); at = whole.moveIndex32(at, 1)) {
    const UChar32 c = whole.char32At(at);
    plain.append(is_plain(c) ? c : kReplacement);
  }
  std::string out;
  return plain.toUTF8String(out);
}

std::string escape_html(std::string_view text) {
  return with_entities(text, kEntities);
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  // Its texts stand in no attribute: quotes stay as they are.
  for (const char c : with_entities(text, std::span(kEntities).first(3))) {
    if (c == '\n' || c == '\t') {
      out += ' ';
    } else {
      if (std::string_view("\\`*_[]|~").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string typeset(std::string_view statement) {
  constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"<=", "≤"}, {">=", "≥"}, {"!=", "≠"}, {"->", "→"}, {"||", "‖"}};
  std::string text(statement);
  for (const auto& [from, to] : kSigns) boost::replace_all(text, from, to);
  return text;
}

}  // namespace attn::report
