#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/plot/box_chart.hpp"
#include "reports/plot/line_chart.hpp"
#include "reports/plot/sheet.hpp"
#include "reports/record/measurements.hpp"

namespace attn::report {

/// A paragraph of prose with marked formulas (see math_html).
std::string paragraph(std::string_view text);

/// A table of text; caption and columns may have marked formulas. The first cell of a row is its
/// heading.
struct DataTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows{};
  std::size_t text_columns{1};  ///< the first so many hold words, the others numbers
};

/// The table, in a frame that scrolls on narrow screens. All text is escaped.
std::string table_html(const DataTable& table);

/// A piece of HTML behind a line that opens it.
std::string folded(const std::string& summary, const std::string& html);

/// A table behind a line that opens it; empty where the table has no rows.
std::string folded_table(const std::string& summary, const DataTable& table);

plot::Panel panel(const std::string& title, const plot::LineChart& chart);
plot::Panel panel(const std::string& title, const plot::BoxChart& chart);

/// The files of figures, name -> content. A page links to them as "figures/NAME".
struct FigureFiles {
  std::map<std::string, std::string> contents{};
  /// Before the names of the figures added from now on, and before the anchors of their headings:
  /// parts of the same form can then stand on one page.
  std::string prefix{};
};

/// A heading of the third rank with its anchor.
std::string heading(const FigureFiles& files, std::string_view anchor, std::string_view words);

/// Adds a figure to the files: NAME.svg, all its panels on one sheet, and NAME.csv, `rows` (see
/// csv_text), after the prefix. Returns the links to both. A name that is taken already is a
/// std::logic_error.
std::string add_files(FigureFiles& files, const std::string& figure,
                      std::vector<plot::Panel> panels, const nlohmann::json& rows);

struct Figure {
  std::string name;                 ///< of its files
  std::vector<plot::Panel> panels;  ///< side by side where there is room, under one legend
  std::string caption;              ///< plain-text mathematics
  DataTable numbers;                ///< behind the drawings, for readers; none where it has no rows
  nlohmann::json rows;              ///< the same for programs, as report.json has them
};

/// The figure with its legend, caption, table and the links to its files, which are added to
/// `files`; empty without panels.
std::string figure_html(const Figure& figure, FigureFiles& files);

/// How wide a panel is drawn, in user units.
inline constexpr double kPanelWidth = 440;

/// "all tokens" or "without the first token".
std::string tokens_words(bool without_first);

/// The same in a cell of a table: "all" or "all but first".
std::string tokens_cell(bool without_first);

/// The points with that setting of `without_first`, in their order.
template <typename Point>
std::vector<Point> points_with(const std::vector<Point>& points, bool without_first) {
  std::vector<Point> kept;
  for (const Point& point : points) {
    if (point.without_first == without_first) kept.push_back(point);
  }
  return kept;
}

/// "28.2 (15.5 to 34.1)": the mean and the middle half; "-" where there is none. Over windows "28.2
/// (15.5 to 34.1; the mean 27.1 to 29.3)", with the interval of the mean.
std::string spread_text(const MaybeSpread& spread);
std::string number_text(const std::optional<double>& value);  ///< "-" where there is none
std::string mean_text(const MaybeSpread& spread);

/// A point of a line with the middle half of the heads as its band; a gap without a spread.
plot::LinePoint spread_point(double x, const MaybeSpread& spread, const std::string& tooltip);

}  // namespace attn::report
