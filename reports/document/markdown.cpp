#include "reports/document/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/escape.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

/// A backtick ends what stands between backticks, and so does a bar in a table: a text with one is
/// escaped and stands between tags.
std::string code_in_markdown(std::string_view text) {
  if (text.find_first_of("`|") != std::string_view::npos) {
    return fmt::format("<code>{}</code>", escape_markdown(text));
  }
  std::string line = xml_text(text);
  std::ranges::replace(line, '\n', ' ');
  return fmt::format("`{}`", line);
}

/// GitHub would read the marks of formulas as LaTeX, which they are not.
std::string prose_in_markdown(std::string_view marked) {
  return escape_markdown(typeset(plain_text(marked)));
}

std::string row_of(const std::vector<Text>& cells) {
  std::string row = "|";
  for (const Text& cell : cells) row += fmt::format(" {} |", markdown_of(cell));
  return row + "\n";
}

struct MarkdownWriter {
  std::string operator()(const Heading& heading) const {
    return fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(heading.level), '#'),
                       markdown_of(heading.text));
  }
  std::string operator()(const Paragraph& paragraph) const {
    return markdown_of(paragraph.text) + "\n\n";
  }
  std::string operator()(const Statement& statement) const {
    return prose_in_markdown(statement.text) + "\n\n";
  }
  std::string operator()(const List& list) const {
    std::string out;
    for (const Text& item : list.items) out += fmt::format("- {}\n", markdown_of(item));
    return out + "\n";
  }
  std::string operator()(const Entries& entries) const {
    std::string out;
    for (const auto& [name, text] : entries.items) {
      const std::string_view stop = plain_text(name).ends_with('.') ? "" : ".";
      out += fmt::format("- {}{} {}\n", markdown_of(name), stop, markdown_of(text));
    }
    return out + "\n";
  }
  std::string operator()(const Table& table) const {
    std::string rule = "|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      rule += i < table.text_columns ? "---|" : "--:|";
    }
    std::string out = row_of(table.columns) + rule + "\n";
    for (const std::vector<Text>& row : table.rows) out += row_of(row);
    return out + "\n";
  }
  std::string operator()(const Code& code) const {
    // Longer than any fence that the text has.
    const std::string fence(std::max<std::size_t>(3, 1 + longest_run(code.text)), '`');
    return fmt::format("{0}\n{1}\n{0}\n\n", fence, xml_text(code.text));
  }
  std::string operator()(const Figure& figure) const {
    std::vector<Text> links;
    for (const std::string& file : files_of(figure)) links.push_back(link(file, file));
    return fmt::format("{} {}\n\n", markdown_of(figure.caption), markdown_of(joined(links, ", ")));
  }
  std::string operator()(const Columns& columns) const {
    std::string out;
    for (const Blocks& column : columns.columns) out += markdown_of(column);
    return out;
  }
  std::string operator()(const Folded& folded) const {
    return markdown_of(folded.summary) + "\n\n" + markdown_of(folded.blocks);
  }

 private:
  static std::size_t longest_run(std::string_view text) {
    std::size_t longest = 0, run = 0;
    for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
    return longest;
  }
};

}  // namespace

std::string markdown_of(const Text& text) {
  std::string out;
  for (const Span& span : text.spans()) {
    switch (span.kind) {
      case Span::Kind::prose:
        out += prose_in_markdown(span.text);
        break;
      case Span::Kind::strong:
      case Span::Kind::good:
      case Span::Kind::bad:
        out += fmt::format("**{}**", prose_in_markdown(span.text));
        break;
      case Span::Kind::code:
        out += code_in_markdown(span.text);
        break;
      case Span::Kind::link:
        out += fmt::format("[{}]({})", prose_in_markdown(span.text), span.target);
        break;
    }
  }
  return out;
}

std::string markdown_of(const Blocks& blocks) {
  std::string out;
  for (const Block& block : blocks) out += std::visit(MarkdownWriter{}, block);
  return out;
}

}  // namespace attn::report
