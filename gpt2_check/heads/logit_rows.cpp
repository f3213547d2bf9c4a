#include "gpt2_check/heads/logit_rows.hpp"

#include <algorithm>

#include "gpt2_check/heads/matrix.hpp"

namespace attn::gpt2 {
namespace {

constexpr Eigen::Index kQueries = 32;  // of a block

}  // namespace

/// Blocks begin at multiples of their size: what a row's logits round to does not depend on the
/// rows that were asked for before.
std::span<const double> LogitRows::at(Eigen::Index row) {
  const auto tokens = static_cast<std::size_t>(head_->tokens(row));
  if (head_->mask.lists) {
    listed_ = raw_logits(*head_, row);
    return {listed_.data(), tokens};
  }
  const Eigen::Index first = head_->first(row);
  if (!head_->has_queries()) return {&head_->scores(row, first), tokens};
  if (row < row_ || row >= row_ + block_.rows()) {
    row_ = row - row % kQueries;
    token_ = head_->first(row_);
    const Eigen::Index count = std::min(kQueries, head_->positions() - row_);
    const Eigen::Index last = row_ + count - 1;
    const Eigen::Index seen = head_->first(last) + head_->tokens(last) - token_;
    block_.resize(count, seen);
    times_transposed(head_->q.middleRows(row_, count), head_->k.middleRows(token_, seen), block_);
  }
  return {&block_(row - row_, first - token_), tokens};
}

}  // namespace attn::gpt2
