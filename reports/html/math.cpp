#include "reports/html/math.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "reports/html/math/mathml.hpp"
#include "reports/html/math/parser.hpp"
#include "reports/html/math/token.hpp"
#include "reports/text/escape.hpp"

namespace attn::report {
namespace {

using math::Style;
using math::Token;
using math::TokenKind;
using Tokens = std::span<const Token>;

/// A displayed formula wider than this, in characters, may not fit on a phone.
constexpr std::size_t kWide = 30;

/// A stretch of a text: one formula, or prose.
struct Part {
  Tokens tokens;
  std::optional<math::Node> formula;
};

bool is_quantity(const Token& token) {
  return token.kind == TokenKind::symbol || token.kind == TokenKind::name ||
         token.kind == TokenKind::differential;
}

bool is_operator(const Token& token) {
  return token.kind == TokenKind::sign &&
         std::string_view("()[]{},").find(token.text) == std::string_view::npos;
}

/// Whether tokens are more than numbers and a lone sign, which prose sets as well.
bool is_worth_setting(Tokens tokens) {
  const auto operands = std::ranges::count_if(tokens, [](const Token& token) {
    return is_quantity(token) || token.kind == TokenKind::number;
  });
  return std::ranges::any_of(tokens, is_quantity) ||
         (operands > 0 && std::ranges::any_of(tokens, is_operator));
}

/// The formula at the front of `tokens`, with its length; length 0 where prose stands there.
std::size_t formula_length(Tokens tokens) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].kind != TokenKind::prose; ++i) {
    if (tokens[i].kind != TokenKind::space) length = i + 1;
  }
  return tokens.front().kind == TokenKind::space ? 0 : length;
}

std::vector<Part> parts_of(Tokens tokens) {
  std::vector<Part> parts;
  while (!tokens.empty()) {
    const std::size_t length = formula_length(tokens);
    const Tokens stretch = tokens.first(std::max<std::size_t>(length, 1));
    Part part{stretch, std::nullopt};
    if (is_worth_setting(stretch)) part.formula = math::parse(stretch);
    parts.push_back(std::move(part));
    tokens = tokens.subspan(stretch.size());
  }
  return parts;
}

/// Tokens that spell no formula, with the letters and signs of print. Words that are signs only in
/// formulas stay words, and a dash without a number a dash.
std::string plain(Tokens tokens) {
  std::string out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    const bool mark = tokens[i].kind == TokenKind::prose && text.size() == 1;
    const bool dash = text == "-" && i + 1 == tokens.size();
    const bool word = text == "sum" || text == "in" || text == "not in";
    out += escape_html(mark || dash || word ? text : math::printed(text));
  }
  return out;
}

std::string formula_html(const math::Node& formula, Style style) {
  std::string out;
  for (const std::string& piece : math::pieces_of(formula, style)) {
    out += (out.empty() ? "" : "<wbr/>") + piece;
  }
  return out;
}

std::string part_html(const Part& part, Style style) {
  return part.formula ? formula_html(*part.formula, style) : plain(part.tokens);
}

bool is_space(const Part& part) {
  return part.tokens.front().kind == TokenKind::space;
}

/// Parts that no space divides, such as "top-N" or "(a_i,". A browser may break a line beside a
/// formula even there, so a formula in one piece is held to its neighbours.
std::string word_html(std::span<const Part> word, Style style) {
  std::string out;
  bool formula = false;
  for (const Part& part : word) {
    formula = formula || part.formula.has_value();
    out += part_html(part, style);
  }
  const bool whole = formula && word.size() > 1 && out.find("<wbr/>") == std::string::npos;
  return whole ? fmt::format("<span class=\"whole\">{}</span>", out) : out;
}

std::string prose_html(std::span<const Part> parts, Style style) {
  std::string out;
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t end = i;
    while (end < parts.size() && !is_space(parts[end])) ++end;
    if (end > i) {
      out += word_html(parts.subspan(i, end - i), style);
    } else {
      out += plain(parts[end++].tokens);
    }
    i = end;
  }
  return out;
}

std::string text_html(std::string_view text, Style style) {
  const std::vector<Token> tokens = math::tokens_of(text);
  return prose_html(parts_of(tokens), style);
}

bool is_text(std::span<const Part> parts, std::size_t at, std::string_view text) {
  return at < parts.size() && !parts[at].formula && parts[at].tokens.front().text == text;
}

/// Where the asserted formula stands; the number of parts where there is none.
std::size_t asserted(std::span<const Part> parts) {
  for (std::size_t i = 2; i < parts.size(); ++i) {
    if (parts[i].formula && is_text(parts, i - 2, ":") && is_space(parts[i - 1])) return i;
  }
  return !parts.empty() && parts.front().formula ? 0 : parts.size();
}

std::string paragraph(const std::string& html) {
  return html.empty() ? "" : fmt::format("<p>{}</p>\n", html);
}

/// A displayed formula; one that may be wider than a phone scrolls. The punctuation mark behind it
/// keeps to its last piece.
std::string display(const Part& part, std::string_view mark) {
  const std::vector<std::string> pieces = math::pieces_of(*part.formula, Style::display);
  std::string out;
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) out += pieces[i] + "<wbr/>";
  out += mark.empty() ? pieces.back()
                      : fmt::format("<span class=\"whole\">{}{}</span>", pieces.back(), mark);
  const bool wide = math::width_of(*part.formula, Style::display) > kWide;
  return fmt::format("<div class=\"formula-line\"{}>{}</div>\n",
                     wide ? " tabindex=\"0\" role=\"region\" aria-label=\"Formula\"" : "", out);
}

}  // namespace

std::string math_html(std::string_view text) {
  return text_html(text, Style::inline_text);
}

std::string math_cell_html(std::string_view text) {
  return text_html(text, Style::display);
}

std::string statement_html(std::string_view statement) {
  const std::vector<Token> tokens = math::tokens_of(statement);
  const std::vector<Part> all = parts_of(tokens);
  const std::span<const Part> parts = all;
  std::size_t at = asserted(parts);
  if (at == parts.size()) return paragraph(prose_html(parts, Style::inline_text));
  std::string out = paragraph(prose_html(parts.first(at == 0 ? 0 : at - 1), Style::inline_text));
  while (is_text(parts, at + 1, ",") && at + 3 < parts.size() && parts[at + 3].formula) {
    out += display(parts[at], ",");
    at += 3;
  }
  const bool mark = at + 1 < parts.size() && !is_space(parts[at + 1]);
  out += display(parts[at], mark ? plain(parts[at + 1].tokens) : "");
  std::size_t rest = std::min(at + (mark ? 2 : 1), parts.size());
  while (rest < parts.size() && is_space(parts[rest])) ++rest;
  return out + paragraph(prose_html(parts.subspan(rest), Style::inline_text));
}

}  // namespace attn::report
