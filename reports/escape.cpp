#include "reports/escape.hpp"

#include <unicode/unistr.h>

namespace attn::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F;
}

/// The same text as valid UTF-8: ICU puts U+FFFD for what is not.
std::string as_utf8(std::string_view text) {
  std::string valid;
  icu::UnicodeString::fromUTF8(text).toUTF8String(valid);
  return valid;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : as_utf8(text)) {
    if (is_control(c)) {
      out += kReplacement;
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (const char c : escape_html(text)) {
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
  std::string text(statement);
  replace_all(text, "<=", "≤");
  replace_all(text, ">=", "≥");
  return text;
}

}  // namespace attn::report
