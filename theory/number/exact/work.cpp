#include "theory/number/exact/work.hpp"

#include <algorithm>

namespace attn::symbolic {
namespace {

thread_local Work* current = nullptr;
thread_local std::size_t works = 0;

}  // namespace

Work::Work(Of of, Tables& tables, std::size_t budget)
    : of_(of),
      before_(current),
      number_(of == Of::itself ? ++works : before_->number_),
      tables_(tables),
      given_(budget),
      left_(budget),
      apart_(of == Of::part ? before_->apart_ : budget) {
  current = this;
}

Work::Work(Tables& tables, std::size_t budget) : Work(Of::itself, tables, budget) {}

Work::Work(Apart) : Work(Of::apart, tables(), now().apart_) {}

Work::Work(Part most)
    : Work(Of::part, tables(), std::min(static_cast<std::size_t>(most), now().left_)) {}

Work::~Work() {
  if (of_ == Of::apart) before_->apart_ = left_;
  if (of_ == Of::part) {
    before_->left_ -= given_ - left_;
    before_->apart_ = apart_;
  }
  current = before_;
}

Work& Work::now() {
  if (current == nullptr) throw std::logic_error("an exact number outside of any work");
  return *current;
}

Tables& Work::tables() {
  return now().tables_;
}

std::size_t Work::number() {
  return now().number_;
}

void Work::spend(std::size_t units) {
  Work& work = now();
  if (units > work.left_) throw BeyondExact("it takes too much work");
  work.left_ -= units;
}

}  // namespace attn::symbolic
