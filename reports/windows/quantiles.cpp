#include "reports/windows/quantiles.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace attn::report {
namespace {

/// The middle of the bucket that holds a value. A bucket has one sign, one exponent and the seven
/// leading bits of the significand.
double middle_of(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? 0 : value;
  constexpr unsigned kCut = 52 - 7;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t leading = bits >> kCut << kCut;
  return std::bit_cast<double>(leading | std::uint64_t{1} << (kCut - 1));
}

}  // namespace

Quantiles::Quantiles(const std::vector<Bucket>& buckets) {
  for (const Bucket& bucket : buckets) {
    buckets_[middle_of(bucket.at)] += bucket.count;
    count_ += bucket.count;
  }
}

void Quantiles::add(double value) {
  ++buckets_[middle_of(value)];
  ++count_;
}

void Quantiles::merge(const Quantiles& other) {
  for (const auto& [middle, count] : other.buckets_) buckets_[middle] += count;
  count_ += other.count_;
}

double Quantiles::at(std::uint64_t rank) const {
  for (const auto& [middle, count] : buckets_) {
    if (rank < count) return middle;
    rank -= count;
  }
  throw std::out_of_range("a rank beyond the sample");
}

double Quantiles::quantile(double p) const {
  const double rank = p * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::uint64_t>(rank);
  const double low = at(below);
  if (below + 1 == count_) return low;
  return std::lerp(low, at(below + 1), rank - static_cast<double>(below));
}

std::vector<Bucket> Quantiles::buckets() const {
  std::vector<Bucket> found;
  for (const auto& [middle, count] : buckets_) found.push_back({middle, count});
  return found;
}

}  // namespace attn::report
