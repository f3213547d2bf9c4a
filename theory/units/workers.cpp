#include "theory/units/workers.hpp"

#include <utility>

namespace attn::units {

Workers::Workers(unsigned threads, const Compute& compute) : compute_(compute) {
  for (unsigned t = 0; t < threads; ++t) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

Workers::~Workers() {
  const std::lock_guard lock(guard_);
  waiting_.clear();
}

void Workers::begin(std::uint64_t id, std::string input) {
  const std::lock_guard lock(guard_);
  waiting_.push_back({id, std::move(input)});
  has_work_.notify_one();
}

std::optional<Finished> Workers::finished(std::chrono::milliseconds patience) {
  std::unique_lock lock(guard_);
  if (!has_result_.wait_for(lock, patience, [&] { return !finished_.empty(); })) return {};
  Finished first = std::move(finished_.front());
  finished_.pop_front();
  return first;
}

void Workers::work(const std::stop_token& stop) {
  std::unique_lock lock(guard_);
  while (has_work_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    const Waiting unit = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    Finished result = computed(unit);
    lock.lock();
    finished_.push_back(std::move(result));
    has_result_.notify_one();
  }
}

Finished Workers::computed(const Waiting& unit) const {
  try {
    return {unit.id, compute_(unit.input), nullptr};
  } catch (...) {
    return {unit.id, {}, std::current_exception()};
  }
}

}  // namespace attn::units
