#include "reports/document/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "reports/io/csv.hpp"
#include "reports/text/escape.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

void add_files(const Figure& figure, std::map<std::string, std::string>& files) {
  const std::vector<std::string> names = files_of(figure);
  const auto add = [&](const std::string& name, std::string content) {
    if (files.emplace(name, std::move(content)).second) return;
    throw std::logic_error(fmt::format("two files are called {}", name));
  };
  for (std::size_t i = 0; !figure.is_small && i < figure.panels.size(); ++i) {
    add(names[i], figure.panels[i].drawing.document());
  }
  if (!figure.rows.empty()) add(names.back(), csv_text(figure.rows));
}

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

Text joined(const std::vector<Text>& texts, std::string_view between) {
  Text all;
  for (const Text& text : texts) {
    if (!all.empty()) all += between;
    all += text;
  }
  return all;
}

std::string plain_text(const Text& text) {
  std::string plain;
  for (const Span& span : text.spans()) {
    plain += span.kind == Span::Kind::code ? span.text : attn::plain_text(span.text);
  }
  return plain;
}

std::vector<std::string> files_of(const Figure& figure) {
  std::vector<std::string> names;
  for (std::size_t i = 0; !figure.is_small && i < figure.panels.size(); ++i) {
    names.push_back(i == 0 ? fmt::format("figures/{}.svg", figure.name)
                           : fmt::format("figures/{}-{}.svg", figure.name, i + 1));
  }
  if (!figure.rows.empty()) names.push_back(fmt::format("figures/{}.csv", figure.name));
  return names;
}

void add_figure_files(const Blocks& blocks, std::map<std::string, std::string>& files) {
  for (const Block& block : blocks) {
    if (const auto* const figure = std::get_if<Figure>(&block)) add_files(*figure, files);
    if (const auto* const columns = std::get_if<Columns>(&block)) {
      for (const Blocks& column : columns->columns) add_figure_files(column, files);
    }
    if (const auto* const folded = std::get_if<Folded>(&block)) {
      add_figure_files(folded->blocks, files);
    }
  }
}

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
