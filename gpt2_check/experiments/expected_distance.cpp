#include "gpt2_check/experiments/expected_distance.hpp"

#include <cmath>

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
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < tokens; ++i) {
    const double a = weight[i];
    const double squared = a * (own * a * square[i] - cross * along[i]) + rest;
    sum += std::sqrt(squared > 0 ? squared : 0);
  }
  return sum;
}

}  // namespace

double expected_distance(const RowOutput& row, std::size_t n, Reading reading) {
  const std::size_t tokens = row.weights.size();
  const auto length = static_cast<double>(tokens);
  const auto selected = static_cast<double>(n);
  const double c = reading == Reading::full ? 1 : selected / (length - 1);
  const double sum = sum_of_norms(row.weights.data(), row.squares.data(), row.along.data(), tokens,
                                  row.output_square, c);
  return (length - selected) / length * sum;
}

}  // namespace attn::gpt2
