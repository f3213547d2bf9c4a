#include "gpt2_check/heads/arrays.hpp"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

namespace {

/// A size as BLAS takes it.
int size(Eigen::Index n) {
  return static_cast<int>(n);
}

struct LexicographicOrder {
  bool operator()(std::span<const double> a, std::span<const double> b) const {
    return std::ranges::lexicographical_compare(a, b);
  }
};

}  // namespace

Rows times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b) {
  Rows c(a.rows(), b.rows());
  times_transposed(a, b, c);
  return c;
}

void times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b,
                      Eigen::Ref<Rows> c) {
  if (c.size() == 0) return;
  if (a.cols() == 0) {  // which BLAS has no strides for
    c.setZero();
    return;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, size(a.rows()), size(b.rows()),
              size(a.cols()), 1.0, a.data(), size(a.outerStride()), b.data(), size(b.outerStride()),
              0.0, c.data(), size(c.outerStride()));
}

Rows times(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b) {
  Rows c(a.rows(), b.cols());
  if (c.size() == 0) return c;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(a.rows()), size(b.cols()),
              size(a.cols()), 1.0, a.data(), size(a.outerStride()), b.data(), size(b.outerStride()),
              0.0, c.data(), size(c.outerStride()));
  return c;
}

std::vector<std::size_t> first_alike(const Rows& x) {
  const auto width = static_cast<std::size_t>(x.cols());
  std::map<std::span<const double>, std::size_t, LexicographicOrder> firsts;
  std::vector<std::size_t> alike;
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.rows()); ++i) {
    alike.push_back(firsts.try_emplace({x.data() + i * width, width}, i).first->second);
  }
  return alike;
}

ATTN_EACH_VECTOR_WIDTH Range range_of(std::span<const double> values) {
  const double* const value = values.data();
  Lanes least = Lanes::all(kInfinity), most = Lanes::all(-kInfinity);
  in_lanes(values.size(), [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    least.at[lane] = value[i] < least.at[lane] ? value[i] : least.at[lane];
    most.at[lane] = value[i] > most.at[lane] ? value[i] : most.at[lane];
  });
  return {least.least(), most.most()};
}

namespace {

constexpr std::uint32_t kBuckets = 512;
constexpr std::uint32_t kNoNumber = kBuckets;  // the bucket of NaN

/// The bucket of each key, which grows as keys fall: each step from key to bucket is monotone. The
/// last one of numbers takes all that lies infinitely far below the largest.
ATTN_EACH_VECTOR_WIDTH void put_in_buckets(const double* keys, std::size_t count,
                                           std::uint32_t* buckets) {
  const auto [least, largest] = range_of({keys, count});
  const double range = largest - least;
  constexpr double kLast = kBuckets - 1;
  const double scale = range > 0 && range < kInfinity ? kLast / range : 1;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const double key = keys[i];
    const double place = key < largest ? (largest - key) * scale : 0;
    const double bucket = place < kLast ? place : kLast;
    buckets[i] = static_cast<std::uint32_t>(
        static_cast<std::int32_t>(std::isnan(key) ? double{kNoNumber} : bucket));
  }
}

}  // namespace

std::vector<std::size_t> largest_first(std::span<const double> keys, std::size_t depth) {
  std::vector<std::size_t> order(keys.size());
  if (keys.empty()) return order;
  std::vector<std::uint32_t> buckets(keys.size());
  put_in_buckets(keys.data(), keys.size(), buckets.data());
  std::array<std::size_t, kBuckets + 2> ends{};  // of a bucket: first where it begins
  for (const std::uint32_t bucket : buckets) ++ends[bucket + 1];
  for (std::uint32_t b = 0; b < kBuckets; ++b) ends[b + 1] += ends[b];
  for (std::size_t i = 0; i < keys.size(); ++i) order[ends[buckets[i]]++] = i;

  const auto is_before = [&](std::size_t a, std::size_t b) {
    return keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
  };
  std::size_t begin = 0;
  for (std::uint32_t b = 0; b < kBuckets && begin < depth; ++b) {
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    std::sort(at(begin), at(ends[b]), is_before);
    begin = ends[b];
  }
  return order;
}

std::vector<std::size_t> largest(std::span<const double> keys, std::size_t count) {
  std::vector<std::size_t> order = largest_first(keys, count);
  order.resize(count);
  return order;
}

}  // namespace attn::gpt2
