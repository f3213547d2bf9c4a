#include "gpt2_check/rows/bound_pair.hpp"

#include <algorithm>

#include "reports/judge/tally.hpp"

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

std::optional<report::ComparisonRecord> BoundPair::record() const {
  if (sharp_ratios_.empty()) return std::nullopt;
  return report::ComparisonRecord{.sharp = std::string(sharp_->id),
                                  .printed = std::string(printed_->id),
                                  .cases = sharp_ratios_.size(),
                                  .tighter = tighter_,
                                  .as_tight = as_tight_,
                                  .looser = looser_,
                                  .median_sharp = median(sharp_ratios_),
                                  .median_printed = median(printed_ratios_)};
}

}  // namespace attn::gpt2
