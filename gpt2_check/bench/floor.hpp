#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "gpt2_check/bench/stopwatch.hpp"

namespace attn::gpt2 {

/// Operations on arrays, one element at a time.
enum class Elementwise {
  square_root,   ///< sum of sqrt(a_i)
  exponential,   ///< sum of exp(a_i)
  division,      ///< sum of a_i / b_i
  minimum,       ///< least of a_i - b_i c_i
  multiply_add,  ///< a_i += f b_i
  read           ///< largest entry of an [L, L] matrix, which no inner cache holds
};
inline constexpr std::array kElementwiseNames{"square roots", "exponentials",  "divisions",
                                              "minima",       "multiply-adds", "reads"};

/// Some floating-point operations of matrix products [m, k] [k, n].
struct ProductWork {
  int m{}, n{}, k{};
  double flops{};
};

/// What can't be saved of a computation as it is written: its matrix products and its operations
/// on elements.
struct Work {
  std::vector<ProductWork> products;
  std::array<double, kElementwiseNames.size()> elements{};  ///< by Elementwise

  double& operator[](Elementwise kind) { return elements[static_cast<std::size_t>(kind)]; }
};

Work operator+(Work a, const Work& b);
Work operator*(double times, Work work);

/// The times that work takes on one thread of this machine where nothing else is done.
class Floor {
 public:
  /// Adds to the stopwatch one product of each shape, and each operation on elements. `tokens`:
  /// the size of arrays and of the matrix that is read.
  Floor(Stopwatch& stopwatch, const std::vector<Work>& works, Eigen::Index tokens);

  /// After the stopwatch has run.
  [[nodiscard]] double seconds(const Work& work) const;
  [[nodiscard]] double flops_per_second(const ProductWork& product) const;
  [[nodiscard]] double per_second(Elementwise kind) const;

 private:
  const Stopwatch* stopwatch_;
  Eigen::Index tokens_;
};

}  // namespace attn::gpt2
