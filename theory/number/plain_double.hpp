#pragma once

#include <algorithm>
#include <cmath>

namespace attn {

/// What the formulas ask of a scalar, for a double without an error bound. It encloses nothing: it
/// is what the cost of the filter is measured against, and never decides a verdict.
inline double square(double x) {
  return x * x;
}
inline double abs(double x) {
  return std::abs(x);
}
inline double max(double x, double y) {
  return std::max(x, y);
}
inline double min(double x, double y) {
  return std::min(x, y);
}
inline double sqrt_nonnegative(double x) {
  return std::sqrt(std::max(x, 0.0));
}
inline double log1p(double x) {
  return std::log1p(x);
}
inline double expm1(double x) {
  return std::expm1(x);
}
inline double log_positive(double x) {
  return std::log(x);
}

}  // namespace attn
