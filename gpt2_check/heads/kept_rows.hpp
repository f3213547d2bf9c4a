#pragma once

#include <memory>

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// Some rows of a head, one after another, kept when the head is let go: what grows with queries
/// times keys is held of these rows alone, and the rest once for all rows that are kept of a head.
/// Nothing of other rows can be asked for.
class KeptRows {
 public:
  /// The head, which can be asked for what these rows see.
  [[nodiscard]] Head head() const;

 private:
  friend class RowKeeper;
  std::shared_ptr<const Head> rest_;  ///< without scores, pattern and the lists of its mask
  Square scores_, pattern_;
  Mask mask_;
};

/// Keeps rows of one head.
class RowKeeper {
 public:
  /// `head` must outlive it, but not what it keeps.
  explicit RowKeeper(const Head& head);

  /// Keeps the rows from `first` on, at most `count` of them.
  [[nodiscard]] KeptRows keep(Eigen::Index first, Eigen::Index count) const;

 private:
  const Head& head_;
  std::shared_ptr<const Head> rest_;
};

}  // namespace attn::gpt2
