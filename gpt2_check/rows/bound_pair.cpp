#include "gpt2_check/rows/bound_pair.hpp"

#include <utility>

#include "reports/judge/tally.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::gpt2 {
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

PairRecord BoundPair::to_record() const {
  return {.sharp = std::string(sharp_->id),
          .printed = std::string(printed_->id),
          .tighter = tighter_,
          .as_tight = as_tight_,
          .looser = looser_,
          .sharp_ratios = sharp_ratios_.to_record(),
          .printed_ratios = printed_ratios_.to_record()};
}

BoundPair BoundPair::from_record(PairRecord record) {
  BoundPair pair(find_claim(record.sharp), find_claim(record.printed));
  pair.tighter_ = record.tighter;
  pair.as_tight_ = record.as_tight;
  pair.looser_ = record.looser;
  pair.sharp_ratios_ = RatioSample::from_record(std::move(record.sharp_ratios));
  pair.printed_ratios_ = RatioSample::from_record(std::move(record.printed_ratios));
  return pair;
}

}  // namespace attn::gpt2
