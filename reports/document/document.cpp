#include "reports/document/document.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "reports/io/csv.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

void add_file(std::map<std::string, std::string>& files, const std::string& name,
              std::string content) {
  if (files.emplace(name, std::move(content)).second) return;
  throw std::logic_error(fmt::format("two files are called {}", name));
}

void add_files(const Figure& figure, std::map<std::string, std::string>& files) {
  const std::vector<std::string> names = files_of(figure);
  if (!figure.is_small) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      add_file(files, names[i], figure.panels[i].drawing.document());
    }
  }
  if (!figure.rows.empty()) add_file(files, names.back(), csv_text(figure.rows));
}

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

}  // namespace attn::report
