#include "gpt2_check/rows/ratio_sample.hpp"

#include <algorithm>

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
  if (bucketed_.count() > 0) return bucketed_.at(bucketed_.count() / 2);
  std::vector<double> values = exact_;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<report::Bucket> RatioSample::buckets() const {
  report::Quantiles quantiles = bucketed_;
  for (const double ratio : exact_) quantiles.add(ratio);
  return quantiles.buckets();
}

}  // namespace attn::gpt2
