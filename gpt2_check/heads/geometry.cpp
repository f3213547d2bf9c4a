#include "gpt2_check/heads/geometry.hpp"

#include <cmath>

namespace attn::gpt2 {

Geometry::Geometry(const Head& head)
    : x(head.x),
      squares(x.rowwise().squaredNorm()),
      lengths(squares.cwiseSqrt()),
      longest(lengths.size() == 0 ? 0 : lengths.maxCoeff()) {}

/// Each computed distance d errs by at most max(root, relative w / d) w, w = 2 longest, and d +
/// relative w^2 / d grows with d from d = root w on: what holds for the largest covers the rest.
ErrorDouble Geometry::spread(double largest_square) const {
  const ExpandedDistance expanded(x.cols());
  const double w = 2 * longest;
  const double distance = std::sqrt(largest_square);
  const double least = expanded.root * w;
  const double error = distance > least ? expanded.relative * w * w / distance : 2 * least;
  return {distance, (error + 2 * ErrorDouble::kUnit * distance) * kBoundSlack + kNormTiny};
}

}  // namespace attn::gpt2
