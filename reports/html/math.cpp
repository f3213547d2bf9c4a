#include "reports/html/math.hpp"

#include <fmt/format.h>

#include <utility>

#include "reports/escape.hpp"

namespace attn::report {
namespace {

constexpr std::pair<std::string_view, std::string_view> kGreek[] = {
    {"alpha", "α"}, {"Delta", "Δ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"mu", "μ"},
    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},   {"xi", "ξ"}};

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"sqrt", "√"}, {"infinity", "∞"}, {"Hoelder", "Hölder"}};

constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
    {"<=", "≤"}, {">=", "≥"},    {"!=", "≠"},   {"->", "→"},
    {"||", "‖"}, {" - ", " − "}, {" . ", " · "}};

constexpr std::pair<std::string_view, std::string_view> kMembership[] = {{" not in ", " ∉ "},
                                                                         {" in ", " ∈ "}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The Greek letter that `word` names; empty where it names none.
std::string_view greek(std::string_view word) {
  for (const auto& [name, letter] : kGreek) {
    if (word == name) return letter;
  }
  return {};
}

/// Whether a word stands for a quantity: one letter, or the name of a Greek one.
bool is_symbol(std::string_view word) {
  return word.size() == 1 || !greek(word).empty();
}

std::string_view first_word(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_letter(text[length])) ++length;
  return text.substr(0, length);
}

std::string_view last_word(std::string_view text) {
  std::size_t start = text.size();
  while (start > 0 && is_letter(text[start - 1])) --start;
  return text.substr(start);
}

/// How many characters of `after`, which follows "_", are its subscript: one or two letters and
/// digits; else 0.
std::size_t subscript_length(std::string_view after) {
  std::size_t length = 0;
  while (length < after.size() && (is_letter(after[length]) || is_digit(after[length]))) ++length;
  return length <= 2 ? length : 0;
}

/// How many characters of `after`, which follows "^", are its superscript: "+", or a number or one
/// letter, with the sign before and the subscript after it; else 0.
std::size_t superscript_length(std::string_view after) {
  if (after.starts_with('+')) return 1;
  const std::size_t sign = after.starts_with('-') ? 1 : 0;
  const std::string_view base = after.substr(sign);
  if (first_word(base).size() == 1) {
    const std::size_t index = base.substr(1, 1) == "_" ? subscript_length(base.substr(2)) : 0;
    return sign + 1 + (index == 0 ? 0 : 1 + index);
  }
  std::size_t digits = 0;
  while (digits < base.size() && is_digit(base[digits])) ++digits;
  return digits == 0 ? 0 : sign + digits;
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
    if (rest_.front() == '_' && script("sub", subscript_length(rest_.substr(1)), true)) return;
    if (rest_.front() == '^' && script("sup", superscript_length(rest_.substr(1)), false)) return;
    if (rest_.front() == '\'' && is_symbol(last_word(before()))) return replace(1, "′");
    for (const auto& [from, to] : kSigns) {
      if (rest_.substr(0, from.size()) == from) return replace(from.size(), to);
    }
    if (rest_.front() == '-' && is_minus()) return replace(1, "−");
    out_ += escape_html(take_character());
  }

  std::string_view before() const { return text_.substr(0, text_.size() - rest_.size()); }

  void word() {
    const std::string_view word = first_word(rest_);
    const std::string_view after = rest_.substr(word.size(), 1);
    if (word == "sum" && after == "_") return replace(word.size(), "∑");
    if (const auto letter = greek(word); !letter.empty()) return replace(word.size(), letter);
    for (const auto& [from, to] : kWords) {
      if (word != from) continue;
      const bool spaced = word == "sqrt" && after == " ";
      return replace(word.size() + (spaced ? 1 : 0), to);
    }
    replace(word.size(), word);
  }

  /// Whether a hyphen is a minus sign: between symbols, numbers and brackets, or after an opening
  /// bracket, or before a number. "top-N" and "right-hand" keep their hyphen.
  bool is_minus() const {
    const char back = before().empty() ? ' ' : before().back();
    const std::string_view after = rest_.substr(1);
    const char next = after.empty() ? ' ' : after.front();
    if (std::string_view("([{").find(back) != std::string_view::npos) return true;
    if (back == ' ') return is_digit(next);
    const bool after_operand = is_symbol(last_word(before())) || is_digit(back) || back == ')';
    return after_operand && (is_symbol(first_word(after)) || is_digit(next) || next == '(');
  }

  /// Sets a subscript or superscript, in brackets or of `length` characters; false where the mark
  /// is an ordinary character.
  bool script(std::string_view tag, std::size_t length, bool keep_parentheses) {
    const char open = rest_.size() < 2 ? ' ' : rest_[1];
    std::string_view inner = rest_.substr(1, length);
    std::size_t taken = 1 + length;
    if (open == '{' || open == '(') {
      const std::size_t close = rest_.find(open == '{' ? '}' : ')', 2);
      if (close == std::string_view::npos) return false;
      inner = rest_.substr(2, close - 2);
      taken = close + 1;
    } else if (length == 0) {
      return false;
    }
    const bool parentheses = open == '(' && keep_parentheses;
    out_ += fmt::format("<{0}>{1}{2}{3}</{0}>", tag, parentheses ? "(" : "", set_inner(inner),
                        parentheses ? ")" : "");
    rest_.remove_prefix(taken);
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
