#pragma once

#include <span>

namespace attn::gpt2 {

/// One row as E needs it. Arrays are by token, [L], L >= 2.
struct RowOutput {
  std::span<const double> weights;  ///< a_i
  std::span<const double> squares;  ///< ||x_i||^2
  std::span<const double> along;    ///< x_i . o, o = sum_j a_j x_j the head's output
  double output_square{};           ///< ||o||^2
};

/// E = p sum_i ||y_i - c sum_{j != i} y_j||, y_i = a_i x_i, p = (L-N)/L, for N selected tokens of a
/// row. The paper's prose takes the sum over the other tokens in full, its figure with the factor
/// N/(L-1) that a random N-subset gives it. Double; measured, not certified.
class ExpectedDistance {
 public:
  /// What `row` refers to must outlive it.
  explicit ExpectedDistance(const RowOutput& row);

  [[nodiscard]] double full(std::size_t n) const;    ///< c = 1
  [[nodiscard]] double factor(std::size_t n) const;  ///< c = N/(L-1): a proved lower bound of the
                                                     ///< expected distance (theorem1.random.lower)

 private:
  [[nodiscard]] double share(std::size_t n) const;
  [[nodiscard]] double sum(double c) const;

  RowOutput row_;
  double full_sum_;
};

}  // namespace attn::gpt2
