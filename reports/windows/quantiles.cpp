#include "reports/windows/quantiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "theory/base/quantile.hpp"

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
  for (const Bucket& bucket : buckets) add(bucket.at, bucket.count);
}

void Quantiles::add(double value, std::uint64_t times) {
  least_ = count_ == 0 ? value : std::min(least_, value);
  most_ = count_ == 0 ? value : std::max(most_, value);
  const double middle = middle_of(value);
  auto bucket = std::ranges::lower_bound(buckets_, middle, {}, &Bucket::at);
  if (bucket == buckets_.end() || bucket->at != middle) {
    bucket = buckets_.insert(bucket, {middle, 0});
  }
  bucket->count += times;
  count_ += times;
}

void Quantiles::merge(const Quantiles& other) {
  if (other.count_ == 0) return;
  const double least = count_ == 0 ? other.least_ : std::min(least_, other.least_);
  const double most = count_ == 0 ? other.most_ : std::max(most_, other.most_);
  for (const auto& [middle, count] : other.buckets_) add(middle, count);
  least_ = least;
  most_ = most;
}

double Quantiles::quantile(double p) const {
  const auto at = [&](std::uint64_t rank) {
    for (const auto& [middle, count] : buckets_) {
      if (rank < count) return middle;
      rank -= count;
    }
    throw std::out_of_range("a rank beyond the sample");
  };
  return std::clamp(attn::quantile(count_, p, at), least_, most_);
}

}  // namespace attn::report
