#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reports/plot/svg.hpp"

namespace attn::plot {

/// A label on an axis, at a position in the drawing.
struct Tick {
  double position{};
  std::string label;
};

enum class Spacing { linear, logarithmic };

/// One axis of a chart: maps [low, high] onto [from, to], linearly or by the logarithm of the value
/// (then 0 < low). A value outside [low, high] is placed at the nearer end, NaN at the lower.
class Axis {
 public:
  Axis(Spacing spacing, double low, double high, double from, double to);

  [[nodiscard]] double operator()(double value) const;
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

  /// A few round values between the ends.
  [[nodiscard]] std::vector<Tick> ticks() const;

 private:
  Spacing spacing_;
  double low_, high_, from_, to_;
};

/// The axis whose ends are the round values around [low, high]. A linear one reaches to 0 at least;
/// a logarithmic one shows no more than kMostDecades below `high`, which must be positive.
Axis rounded_axis(Spacing spacing, double low, double high, double from, double to);
inline constexpr double kMostDecades = 9;

/// A number on an axis: "0.001", "1000", "1e5".
std::string tick_text(double value);

/// Counts of ratios lhs/rhs: equal bins over [0, 1], then one bar, set apart, for what exceeds 1.
struct RatioHistogram {
  std::string label;                ///< what the figure shows, for those who cannot see it
  std::vector<std::uint64_t> bins;  ///< two or more; the last counts ratios above 1
  std::string css_class;            ///< the CSS class of the bars over [0, 1]
};

Svg draw(const RatioHistogram& histogram);

/// What the dots of a chart stand for, in each of its rows in the same order.
struct DotKind {
  std::string name;
  std::string css_class;
  Mark mark{Mark::circle};
};

/// One line of a dot chart: a ratio for each kind.
struct DotRow {
  std::string label;
  std::vector<double> ratios{};
};

/// Ratios lhs/rhs from 0 to 1, one row a bound, the dots of a row joined by a line. A ratio above 1
/// is drawn at 1.
struct DotChart {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::vector<DotKind> kinds{};
  std::vector<DotRow> rows{};
};

Svg draw(const DotChart& chart);

/// One cell: a value in [0, 1] drawn as the strength of one hue, so that the map reads the same on
/// light and dark pages and in grey.
struct HeatCell {
  unsigned row{}, column{};
  double value{};
  bool is_over{};  ///< drawn in the hue of violations, with an outline
};

/// Layers (rows, the first at the top) by heads (columns), in few strengths of the hue: a map of
/// any number of heads is a handful of elements.
struct HeatMap {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::vector<HeatCell> cells{};
};

Svg draw(const HeatMap& map);

/// A measured point, with the range of the middle half of its samples. What is not finite, or not
/// positive on a logarithmic axis, is a gap in the line.
struct LinePoint {
  double x{}, y{};
  double low{std::numeric_limits<double>::quiet_NaN()}, high{low};  ///< a band where low < high
};

struct LineSeries {
  std::string name;  ///< written at the end of the line
  std::string css_class;
  std::optional<Mark> mark{};       ///< on each point; none for a line that was not measured
  std::vector<LinePoint> points{};  ///< in order of x
};

/// A shaded range of y across a chart.
struct Region {
  std::string name;
  double low{}, high{};
};

/// Values against x, which is drawn logarithmically where it is positive and spans a factor of ten.
struct LineChart {
  std::string label;  ///< what the figure shows, for those who cannot see it
  std::string x_label, y_label;
  Spacing y_spacing{Spacing::linear};  ///< a linear y starts at 0
  bool is_of_shares{};                 ///< y from 0 to 1; what lies outside is a gap
  std::vector<LineSeries> series{};
  std::optional<Region> region{};
};

/// Whether any point can be drawn.
bool has_points(const LineChart& chart);

Svg draw(const LineChart& chart);

/// Where labels of this height go so that none covers another: as near to `wished` as the order
/// allows, between `top` and `bottom` where there is room for all.
std::vector<double> spread_out(const std::vector<double>& wished, double height, double top,
                               double bottom);

}  // namespace attn::plot
