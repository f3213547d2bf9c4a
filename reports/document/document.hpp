#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/plot/svg.hpp"

namespace attn::report {

// What a page says, without how it is written: `html/page.hpp` writes it as HTML,
// `markdown_of` what report.md has of it as Markdown.

/// A piece of a line.
struct Span {
  enum class Kind {
    prose,   ///< words, with formulas between two "$"
    strong,  ///< words that are stressed
    good,    ///< words on what holds, stressed
    bad,     ///< words on what is false or went wrong, stressed
    code,    ///< words as they are typed
    link,    ///< words that lead to `target`
  };
  Kind kind{};
  std::string text{};
  std::string target{};  ///< a file of the report ("claims/lemma2.html#replay") or an address
};

/// A line or a paragraph.
class Text {
 public:
  Text() = default;
  // A string is prose.
  Text(std::string prose) { add({Span::Kind::prose, std::move(prose)}); }  // NOLINT(*-explicit-*)
  Text(std::string_view prose) : Text(std::string(prose)) {}               // NOLINT(*-explicit-*)
  Text(const char* prose) : Text(std::string(prose)) {}                    // NOLINT(*-explicit-*)
  Text(Span span) { add(std::move(span)); }                                // NOLINT(*-explicit-*)

  Text& operator+=(const Text& other) {
    for (const Span& span : other.spans_) add(span);
    return *this;
  }
  friend Text operator+(Text left, const Text& right) { return left += right; }

  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  [[nodiscard]] bool empty() const { return spans_.empty(); }

 private:
  void add(Span span) {
    if (!span.text.empty()) spans_.push_back(std::move(span));
  }
  std::vector<Span> spans_;
};

inline Text strong(std::string_view words) {
  return Span{Span::Kind::strong, std::string(words)};
}
inline Text good(std::string_view words) {
  return Span{Span::Kind::good, std::string(words)};
}
inline Text bad(std::string_view words) {
  return Span{Span::Kind::bad, std::string(words)};
}
inline Text code(std::string_view text) {
  return Span{Span::Kind::code, std::string(text)};
}
inline Text link(std::string_view words, std::string_view target) {
  return Span{Span::Kind::link, std::string(words), std::string(target)};
}

/// The texts with `between` between them.
Text joined(const std::vector<Text>& texts, std::string_view between);

/// A text as one reads it aloud: without marks and links.
std::string plain_text(const Text& text);

struct Heading {
  int level{2};  ///< from 2; the title of a document is 1
  Text text{};
  std::string anchor{};  ///< where links lead; those of level 2 are listed at the top of the page
};

struct Paragraph {
  enum class Tone { plain, note };
  Text text{};
  Tone tone{Tone::plain};
};

/// The statement of a claim, its formulas on lines of their own.
struct Statement {
  std::string text;
};

struct List {
  std::vector<Text> items{};
};

/// Names with what is said of each.
struct Entries {
  std::vector<std::pair<Text, Text>> items{};
};

/// A table. The first cell of a row is its heading.
struct Table {
  std::string caption{};
  std::vector<Text> columns{};
  std::vector<std::vector<Text>> rows{};
  std::size_t text_columns{1};  ///< the first so many hold words, the others numbers
  bool is_compact{};            ///< only the headings of rows are broken into lines
  bool is_stacked{};            ///< on narrow screens a row's cells stand in a column
};

/// Lines to be typed or copied.
struct Code {
  std::string text;
};

struct Panel {
  std::string title;
  plot::Svg drawing;
};

/// Drawings side by side. Each is a file too, figures/NAME.svg, -2.svg, ..., unless they are
/// `small`; the numbers of all are figures/NAME.csv, without rows none.
struct Figure {
  std::string name{};
  std::vector<Panel> panels{};
  Text caption{};
  nlohmann::json rows{};
  bool is_small{};
};

struct Block;

/// Blocks side by side where there is room.
struct Columns {
  std::vector<std::vector<Block>> columns{};
};

/// Blocks behind a line that opens them.
struct Folded {
  Text summary{};
  std::vector<Block> blocks;  // without {}, which would need what a Block is
  bool is_open{};
};

struct Block : std::variant<Heading, Paragraph, Statement, List, Entries, Table, Code, Figure,
                            Columns, Folded> {
  using variant::variant;
};
using Blocks = std::vector<Block>;

/// Appends blocks to blocks.
inline void append(Blocks& to, const Blocks& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// A page.
struct Document {
  std::string path{};              ///< in the folder of the report: "claims/lemma2.html"
  std::string title{};             ///< the title of the window
  Text above{};                    ///< where the page belongs
  Text heading{};                  ///< the title of the page
  Text lead{};                     ///< the most important sentence
  Blocks beside{};                 ///< what stands below the lead
  std::optional<Figure> figure{};  ///< at the top too, to the right where there is room
  Blocks blocks{};                 ///< what stands below all of this
};

/// The files of the figures of some blocks, name -> content, added to `files`. A name that is taken
/// already is a std::logic_error.
void add_figure_files(const Blocks& blocks, std::map<std::string, std::string>& files);

/// The names of a figure's files, in the folder of the report: its drawings, then its numbers.
std::vector<std::string> files_of(const Figure& figure);

/// A line in Markdown. Links to files of the report are relative to its folder.
std::string markdown_of(const Text& text);

/// Headings, paragraphs, lists and entries in the Markdown of GitHub; throws std::logic_error for a
/// block of another kind.
std::string markdown_of(const Blocks& blocks);

}  // namespace attn::report
