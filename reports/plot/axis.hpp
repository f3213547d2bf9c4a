#pragma once

#include <string>
#include <vector>

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

}  // namespace attn::plot
