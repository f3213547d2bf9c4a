#include "gpt2_check/rows/bound_pair.hpp"

#include <algorithm>

#include "reports/judge/tally.hpp"
#include "reports/windows/quantiles.hpp"

namespace attn::gpt2 {
namespace {

/// Certainly a < b.
bool certainly_less(const Bounds& a, const Bounds& b) {
  return a.upper < b.lower;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<report::Bucket> buckets_of(const std::vector<double>& values) {
  report::Quantiles quantiles;
  for (const double value : values) quantiles.add(value);
  return quantiles.buckets();
}

}  // namespace

void BoundPair::add(const Decision& sharp, const Decision& printed) {
  const auto sharp_ratio = report::tightness(sharp), printed_ratio = report::tightness(printed);
  if (!sharp_ratio || !printed_ratio) return;
  sharp_ratios_.push_back(*sharp_ratio);
  printed_ratios_.push_back(*printed_ratio);
  if (certainly_less(printed.lhs_bounds, sharp.lhs_bounds) ||
      certainly_less(sharp.rhs_bounds, printed.rhs_bounds)) {
    ++tighter_;
  } else if (certainly_less(sharp.lhs_bounds, printed.lhs_bounds) ||
             certainly_less(printed.rhs_bounds, sharp.rhs_bounds)) {
    ++looser_;
  } else if (sharp.verdict == Verdict::equal && printed.verdict == Verdict::equal) {
    ++as_tight_;
  }
}

void BoundPair::merge(const BoundPair& other) {
  tighter_ += other.tighter_;
  as_tight_ += other.as_tight_;
  looser_ += other.looser_;
  sharp_ratios_.insert(sharp_ratios_.end(), other.sharp_ratios_.begin(), other.sharp_ratios_.end());
  printed_ratios_.insert(printed_ratios_.end(), other.printed_ratios_.begin(),
                         other.printed_ratios_.end());
}

std::optional<report::WindowComparison> BoundPair::record() const {
  if (sharp_ratios_.empty()) return std::nullopt;
  report::WindowComparison record;
  record.sharp = std::string(sharp_->id);
  record.printed = std::string(printed_->id);
  record.cases = sharp_ratios_.size();
  record.tighter = tighter_;
  record.as_tight = as_tight_;
  record.looser = looser_;
  record.median_sharp = median(sharp_ratios_);
  record.median_printed = median(printed_ratios_);
  record.sharp_ratios = buckets_of(sharp_ratios_);
  record.printed_ratios = buckets_of(printed_ratios_);
  return record;
}

}  // namespace attn::gpt2
