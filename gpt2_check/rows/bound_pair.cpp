#include "gpt2_check/rows/bound_pair.hpp"

#include <string>

#include "reports/judge/tally.hpp"
#include "theory/base/quantile.hpp"

namespace attn::gpt2 {

void RatioSample::add(double ratio) {
  exact_.push_back(ratio);
  keep_bounded();
}

void RatioSample::merge(const RatioSample& other) {
  exact_.insert(exact_.end(), other.exact_.begin(), other.exact_.end());
  bucketed_.merge(other.bucketed_);
  keep_bounded();
}

void RatioSample::keep_bounded() {
  if (count() <= kMostExact) return;
  for (const double ratio : exact_) bucketed_.add(ratio);
  exact_ = {};
}

double RatioSample::median() const {
  return bucketed_.count() > 0 ? bucketed_.quantile(0.5) : attn::median(exact_);
}

std::vector<report::Bucket> RatioSample::buckets() const {
  report::Quantiles quantiles = bucketed_;
  for (const double ratio : exact_) quantiles.add(ratio);
  return quantiles.buckets();
}

namespace {

/// Certainly a < b.
bool certainly_less(const Bounds& a, const Bounds& b) {
  return a.upper < b.lower;
}

}  // namespace

void BoundPair::add(const Decision& sharp, const Decision& printed) {
  const auto sharp_ratio = report::tightness(sharp), printed_ratio = report::tightness(printed);
  if (!sharp_ratio || !printed_ratio) return;
  sharp_ratios_.add(*sharp_ratio);
  printed_ratios_.add(*printed_ratio);
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
  sharp_ratios_.merge(other.sharp_ratios_);
  printed_ratios_.merge(other.printed_ratios_);
}

std::optional<report::WindowComparison> BoundPair::record() const {
  if (sharp_ratios_.count() == 0) return std::nullopt;
  report::WindowComparison record;
  record.sharp = std::string(sharp_->id);
  record.printed = std::string(printed_->id);
  record.cases = sharp_ratios_.count();
  record.tighter = tighter_;
  record.as_tight = as_tight_;
  record.looser = looser_;
  record.median_sharp = sharp_ratios_.median();
  record.median_printed = printed_ratios_.median();
  record.sharp_ratios = sharp_ratios_.buckets();
  record.printed_ratios = printed_ratios_.buckets();
  return record;
}

}  // namespace attn::gpt2
