#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

thread_local Work* current = nullptr;
thread_local std::size_t works = 0;

}  // namespace

Work::Work(Tables& tables, std::size_t budget)
    : number_(++works), before_(current), tables_(tables), left_(budget), apart_(budget) {
  current = this;
}

Work::Work(Apart) : Work(tables(), now().apart_) {
  is_apart_ = true;
}

Work::~Work() {
  if (is_apart_) before_->apart_ = left_;
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
