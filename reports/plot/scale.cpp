#include "reports/plot/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attn::plot {
namespace {

constexpr double kLinearShare = 0.72;  // of the width, where some ratio exceeds 1
constexpr double kGap = 14;
constexpr double kTickSpace = 34;  // what the label of a power of ten needs

std::string power_of_ten(double exponent) {
  if (exponent <= 2) return fmt::format("{:.0f}", std::pow(10.0, exponent));
  return fmt::format("1e{:.0f}", exponent);
}

}  // namespace

LinearScale::LinearScale(double domain_low, double domain_high, double range_low, double range_high)
    : domain_low_(domain_low),
      domain_high_(domain_high),
      range_low_(range_low),
      range_high_(range_high) {}

double LinearScale::operator()(double value) const {
  if (!(domain_high_ > domain_low_)) return range_low_;
  return range_low_ +
         (value - domain_low_) / (domain_high_ - domain_low_) * (range_high_ - range_low_);
}

RatioScale::RatioScale(double highest, double left, double right)
    : left_(left), right_(right), linear_end_(right), broken_start_(right) {
  if (!(highest > 1.0)) return;
  const double finite = std::min(highest, 1e300);
  decades_ = std::max(1.0, std::ceil(std::log10(finite)));
  linear_end_ = left + kLinearShare * (right - left);
  broken_start_ = linear_end_ + kGap;
}

double RatioScale::operator()(double ratio) const {
  if (!(ratio > 0)) return left_;
  if (!(ratio > 1) || !is_broken()) return left_ + std::min(ratio, 1.0) * (linear_end_ - left_);
  const double share = std::min(1.0, std::log10(ratio) / decades_);
  return broken_start_ + share * (right_ - broken_start_);
}

std::vector<Tick> RatioScale::ticks() const {
  std::vector<Tick> ticks;
  for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    ticks.push_back({(*this)(value), fmt::format("{:g}", value)});
  }
  const double most = std::max(1.0, std::floor((right_ - broken_start_) / kTickSpace));
  const double step = std::max(1.0, std::ceil(decades_ / most));
  for (double exponent = step; exponent <= decades_; exponent += step) {
    const double share = exponent / decades_;
    ticks.push_back({broken_start_ + share * (right_ - broken_start_), power_of_ten(exponent)});
  }
  return ticks;
}

}  // namespace attn::plot
