#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/measurements.hpp"
#include "reports/plot/box_chart.hpp"
#include "reports/plot/line_chart.hpp"

namespace attn::report {

/// A table of text. The first cell of a row is its heading.
struct DataTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows{};
  std::size_t text_columns{1};  ///< the first so many hold words, the others numbers
};

/// The table, in a frame that scrolls on narrow screens. All text is escaped.
std::string table_html(const DataTable& table);

/// The same behind a line that opens it; empty where the table has no rows.
std::string folded_table(const std::string& summary, const DataTable& table);

/// One drawing of a figure; those of one figure stand side by side where there is room.
struct Panel {
  std::string title;
  std::string drawing;
  std::vector<plot::Key> keys;
};

Panel panel(const std::string& title, const plot::LineChart& chart);
Panel panel(const std::string& title, const plot::BoxChart& chart);

/// A figure with one legend for all its panels, its caption (plain-text mathematics) and the table
/// of its numbers; empty without panels.
std::string figure_html(const std::vector<Panel>& panels, const std::string& caption,
                        const DataTable& numbers);

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

/// "28.2 (15.5 to 34.1)": the mean and the middle half; "-" where there is none.
std::string spread_text(const MaybeSpread& spread);
std::string number_text(const std::optional<double>& value);  ///< "-" where there is none
std::string mean_text(const MaybeSpread& spread);

/// A point of a line with the middle half of the heads as its band; a gap without a spread.
plot::LinePoint spread_point(double x, const MaybeSpread& spread, const std::string& tooltip);

}  // namespace attn::report
