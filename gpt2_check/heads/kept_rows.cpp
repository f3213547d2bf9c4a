#include "gpt2_check/heads/kept_rows.hpp"

#include <utility>

namespace attn::gpt2 {

Head KeptRows::head() const {
  Head head = *rest_;
  head.scores = scores_;
  head.pattern = pattern_;
  return head;
}

RowKeeper::RowKeeper(const Head& head) : head_(head) {
  Head rest = head;
  rest.scores = rest.pattern = Square();
  rest_ = std::make_shared<const Head>(std::move(rest));
}

KeptRows RowKeeper::keep(Eigen::Index first, Eigen::Index count) const {
  KeptRows kept;
  kept.rest_ = rest_;
  kept.scores_ = head_.scores.only(first, count);
  kept.pattern_ = head_.pattern.only(first, count);
  return kept;
}

}  // namespace attn::gpt2
