#include "reports/html/figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "reports/html/math.hpp"
#include "reports/io/csv.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {

std::string paragraph(std::string_view text) {
  return fmt::format("<p>{}</p>\n", math_html(text));
}

std::string table_html(const DataTable& table) {
  std::string head, body;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    head += fmt::format(R"(<th scope="col"{}>{}</th>)",
                        i < table.text_columns ? "" : R"( class="number")",
                        math_html(table.columns[i]));
  }
  for (const std::vector<std::string>& row : table.rows) {
    body += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string text = escape_html(row[i]);
      if (i == 0) {
        body += fmt::format(R"(<th scope="row">{}</th>)", text);
      } else {
        body +=
            fmt::format("<td{}>{}</td>", i < table.text_columns ? "" : R"( class="number")", text);
      }
    }
    body += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table "
      "class=\"data\">\n"
      "<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
      escape_html(plain_text(table.caption)), math_html(table.caption), head, body);
}

std::string folded(const std::string& summary, const std::string& html) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", math_html(summary), html);
}

std::string folded_table(const std::string& summary, const DataTable& table) {
  return table.rows.empty() ? "" : folded(summary, table_html(table));
}

plot::Panel panel(const std::string& title, const plot::LineChart& chart) {
  return {title, plot::draw(chart), plot::keys_of(chart)};
}

plot::Panel panel(const std::string& title, const plot::BoxChart& chart) {
  return {title, plot::draw(chart), plot::keys_of(chart)};
}

std::string heading(const FigureFiles& files, std::string_view anchor, std::string_view words) {
  return fmt::format("<h3 id=\"{}{}\">{}</h3>\n", files.prefix, anchor, words);
}

std::string add_files(FigureFiles& files, const std::string& figure,
                      std::vector<plot::Panel> panels, const nlohmann::json& rows) {
  const std::string name = files.prefix + figure;
  std::string label;
  for (plot::Panel& panel : panels) {
    panel.title = plain_text(panel.title);
    label += fmt::format("{}{}", label.empty() ? "" : "; ", panel.title);
  }
  const bool is_free =
      files.contents.emplace(name + ".svg", plot::sheet(label, panels).document()).second &&
      files.contents.emplace(name + ".csv", csv_text(rows)).second;
  if (!is_free) throw std::logic_error(fmt::format("two figures are called {}", name));
  return fmt::format(
      R"(<span class="files">Also as <a href="figures/{0}.svg">SVG</a> and <a href="figures/{0}.csv">CSV</a>.</span>)",
      escape_html(name));
}

std::string figure_html(const Figure& figure, FigureFiles& files) {
  if (figure.panels.empty()) return {};
  std::string drawings;
  for (const plot::Panel& panel : figure.panels) {
    drawings += fmt::format("<div><p class=\"panel-title\">{}</p>{}</div>\n",
                            math_html(panel.title), panel.drawing.str());
  }
  return fmt::format(
      "<figure>\n{}<div class=\"panels\">\n{}</div>\n<figcaption>{} {}</figcaption>\n</figure>\n{}",
      plot::legend(plot::keys_of(figure.panels)), drawings, math_html(figure.caption),
      add_files(files, figure.name, figure.panels, figure.rows),
      folded_table("The numbers behind the figure", figure.numbers));
}

std::string tokens_words(bool without_first) {
  return without_first ? "without the first token" : "all tokens";
}

std::string tokens_cell(bool without_first) {
  return without_first ? "all but first" : "all";
}

namespace {

/// "; the mean 27.1 to 29.3" of several windows; else empty.
std::string interval_text(const Spread& spread) {
  if (!spread.windows || !spread.windows->low || !spread.windows->high) return {};
  return fmt::format("; the\u00a0mean {}\u00a0to\u00a0{}", short_number(*spread.windows->low),
                     short_number(*spread.windows->high));
}

}  // namespace

std::string spread_text(const MaybeSpread& spread) {
  if (!spread || std::isnan(spread->mean)) return "-";
  // No-break spaces keep the range on one line of a narrow cell.
  return fmt::format("{} ({}\u00a0to\u00a0{}{})", short_number(spread->mean),
                     short_number(spread->q1), short_number(spread->q3), interval_text(*spread));
}

std::string number_text(const std::optional<double>& value) {
  return value ? short_number(*value) : "-";
}

std::string mean_text(const MaybeSpread& spread) {
  return spread ? short_number(spread->mean) : "-";
}

plot::LinePoint spread_point(double x, const MaybeSpread& spread, const std::string& tooltip) {
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  if (!spread) return {.x = x, .y = kGap, .low = kGap, .high = kGap};
  return {.x = x,
          .y = spread->mean,
          .low = spread->q1,
          .high = spread->q3,
          .least = spread->windows ? spread->windows->min : kGap,
          .most = spread->windows ? spread->windows->max : kGap,
          .tooltip = fmt::format("{}: mean {}, middle half {} to {}{}", tooltip,
                                 short_number(spread->mean), short_number(spread->q1),
                                 short_number(spread->q3), interval_text(*spread))};
}

}  // namespace attn::report
