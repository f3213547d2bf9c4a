#pragma once

#include <span>

namespace attn::gpt2 {

/// How the paper's E is read: its prose takes the sum over the other tokens in full, its figure
/// with the factor N/(L-1) that a random N-subset gives it.
enum class Reading { full, factor };

/// One row as E needs it. Arrays are by token, [L], L >= 2.
struct RowOutput {
  std::span<const double> weights;  ///< a_i
  std::span<const double> squares;  ///< ||x_i||^2
  std::span<const double> along;    ///< x_i . o, o = sum_j a_j x_j the head's output
  double output_square{};           ///< ||o||^2
};

/// E = p sum_i ||y_i - c sum_{j != i} y_j||, y_i = a_i x_i, p = (L-N)/L, for N selected tokens and
/// c = 1 (Reading::full) or N/(L-1) (Reading::factor). The latter is a proved lower bound of the
/// expected distance (claim theorem1.random.lower). Double; measured, not certified.
double expected_distance(const RowOutput& row, std::size_t n, Reading reading);

}  // namespace attn::gpt2
