#pragma once

#include <string>
#include <vector>

namespace attn::plot {

/// A label on an axis, at a position in the drawing.
struct Tick {
  double position{};
  std::string label;
};

/// Maps [domain_low, domain_high] linearly onto [range_low, range_high].
class LinearScale {
 public:
  LinearScale(double domain_low, double domain_high, double range_low, double range_high);
  [[nodiscard]] double operator()(double value) const;

 private:
  double domain_low_, domain_high_, range_low_, range_high_;
};

/// The axis of a ratio lhs/rhs: linear over [0, 1], where a bound is kept, and, past a gap,
/// logarithmic from 1 to `highest`, where it is broken. Without ratios above 1 the linear part
/// takes the whole width.
class RatioScale {
 public:
  /// `highest`: the largest ratio to show; infinity is drawn at the right end. `left` < `right`.
  RatioScale(double highest, double left, double right);

  /// The position of a ratio; below 0 counts as 0, NaN is placed at the left end.
  [[nodiscard]] double operator()(double ratio) const;

  [[nodiscard]] bool is_broken() const { return decades_ > 0; }
  [[nodiscard]] double linear_end() const { return linear_end_; }  ///< position of ratio 1
  [[nodiscard]] double broken_start() const { return broken_start_; }
  [[nodiscard]] std::vector<Tick> ticks() const;

 private:
  double left_, right_, linear_end_, broken_start_;
  double decades_{};  ///< powers of ten above 1; 0 where nothing exceeds 1
};

}  // namespace attn::plot
