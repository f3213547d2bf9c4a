#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// a b^T for a [m, k] and b [n, k], by BLAS.
Rows times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b);

/// Writes a b^T for a [m, k] and b [n, k] into `c` [m, n], by BLAS.
void times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b,
                      Eigen::Ref<Rows> c);

/// a b for a [m, k] and b [k, n], by BLAS.
Rows times(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b);

/// For each row of x [m, d] the index of the first row with its numbers.
std::vector<std::size_t> first_alike(const Rows& x);

/// The least and the largest of the numbers among some values; infinity and -infinity of none.
struct Range {
  double least, most;
};
Range range_of(std::span<const double> values);

/// The indices of all keys: first the `depth` largest keys, largest first, ties to the lower index;
/// then the others in no order. NaN comes after all numbers. depth <= number of keys.
///
/// A bucket sort, of which only the buckets that reach into the first `depth` are put in order: the
/// keys that most rows have lie so that a bucket there holds one or two.
std::vector<std::size_t> largest_first(std::span<const double> keys, std::size_t depth);

/// The indices of the `count` largest keys, largest first, ties to the lower index.
std::vector<std::size_t> largest(std::span<const double> keys, std::size_t count);

}  // namespace attn::gpt2
