#include "gpt2_check/heads/kept_rows.hpp"

#include <algorithm>
#include <utility>

namespace attn::gpt2 {

Head KeptRows::head() const {
  Head head = *rest_;
  head.scores = scores_;
  head.pattern = pattern_;
  head.mask = mask_;
  return head;
}

RowKeeper::RowKeeper(const Head& head) : head_(head) {
  Head rest = head;
  rest.scores = rest.pattern = Square();
  rest.mask.lists.reset();
  rest_ = std::make_shared<const Head>(std::move(rest));
}

KeptRows RowKeeper::keep(Eigen::Index first, Eigen::Index count) const {
  KeptRows kept;
  kept.rest_ = rest_;
  kept.scores_ = head_.scores.only(first, count);
  kept.pattern_ = head_.pattern.only(first, count);
  kept.mask_ = head_.mask;
  if (const auto& lists = head_.mask.lists) {
    const auto begin = static_cast<std::size_t>(first);
    const std::size_t end = std::min(begin + static_cast<std::size_t>(count), lists->size());
    Mask::Lists some(end);
    std::copy(lists->begin() + first, lists->begin() + static_cast<std::ptrdiff_t>(end),
              some.begin() + first);
    kept.mask_.lists = std::make_shared<const Mask::Lists>(std::move(some));
  }
  return kept;
}

}  // namespace attn::gpt2
