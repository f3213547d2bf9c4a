#include "reports/document/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "reports/text/escape.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

/// A backtick ends what stands between backticks: a text with one is escaped and stands between
/// tags.
std::string code_in_markdown(std::string_view text) {
  if (text.find('`') != std::string_view::npos) {
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

struct MarkdownWriter {
  std::string operator()(const Heading& heading) const {
    return fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(heading.level), '#'),
                       markdown_of(heading.text));
  }
  std::string operator()(const Paragraph& paragraph) const {
    return markdown_of(paragraph.text) + "\n\n";
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
  template <class Other>
  std::string operator()(const Other&) const {
    throw std::logic_error("report.md has no such block");
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
