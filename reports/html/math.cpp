#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <vector>

#include "reports/html/page.hpp"
#include "reports/text/escape.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

/// A formula with more bytes is set as prose: it bounds how deep scripts stand in each other.
constexpr std::size_t kLongest = 2000;

constexpr std::string_view kNarrow = "\u202f", kNoBreak = "\u00a0";  // spaces that break no line

/// What is printed for a sign or a name, once the text is escaped.
struct Printed {
  std::string_view text, printed;
  bool breaks{};  ///< a line may break behind it
};

/// The longer ones first.
constexpr Printed kSigns[] = {{"...", "…"},      {"&lt;=", "≤", true},   {"&gt;=", "≥", true},
                              {"!=", "≠", true}, {"-&gt;", "→", true},   {"&lt;", "&lt;", true},
                              {"||", "‖"},       {"&gt;", "&gt;", true}, {"=", "=", true},
                              {"+", "+", true},  {"-", "−", true},       {",", ",", true},
                              {";", ";", true},  {":", ":", true},       {".", "·", true},
                              {"&#39;", "′"},    {"&quot;", "&quot;"},   {"&amp;", "&amp;"}};

constexpr std::string_view kNotIn = "not in";

constexpr Printed kNames[] = {
    {"not in", "∉", true}, {"in", "∈", true}, {"sum", "∑"},   {"sqrt", "√"},    {"infinity", "∞"},
    {"alpha", "α"},        {"Delta", "Δ"},    {"delta", "δ"}, {"epsilon", "ε"}, {"mu", "μ"},
    {"rho", "ρ"},          {"sigma", "σ"},    {"tau", "τ"},   {"xi", "ξ"}};

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_of_word(char c) {
  return is_letter(c) || is_digit(c);
}

template <class Is>
std::size_t length_of(std::string_view text, Is is) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is) - text.begin());
}

/// The sign that `text` begins with; null where it is none of them.
const Printed* sign_at(std::string_view text) {
  const auto* const sign = std::ranges::find_if(
      kSigns, [&](const Printed& each) { return text.starts_with(each.text); });
  return sign == std::end(kSigns) ? nullptr : sign;
}

/// How long the number or word is that `text` begins with.
std::size_t word_length(std::string_view text) {
  std::size_t length = length_of(text, is_digit);
  if (length == 0) return length_of(text, is_of_word);
  for (const std::string_view mark : {".", "e-", "e+"}) {
    if (!text.substr(length).starts_with(mark)) continue;
    const std::size_t digits = length_of(text.substr(length + mark.size()), is_digit);
    if (digits > 0) length += mark.size() + digits;
  }
  return length;
}

/// Where the bracket that begins `text` ends.
std::size_t end_of_bracket(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{' || text[at] == '(') ++depth;
    if ((text[at] == '}' || text[at] == ')') && --depth == 0) return at;
  }
  return std::string_view::npos;
}

/// Writes an escaped formula from left to right.
class FormulaWriter {
 public:
  FormulaWriter(std::string_view text, bool in_script) : rest_(text), in_script_(in_script) {}

  std::string written() {
    while (!rest_.empty()) {
      const char next = rest_.front();
      if (next == ' ') {
        space();
      } else if (is_of_word(next)) {
        word();
      } else if ((next != '_' && next != '^') || !script()) {
        sign();
      }
    }
    return std::move(out_);
  }

 private:
  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// A letter with or without digits, an index of two letters, a name or a number.
  void word() {
    const std::string_view text =
        take(rest_.starts_with(kNotIn) ? kNotIn.size() : word_length(rest_));
    const auto* const name = std::ranges::find(kNames, text, &Printed::text);
    const bool is_known = name != std::end(kNames);
    breaks_ = is_known && name->breaks;
    const std::size_t letters = length_of(text, is_letter);
    if (is_known) {
      out_ += name->printed;
    } else if (in_script_ && letters > 0 && text.size() == 2) {
      out_ += fmt::format("<var>{}</var>", text);
    } else if (letters == 1) {
      const std::string_view digits = text.substr(1);
      out_ += fmt::format("<var>{}</var>", text.front());
      if (!digits.empty()) out_ += fmt::format("<sub>{}</sub>", digits);
    } else {
      out_ += text;
    }
  }

  /// What an "_" or "^" lowers or raises; where it is nothing, false, and nothing is taken.
  bool script() {
    const bool is_below = rest_.front() == '_';
    std::string_view text = rest_.substr(1);
    const bool is_bracketed = text.starts_with('{') || text.starts_with('(');
    const bool is_signed = !is_below && (text.starts_with('-') || text.starts_with('+'));
    const std::size_t sign = is_signed ? 1 : 0;
    const std::size_t length =
        is_bracketed ? end_of_bracket(text) + 1 : sign + word_length(text.substr(sign));
    if (length == 0) return false;
    text = take(1 + length).substr(1);
    const bool keeps_brackets = is_below && text.front() == '(';  // a_(2) is an order statistic
    if (is_bracketed && !keeps_brackets) text = text.substr(1, length - 2);
    out_ += fmt::format("<{0}>{1}</{0}>", is_below ? "sub" : "sup",
                        FormulaWriter(text, true).written());
    return true;
  }

  void sign() {
    const Printed* const known = sign_at(rest_);
    const std::string_view text = take(known == nullptr ? 1 : known->text.size());
    out_ += known == nullptr ? text : known->printed;
    breaks_ = known != nullptr && known->breaks;
  }

  void space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const Printed* const next = sign_at(rest_);
    const bool is_before_sign =
        (next != nullptr && next->breaks) || rest_.starts_with("in ") || rest_.starts_with(kNotIn);
    out_ += in_script_ ? kNarrow : breaks_ ? " " : is_before_sign ? kNoBreak : kNarrow;
  }

  std::string_view rest_;
  bool in_script_;
  std::string out_;
  bool breaks_{};  ///< whether a line may break here
};

std::string prose_html(std::string_view prose) {
  return escape_html(typeset(prose));
}

std::string formula_html(std::string_view text) {
  if (text.size() > kLongest) return prose_html(text);
  return FormulaWriter(escape_html(text), false).written();
}

std::string text_html(std::span<const Stretch> text) {
  std::string out;
  for (const Stretch& each : text) {
    out += each.is_formula ? formula_html(each.text) : prose_html(each.text);
  }
  return out;
}

std::string paragraph_of(std::span<const Stretch> text) {
  return text.empty() ? "" : fmt::format("<p>{}</p>\n", text_html(text));
}

/// Where the asserted formula stands; nothing where there is none.
std::optional<std::size_t> asserted(std::span<const Stretch> text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i].is_formula && text[i - 1].text.ends_with(": ")) return i;
  }
  if (!text.empty() && text.front().is_formula) return 0;
  return std::nullopt;
}

/// Takes the punctuation mark behind a formula, and the spaces behind it, from the front of `text`.
std::string_view take_mark(std::string_view& text) {
  const std::string_view mark = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.find_first_not_of(' ', mark.size()), text.size()));
  return mark;
}

}  // namespace

std::string math_html(std::string_view text) {
  return text_html(stretches(text));
}

std::string statement_html(std::string_view statement) {
  std::vector<Stretch> text = stretches(statement);
  const std::optional<std::size_t> first = asserted(text);
  if (!first) return paragraph_of(text);
  std::size_t at = *first;
  if (at > 0) text[at - 1].text.remove_suffix(1);  // the space behind the colon
  std::string out = paragraph_of(std::span(text).first(at));
  for (bool another = true; another;) {
    std::string mark;
    const std::string formula = formula_html(text[at++].text);
    if (at < text.size() && !text[at].is_formula) {
      mark = prose_html(take_mark(text[at].text));
      if (text[at].text.empty()) ++at;
    }
    another = mark == "," && at < text.size() && text[at].is_formula;
    out += fmt::format("<p class=\"formula-line\">{}{}</p>\n", formula, mark);
  }
  return out + paragraph_of(std::span(text).subspan(at));
}

}  // namespace attn::report
