#include "reports/html/math.hpp"

#include <fmt/format.h>

#include <utility>

#include "reports/escape.hpp"

namespace attn::report {
namespace {

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"xi", "ξ"}, {"mu", "μ"}, {"delta", "δ"}, {"sqrt", "√"}, {"Hoelder", "Hölder"}};

constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
    {"<=", "≤"}, {">=", "≥"}, {"!=", "≠"}, {"||", "‖"}, {" - ", " − "}};

constexpr std::pair<std::string_view, std::string_view> kMembership[] = {{" not in ", " ∉ "},
                                                                         {" in ", " ∈ "}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The part of a text that is still to be set.
class Setter {
 public:
  explicit Setter(std::string_view text) : text_(text), rest_(text) {}

  std::string run() {
    while (!rest_.empty()) step();
    return std::move(out_);
  }

 private:
  void step() {
    if (is_letter(rest_.front())) return word();
    if (rest_.front() == '_' && script("sub", 2, true)) return;
    if (rest_.front() == '^' && script("sup", 1, false)) return;
    for (const auto& [from, to] : kSigns) {
      if (rest_.substr(0, from.size()) == from) return replace(from.size(), to);
    }
    if (rest_.front() == '-' && is_minus()) return replace(1, "−");
    out_ += escape_html(take_character());
  }

  void word() {
    std::size_t length = 0;
    while (length < rest_.size() && is_letter(rest_[length])) ++length;
    const std::string_view word = rest_.substr(0, length);
    const std::string_view after = rest_.substr(length, 2);
    if (word == "sum" && after.substr(0, 1) == "_") return replace(length, "∑");
    for (const auto& [from, to] : kWords) {
      if (word != from) continue;
      const bool spaced = word == "sqrt" && after.substr(0, 1) == " ";
      return replace(length + (spaced ? 1 : 0), to);
    }
    replace(length, word);
  }

  /// Whether a hyphen is a minus sign: between single letters, numbers and brackets, or after an
  /// opening bracket, or before a number. "top-N" and "right-hand" keep their hyphen.
  bool is_minus() const {
    const std::size_t at = text_.size() - rest_.size();
    const auto back = [&](std::size_t steps) { return at >= steps ? text_[at - steps] : ' '; };
    const char next = rest_.size() > 1 ? rest_[1] : ' ';
    const char after_next = rest_.size() > 2 ? rest_[2] : ' ';
    if (std::string_view("([{").find(back(1)) != std::string_view::npos) return true;
    if (back(1) == ' ') return is_digit(next);
    const bool after_letter = is_letter(back(1)) && !is_letter(back(2));
    const bool after_operand = after_letter || is_digit(back(1)) || back(1) == ')';
    const bool before_letter = is_letter(next) && !is_letter(after_next);
    return after_operand && (before_letter || is_digit(next) || next == '(');
  }

  /// Sets a subscript or superscript; false where the mark is an ordinary character.
  bool script(std::string_view tag, std::size_t longest, bool keep_parentheses) {
    if (rest_.size() < 2) return false;
    const char open = rest_[1];
    if (open == '{' || open == '(') {
      const std::size_t close = rest_.find(open == '{' ? '}' : ')', 2);
      if (close == std::string_view::npos) return false;
      const std::string_view inner = rest_.substr(2, close - 2);
      const bool parentheses = open == '(' && keep_parentheses;
      out_ += fmt::format("<{0}>{1}{2}{3}</{0}>", tag, parentheses ? "(" : "", set_inner(inner),
                          parentheses ? ")" : "");
      rest_.remove_prefix(close + 1);
      return true;
    }
    std::size_t length = 0;
    while (1 + length < rest_.size() &&
           (is_letter(rest_[1 + length]) || is_digit(rest_[1 + length]))) {
      ++length;
    }
    if (length == 0 || length > longest) return false;
    out_ += fmt::format("<{0}>{1}</{0}>", tag, rest_.substr(1, length));
    rest_.remove_prefix(1 + length);
    return true;
  }

  /// Inside a script "in" is membership.
  static std::string set_inner(std::string_view inner) {
    std::string text(inner);
    for (const auto& [from, to] : kMembership) {
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) {
        text.replace(at, from.size(), to);
      }
    }
    return Setter(text).run();
  }

  /// One character with all its UTF-8 bytes, taken from the rest.
  std::string_view take_character() {
    std::size_t length = 1;
    while (length < rest_.size() && (static_cast<unsigned char>(rest_[length]) & 0xC0) == 0x80) {
      ++length;
    }
    const std::string_view character = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return character;
  }

  void replace(std::size_t length, std::string_view html) {
    out_ += html;
    rest_.remove_prefix(length);
  }

  std::string_view text_;
  std::string_view rest_;
  std::string out_;
};

}  // namespace

std::string math_html(std::string_view text) {
  return Setter(text).run();
}

}  // namespace attn::report
