#include "gpt2_check/heads/row_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gpt2_check/heads/geometry.hpp"
#include "gpt2_check/heads/largest.hpp"

namespace attn::gpt2 {

HeadLogits::HeadLogits(const Head& head)
    : head_(&head),
      rows_(head),
      q_length_(head.q.rowwise().norm()),
      k_length_(head.k.rowwise().norm()) {}

RowLogits HeadLogits::row(Eigen::Index row) {
  const std::span<const double> values = rows_.at(row);
  RowLogits logits{.first = head_->first(row), .values = {}};
  logits.values.reserve(values.size());
  Eigen::Index token = logits.first;
  for (const double value : values) logits.values.push_back(enclosed(value, row, token++));
  return logits;
}

/// Scores are exact. T ln p is rounded by the logarithm and by the product. Of q and k:
/// |computed - exact| <= gamma_d sum |q_c k_c| <= gamma_d ||q|| ||k||; the error of the norms
/// themselves is far below what the 4 adds.
ErrorDouble HeadLogits::enclosed(double value, Eigen::Index row, Eigen::Index token) const {
  if (head_->has_queries()) {
    const double error =
        gamma(head_->q.cols() + 4) * (q_length_(row) + kNormTiny) * (k_length_(token) + kNormTiny);
    return {value, error + ErrorDouble::kTiny};
  }
  if (head_->pattern.size() == 0 || std::isinf(value)) return {value};
  constexpr double kRelative = (2 * ErrorDouble::kLibraryUlps + 2) * ErrorDouble::kUnit;
  return {value, kRelative * std::abs(value) * kBoundSlack + ErrorDouble::kTiny};
}

RowWeights::RowWeights(RowLogits logits, double temperature, std::size_t depth)
    : first_(logits.first), logits_(std::move(logits.values)), temperature_(temperature) {
  const std::size_t count = logits_.size();
  put_in_order(std::min(depth, count));

  const ErrorDouble top = logits_[order_.front()];
  ErrorDouble total(0.0);
  f_.reserve(count);
  for (const ErrorDouble& logit : logits_) {
    const bool is_zero = std::isinf(logit.value());
    f_.push_back(is_zero ? ErrorDouble(0.0) : exp((logit - top) / temperature_));
    total += f_.back();
  }
  values_.reserve(count);
  errors_.reserve(count);
  for (const ErrorDouble& value : f_) {
    const ErrorDouble weight = value / total;
    values_.push_back(weight.value());
    errors_.push_back(weight.error());
  }
}

void RowWeights::put_in_order(std::size_t depth) {
  std::vector<double> values;
  values.reserve(logits_.size());
  for (const ErrorDouble& logit : logits_) values.push_back(logit.value());
  order_ = largest_first(values, depth);

  least_before_.assign(depth + 1, std::numeric_limits<double>::infinity());
  most_after_.assign(depth + 1, -std::numeric_limits<double>::infinity());
  // upper() rises with the sum that it rounds, so that the largest sum is rounded alone.
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = depth; i < order_.size(); ++i) {
    const ErrorDouble& logit = logits_[order_[i]];
    most = std::max(most, logit.value() + logit.error());
  }
  if (most > -std::numeric_limits<double>::infinity())
    most_after_[depth] = ErrorDouble(most).upper();
  for (std::size_t i = 0; i < depth; ++i) {
    least_before_[i + 1] = std::min(least_before_[i], logits_[order_[i]].lower());
  }
  for (std::size_t i = depth; i-- > 0;) {
    most_after_[i] = std::max(most_after_[i + 1], logits_[order_[i]].upper());
  }
}

Normalized<ErrorDouble> RowWeights::normalized() const {
  Normalized<ErrorDouble> f{.value = f_, .derivative = {}};
  f.derivative.reserve(f_.size());
  for (const ErrorDouble& value : f_) f.derivative.push_back(value / temperature_);
  return f;
}

bool RowWeights::certainly_top(std::size_t n) const {
  return most_after_[n] < least_before_[n];
}

std::optional<SortedWeights<ErrorDouble>> RowWeights::sorted() const {
  if (!certainly_top(1) || (tokens() > 2 && !certainly_top(2))) return std::nullopt;
  SortedWeights<ErrorDouble> w{};
  ErrorDouble others(0.0);
  for (std::size_t i = 1; i < order_.size(); ++i) others += f_[order_[i]];
  const ErrorDouble total = f_[order_.front()] + others;
  w.a.reserve(tokens());
  for (const std::size_t i : order_) w.a.push_back(f_[i] / total);
  w.rest = others / total;
  w.top_tied = false;
  return w;
}

}  // namespace attn::gpt2
