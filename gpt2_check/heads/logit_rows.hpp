#pragma once

#include <span>

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// The raw logits of a head, row by row. Those of a block of rows are computed at once and dropped
/// for the next block, so that rows asked for in order cost one matrix product and no L x L
/// numbers are kept.
class LogitRows {
 public:
  /// `head` must outlive it.
  explicit LogitRows(const Head& head) : head_(&head) {}

  /// l_i of the tokens that the row sees; until another row is asked for.
  std::span<const double> at(Eigen::Index row);

 private:
  const Head* head_;
  Eigen::VectorXd listed_;  ///< of a row whose tokens are listed
  Rows block_;              ///< [rows, tokens]
  Eigen::Index row_{};      ///< the first row of the block
  Eigen::Index token_{};    ///< and its first token
};

}  // namespace attn::gpt2
