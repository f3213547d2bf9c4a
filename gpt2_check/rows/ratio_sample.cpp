#include "gpt2_check/rows/ratio_sample.hpp"

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

}  // namespace attn::gpt2
