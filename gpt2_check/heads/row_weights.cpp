#include "gpt2_check/heads/row_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gpt2_check/heads/geometry.hpp"

namespace attn::gpt2 {

HeadLogits::HeadLogits(const Head& head)
    : values(raw_logits(head)),
      q_length(head.q.rowwise().norm()),
      k_length(head.k.rowwise().norm()),
      width(head.q.cols()),
      from_pattern(head.pattern.size() > 0),
      mask(head.mask) {}

/// Scores are exact. T ln p is rounded by the logarithm and by the product. Of q and k:
/// |computed - exact| <= gamma_d sum |q_c k_c| <= gamma_d ||q|| ||k||; the error of the norms
/// themselves is far below what the 4 adds.
ErrorDouble HeadLogits::at(Eigen::Index row, Eigen::Index token) const {
  if (width == 0) {
    const double value = values(row, token);
    if (!from_pattern || std::isinf(value)) return {value};
    constexpr double kRelative = (2 * ErrorDouble::kLibraryUlps + 2) * ErrorDouble::kUnit;
    return {value, kRelative * std::abs(value) * kBoundSlack + ErrorDouble::kTiny};
  }
  const double error =
      gamma(width + 4) * (q_length(row) + kNormTiny) * (k_length(token) + kNormTiny);
  return {values(row, token), error + ErrorDouble::kTiny};
}

RowWeights::RowWeights(const HeadLogits& head, Eigen::Index row, double temperature,
                       std::size_t depth)
    : first_(head.first(row)) {
  const auto count = static_cast<std::size_t>(head.tokens(row));
  logits_.reserve(count);
  for (Eigen::Index i = 0; i < head.tokens(row); ++i) logits_.push_back(head.at(row, first_ + i));
  put_in_order(std::min(depth, count));

  const ErrorDouble top = logits_[order_.front()];
  const ErrorDouble t(temperature);
  ErrorDouble total(0.0);
  f_.value.reserve(count);
  f_.derivative.reserve(count);
  for (const ErrorDouble& logit : logits_) {
    const bool is_zero = std::isinf(logit.value());
    f_.value.push_back(is_zero ? ErrorDouble(0.0) : exp((logit - top) / t));
    f_.derivative.push_back(f_.value.back() / t);
    total += f_.value.back();
  }
  values_.reserve(count);
  errors_.reserve(count);
  for (const ErrorDouble& value : f_.value) {
    const ErrorDouble weight = value / total;
    values_.push_back(weight.value());
    errors_.push_back(weight.error());
  }
}

void RowWeights::put_in_order(std::size_t depth) {
  order_.resize(logits_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto larger = [&](std::size_t a, std::size_t b) {
    const double x = logits_[a].value();
    const double y = logits_[b].value();
    return x > y || (x == y && a < b);
  };
  const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(depth);
  if (middle != order_.end()) std::nth_element(order_.begin(), middle, order_.end(), larger);
  std::sort(order_.begin(), middle, larger);

  least_before_.assign(depth + 1, std::numeric_limits<double>::infinity());
  most_after_.assign(depth + 1, -std::numeric_limits<double>::infinity());
  for (std::size_t i = depth; i < order_.size(); ++i) {
    most_after_[depth] = std::max(most_after_[depth], logits_[order_[i]].upper());
  }
  for (std::size_t i = 0; i < depth; ++i) {
    least_before_[i + 1] = std::min(least_before_[i], logits_[order_[i]].lower());
  }
  for (std::size_t i = depth; i-- > 0;) {
    most_after_[i] = std::max(most_after_[i + 1], logits_[order_[i]].upper());
  }
}

bool RowWeights::certainly_top(std::size_t n) const {
  return most_after_[n] < least_before_[n];
}

std::optional<SortedWeights<ErrorDouble>> RowWeights::sorted() const {
  if (!certainly_top(1) || (tokens() > 2 && !certainly_top(2))) return std::nullopt;
  SortedWeights<ErrorDouble> w{};
  ErrorDouble others(0.0);
  for (std::size_t i = 1; i < order_.size(); ++i) others += f_.value[order_[i]];
  const ErrorDouble total = f_.value[order_.front()] + others;
  w.a.reserve(tokens());
  for (const std::size_t i : order_) w.a.push_back(f_.value[i] / total);
  w.rest = others / total;
  w.top_tied = false;
  return w;
}

}  // namespace attn::gpt2
