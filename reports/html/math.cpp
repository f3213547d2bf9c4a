#include "reports/html/math.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "reports/html/math/mathml.hpp"
#include "reports/html/math/parser.hpp"
#include "reports/text/escape.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

using math::Style;
using Stretches = std::span<const Stretch>;

/// A displayed formula wider than this, in characters, may not fit on a phone.
constexpr std::size_t kWide = 30;

std::string prose_html(std::string_view prose) {
  return escape_html(typeset(prose));
}

/// Pieces between which a line may break; the text itself where a report marks what is no formula.
std::vector<std::string> formula_pieces(std::string_view text, Style style) {
  const std::optional<math::Node> formula = math::parse(text);
  return formula ? math::pieces_of(*formula, style) : std::vector{prose_html(text)};
}

std::string formula_html(std::string_view text, Style style) {
  return fmt::format("{}", fmt::join(formula_pieces(text, style), "<wbr/>"));
}

std::string whole(const std::string& html) {
  return fmt::format("<span class=\"whole\">{}</span>", html);
}

/// What no space divides, such as "top-$N$" or "$a$,". A browser may break a line beside a formula
/// even there, so a formula in one piece is held to its neighbours.
struct Word {
  std::string html;
  std::size_t parts = 0;
  bool has_formula = false;
};

std::string word_html(const Word& word) {
  const bool in_one_piece = word.html.find("<wbr/>") == std::string::npos;
  return word.has_formula && word.parts > 1 && in_one_piece ? whole(word.html) : word.html;
}

std::string text_html(Stretches text, Style style) {
  std::string out;
  Word word;
  const auto add = [&](const std::string& html) {
    word.html += html;
    ++word.parts;
  };
  for (const Stretch& stretch : text) {
    if (stretch.is_formula) {
      add(formula_html(stretch.text, style));
      word.has_formula = true;
      continue;
    }
    std::string_view rest = stretch.text;
    for (std::size_t space = rest.find(' '); space != rest.npos; space = rest.find(' ')) {
      if (space > 0) add(prose_html(rest.substr(0, space)));
      out += word_html(word) + ' ';
      word = {};
      rest.remove_prefix(space + 1);
    }
    if (!rest.empty()) add(prose_html(rest));
  }
  return out + word_html(word);
}

std::string paragraph_of(Stretches text) {
  return text.empty() ? "" : fmt::format("<p>{}</p>\n", text_html(text, Style::inline_text));
}

/// Where the asserted formula stands; nothing where there is none.
std::optional<std::size_t> asserted(Stretches text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i].is_formula && text[i - 1].text.ends_with(": ")) return i;
  }
  if (!text.empty() && text.front().is_formula) return 0;
  return std::nullopt;
}

/// A displayed formula; one that may be wider than a phone scrolls. The punctuation mark behind it
/// keeps to its last piece.
std::string display(std::string_view text, std::string_view mark) {
  std::vector<std::string> pieces = formula_pieces(text, Style::display);
  if (!mark.empty()) pieces.back() = whole(pieces.back() + prose_html(mark));
  const std::optional<math::Node> formula = math::parse(text);
  const bool wide = formula && math::width_of(*formula, Style::display) > kWide;
  return fmt::format("<div class=\"formula-line\"{}>{}</div>\n",
                     wide ? " tabindex=\"0\" role=\"region\" aria-label=\"Formula\"" : "",
                     fmt::join(pieces, "<wbr/>"));
}

/// Takes the punctuation mark behind a formula, and the spaces behind it, from the front of `text`.
std::string_view take_mark(std::string_view& text) {
  const std::string_view mark = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.find_first_not_of(' ', mark.size()), text.size()));
  return mark;
}

}  // namespace

std::string math_html(std::string_view text) {
  return text_html(stretches(text), Style::inline_text);
}

std::string math_cell_html(std::string_view text) {
  return text_html(stretches(text), Style::display);
}

std::string statement_html(std::string_view statement) {
  std::vector<Stretch> text = stretches(statement);
  const std::optional<std::size_t> first = asserted(text);
  if (!first) return paragraph_of(text);
  std::size_t at = *first;
  if (at > 0) text[at - 1].text.remove_suffix(1);  // the space behind the colon
  std::string out = paragraph_of(Stretches(text).first(at));
  const auto another = [&] {
    return at + 2 < text.size() && text[at + 1].text == ", " && text[at + 2].is_formula;
  };
  for (; another(); at += 2) out += display(text[at].text, ",");
  if (at + 1 == text.size() || text[at + 1].is_formula) {
    out += display(text[at].text, "");
  } else {
    out += display(text[at].text, take_mark(text[at + 1].text));
  }
  std::size_t rest = at + 1;
  if (rest < text.size() && text[rest].text.empty()) ++rest;
  return out + paragraph_of(Stretches(text).subspan(rest));
}

}  // namespace attn::report
