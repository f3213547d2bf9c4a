#include "gpt2_check/heads/row_weights.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/geometry.hpp"
#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/sums.hpp"

namespace attn::gpt2 {

namespace {

constexpr Eigen::Index kQueries = 32;  // of a block

}  // namespace

/// Blocks begin at multiples of their size: what a row's logits round to does not depend on the
/// rows that were asked for before.
std::span<const double> LogitRows::at(Eigen::Index row) {
  const auto tokens = static_cast<std::size_t>(head_->tokens(row));
  const Eigen::Index first = head_->first(row);
  if (!head_->has_queries()) {
    if (row != row_ || block_.size() == 0) block_ = raw_logits(*head_, row).transpose();
    row_ = row;
    return {block_.data(), tokens};
  }
  if (row < row_ || row >= row_ + block_.rows()) {
    row_ = row - row % kQueries;
    token_ = head_->first(row_);
    const Eigen::Index count = std::min(kQueries, head_->q.rows() - row_);
    const Eigen::Index last = row_ + count - 1;
    const Eigen::Index seen = head_->first(last) + head_->tokens(last) - token_;
    block_.resize(count, seen);
    times_transposed(head_->q.middleRows(row_, count), head_->k.middleRows(token_, seen), block_);
  }
  return {&block_(row - row_, first - token_), tokens};
}

HeadLogits::HeadLogits(const Head& head)
    : head_(&head),
      rows_(head),
      q_length_(head.q.rowwise().norm()),
      k_length_(head.k.rowwise().norm()) {}

/// Scores are exact, as is the logarithm of 0, whose value less itself is NaN. T ln p is rounded by
/// the logarithm and by the product.
RowLogits HeadLogits::row(Eigen::Index row) {
  const std::span<const double> found = rows_.at(row);
  const Eigen::Map<const Eigen::ArrayXd> value(found.data(), std::ssize(found));
  RowLogits logits{.first = head_->first(row), .values = value, .errors = value - value};
  if (head_->has_queries()) {
    const Eigen::Index width = head_->q.cols();
    const ErrorDouble query = euclidean(q_length_(row), width);
    for (Eigen::Index i = 0; i < value.size(); ++i) {
      const ErrorDouble key = euclidean(k_length_(logits.first + i), width);
      logits.errors(i) = dot_product(value(i), query, key, width).error();
    }
    logits.values += logits.errors - logits.errors;  // what overflowed is no logarithm of 0
  } else if (!head_->pattern.empty()) {
    constexpr double kRelative = (2 * ErrorDouble::kFunctionUlps + 2) * ErrorDouble::kUnit;
    const auto rounding = kRelative * value.abs() * kBoundSlack + ErrorDouble::kTiny;
    logits.errors = value.isInf().select(logits.errors, rounding).eval();
  }
  return logits;
}

RowWeights::RowWeights(RowLogits logits, double temperature, std::size_t depth)
    : logits_(std::move(logits)),
      temperature_(temperature),
      f_(logits_.values.size()),
      f_errors_(f_.size()),
      values_(f_.size()),
      errors_(f_.size()) {
  put_in_order(std::min(depth, tokens()));
  share_out();
}

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH void RowWeights::share_out() {
  const std::size_t first = order_.front();
  const ErrorDouble top = logit(first), t = temperature_;
  in_lanes(tokens(), [&](std::size_t i, std::size_t) ATTN_INLINED {
    const ErrorDouble power = exp((logit(i) - top) / t);
    const bool is_zero = std::isinf(logit(i).value());
    f_.data()[i] = is_zero ? 0 : power.value();
    f_errors_.data()[i] = is_zero ? 0 : power.error();
  });
  others_ = sum_of<ErrorDouble>(
      tokens(), [&](std::size_t i) { return i == first ? ErrorDouble(0, 0) : f(i); });
  const ErrorDouble total = total_ = f(first) + others_;
  in_lanes(tokens(), [&](std::size_t i, std::size_t) ATTN_INLINED {
    const ErrorDouble weight = f(i) / total;
    values_.data()[i] = weight.value();
    errors_.data()[i] = weight.error();
  });
}

/// A token of the first `depth` is put out of the way of the largest of the rest.
void RowWeights::put_in_order(std::size_t depth) {
  order_ = largest_first({logits_.values.data(), tokens()}, depth);
  Eigen::ArrayXd upper = logits_.values + logits_.errors;
  for (std::size_t i = 0; i < depth; ++i) upper.data()[order_[i]] = -kInfinity;
  least_before_.assign(depth + 1, kInfinity);
  most_after_.assign(depth + 1, range_of({upper.data(), tokens()}).most);
  for (std::size_t i = 0; i < depth; ++i) {
    const ErrorDouble one = logit(order_[i]);
    least_before_[i + 1] = std::min(least_before_[i], one.value() - one.error());
  }
  for (std::size_t i = depth; i-- > 0;) {
    const ErrorDouble one = logit(order_[i]);
    most_after_[i] = std::max(most_after_[i + 1], one.value() + one.error());
  }
}

/// upper() and lower() rise with the sums that they round.
bool RowWeights::certainly_top(std::size_t n) const {
  return ErrorDouble(most_after_[n], 0).upper() < ErrorDouble(least_before_[n], 0).lower();
}

std::optional<SortedWeights<ErrorDouble>> RowWeights::sorted() const {
  if (tokens() < 2 || !certainly_top(1) || (tokens() > 2 && !certainly_top(2))) return std::nullopt;
  SortedWeights<ErrorDouble> w{};
  w.a.resize(tokens());
  for (std::size_t i = 0; i < tokens(); ++i) w.a[i] = at(i);
  std::swap(w.a[0], w.a[order_[0]]);
  std::swap(w.a[1], w.a[order_[1] == 0 ? order_[0] : order_[1]]);
  w.rest = others_ / total_;
  w.top_tied = false;
  w.others_tied = tokens() == 2;
  return w;
}

}  // namespace attn::gpt2
