#include "gpt2_check/experiments/expected_distance.hpp"

#include <cmath>

#include "gpt2_check/heads/lanes.hpp"
#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

/// sum_i ||(1 + c) y_i - c o||, which is y_i - c (o - y_i).
ATTN_EACH_VECTOR_WIDTH double sum_of_norms(const double* weight, const double* square,
                                           const double* along, std::size_t tokens,
                                           double output_square, double c) {
  const double own = (1 + c) * (1 + c);
  const double cross = 2 * c * (1 + c);
  const double rest = c * c * output_square;
  Lanes sum;
  in_lanes(tokens, [&](std::size_t i, std::size_t lane) {
    const double a = weight[i];
    const double squared = a * (own * a * square[i] - cross * along[i]) + rest;
    sum.at[lane] += std::sqrt(squared > 0 ? squared : 0);
  });
  return sum.sum();
}

}  // namespace

ExpectedDistance::ExpectedDistance(const RowOutput& row) : row_(row), full_sum_(sum(1)) {}

double ExpectedDistance::full(std::size_t n) const {
  return share(n) * full_sum_;
}

double ExpectedDistance::factor(std::size_t n) const {
  return share(n) * sum(static_cast<double>(n) / static_cast<double>(row_.weights.size() - 1));
}

/// p.
double ExpectedDistance::share(std::size_t n) const {
  const auto length = static_cast<double>(row_.weights.size());
  return (length - static_cast<double>(n)) / length;
}

double ExpectedDistance::sum(double c) const {
  return sum_of_norms(row_.weights.data(), row_.squares.data(), row_.along.data(),
                      row_.weights.size(), row_.output_square, c);
}

}  // namespace attn::gpt2
