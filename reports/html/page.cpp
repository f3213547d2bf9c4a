#include "reports/html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <stdexcept>

#include "reports/text/escape.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

/// HTML in which ids may be broken behind a dot, and nowhere else.
std::string with_breaks(const std::string& html) {
  std::string out;
  bool is_tag = false;
  for (std::size_t i = 0; i < html.size(); ++i) {
    out += html[i];
    is_tag = html[i] == '<' || (is_tag && html[i] != '>');
    const bool is_followed =
        i + 1 < html.size() && std::isalpha(static_cast<unsigned char>(html[i + 1])) != 0;
    if (!is_tag && is_followed && html[i] == '.') out += "<wbr/>";
  }
  return out;
}

/// Nothing is fetched, and nothing runs; styles are those of the page.
constexpr std::string_view kPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

class HtmlWriter {
 public:
  explicit HtmlWriter(std::string_view path)
      : root_(path.find('/') == std::string_view::npos ? "" : "../") {}

  std::string operator()(const Heading& heading) {
    return fmt::format("<h{0}{1}>{2}</h{0}>\n", heading.level,
                       heading.anchor.empty() ? "" : fmt::format(R"( id="{}")", heading.anchor),
                       line(heading.text));
  }
  std::string operator()(const Paragraph& paragraph) {
    const bool is_note = paragraph.tone == Paragraph::Tone::note;
    return fmt::format("<p{}>{}</p>\n", is_note ? R"( class="note")" : "", line(paragraph.text));
  }
  std::string operator()(const Statement& statement) { return statement_html(statement.text); }
  std::string operator()(const List& list) {
    std::string items;
    for (const Text& item : list.items) items += fmt::format("<li>{}</li>\n", line(item));
    return fmt::format("<ul>\n{}</ul>\n", items);
  }
  std::string operator()(const Entries& entries) {
    std::string items;
    for (const auto& [name, text] : entries.items) {
      items += fmt::format("<div><dt>{}</dt>\n<dd>{}</dd></div>\n", line(name), line(text));
    }
    return fmt::format("<dl>\n{}</dl>\n", items);
  }
  std::string operator()(const Table& table) {
    std::string head, body;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      head += fmt::format(R"(<th scope="col"{}>{}</th>)", number_class(table, i),
                          line(table.columns[i]));
    }
    for (const std::vector<Text>& row : table.rows) {
      if (row.size() != table.columns.size()) {
        throw std::logic_error(fmt::format("a row of the wrong length in: {}", table.caption));
      }
      body += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string cell = line(row[i]);
        body += i == 0 ? fmt::format(R"(<th scope="row">{}</th>)", cell)
                       : fmt::format("<td{}>{}</td>", number_class(table, i), cell);
      }
      body += "</tr>\n";
    }
    return frame("Table: " + attn::plain_text(table.caption),
                 fmt::format("<table{}>\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n"
                             "<tbody>\n{}</tbody>\n</table>\n",
                             table.is_stacked && table.is_compact ? R"( class="stacked compact")"
                             : table.is_stacked                   ? R"( class="stacked")"
                             : table.is_compact                   ? R"( class="compact")"
                                                                  : "",
                             math_html(table.caption), head, body));
  }
  std::string operator()(const Code& code) {
    return fmt::format("<pre>{}</pre>\n", escape_html(code.text));
  }
  std::string operator()(const Figure& figure) {
    std::string panels;
    for (const Panel& panel : figure.panels) {
      panels += fmt::format("<div>{}{}</div>\n",
                            panel.title.empty() ? ""
                                                : fmt::format(R"(<p class="panel-title">{}</p>)",
                                                              with_breaks(math_html(panel.title))),
                            panel.drawing.str());
    }
    std::vector<Text> files;
    for (const std::string& file : files_of(figure)) {
      files.push_back(link(file.substr(file.find('/') + 1), file));
    }
    std::string caption = line(figure.caption);
    if (!files.empty()) {
      caption +=
          fmt::format(R"( <span class="files">Files: {}.</span>)", line(joined(files, ", ")));
    }
    // Numbers alone.
    if (panels.empty()) return fmt::format("<p class=\"note\">{}</p>\n", caption);
    return fmt::format(
        "<figure{}>\n<div class=\"{}\">\n{}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
        figure.panels.size() > 1 ? " class=\"wide\"" : "", figure.is_small ? "maps" : "panels",
        panels, caption);
  }
  std::string operator()(const Columns& columns) {
    std::string out;
    for (const Blocks& column : columns.columns) {
      out += fmt::format("<div>\n{}</div>\n", all(column));
    }
    return fmt::format("<div class=\"columns\">\n{}</div>\n", out);
  }
  std::string operator()(const Folded& folded) {
    return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                       folded.is_open ? " open" : "", line(folded.summary), all(folded.blocks));
  }

  std::string all(const Blocks& blocks) {
    std::string out;
    for (const Block& block : blocks) out += std::visit(*this, block);
    return out;
  }

  [[nodiscard]] std::string line(const Text& text) const {
    std::string out;
    for (const Span& span : text.spans()) {
      switch (span.kind) {
        case Span::Kind::prose:
          out += math_html(span.text);
          break;
        case Span::Kind::strong:
          out += fmt::format("<strong>{}</strong>", math_html(span.text));
          break;
        case Span::Kind::good:
        case Span::Kind::bad:
          out += fmt::format(R"(<strong class="{}">{}</strong>)",
                             span.kind == Span::Kind::good ? "good" : "bad", math_html(span.text));
          break;
        case Span::Kind::code:
          out += fmt::format("<code>{}</code>", breakable(escape_html(span.text)));
          break;
        case Span::Kind::link: {
          const bool is_inside = span.target.starts_with('#') || span.target.starts_with("https:");
          out += fmt::format(R"(<a href="{}{}">{}</a>)", is_inside ? "" : root_,
                             escape_html(span.target), breakable(math_html(span.text)));
          break;
        }
      }
    }
    return out;
  }

 private:
  /// An id or a path, which is broken only where it is long.
  static std::string breakable(const std::string& html) {
    constexpr std::size_t kLongest = 24;
    const bool is_one_word = html.find_first_of("< ") == std::string::npos;
    return is_one_word && html.size() > kLongest ? with_breaks(html) : html;
  }

  static std::string_view number_class(const Table& table, std::size_t column) {
    return column < table.text_columns ? "" : R"( class="number")";
  }

  /// A frame that scrolls on narrow screens, and what it is called, on each page once.
  std::string frame(const std::string& name, const std::string& html) {
    const std::size_t count = ++names_[name];
    return fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}{}\">\n{}</div>\n",
        escape_html(name), count == 1 ? "" : fmt::format(" ({})", count), html);
  }

  std::string_view root_;
  std::map<std::string, std::size_t> names_;
};

/// The headings of the second level, in their order.
std::vector<const Heading*> sections_of(const Blocks& blocks) {
  std::vector<const Heading*> found;
  for (const Block& block : blocks) {
    if (const auto* const heading = std::get_if<Heading>(&block)) {
      if (heading->level == 2 && !heading->anchor.empty()) found.push_back(heading);
    } else if (const auto* const columns = std::get_if<Columns>(&block)) {
      for (const Blocks& column : columns->columns) {
        std::ranges::copy(sections_of(column), std::back_inserter(found));
      }
    }
  }
  return found;
}

/// Links to these headings, where there are several.
std::string contents(const Blocks& blocks, const HtmlWriter& writer) {
  const std::vector<const Heading*> sections = sections_of(blocks);
  if (sections.size() < 3) return "";
  std::string links;
  for (const Heading* const heading : sections) {
    links += writer.line(link(plain_text(heading->text), "#" + heading->anchor)) + "\n";
  }
  return fmt::format("<nav aria-label=\"On this page\">\n{}</nav>\n", links);
}

}  // namespace

std::string page_of(const Document& document) {
  HtmlWriter writer(document.path);
  const auto part = [&](const char* start, const Text& text, const char* end) {
    return text.empty() ? "" : start + writer.line(text) + end;
  };
  const std::string above = part("<header><p>", document.above, "</p></header>\n"),
                    lead = part("<p class=\"lead\">", document.lead, "</p>\n");
  const std::string top =
      fmt::format("<div>\n<h1>{}</h1>\n{}{}</div>\n", writer.line(document.heading), lead,
                  writer.all(document.beside));
  const std::string figure = document.figure ? writer(*document.figure) : "";
  const std::string nav = contents(document.blocks, writer);
  return fmt::format(
      R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="attention-limits">
<meta http-equiv="Content-Security-Policy" content="{}">
<title>{}</title>
<link rel="icon" href="data:,">
<style>{}</style>
</head>
<body>
{}<main>
<div class="top">
{}{}</div>
{}{}</main>
</body>
</html>
)",
      kPolicy, escape_html(document.title), style_sheet(), above, top, figure, nav,
      writer.all(document.blocks));
}

}  // namespace attn::report
