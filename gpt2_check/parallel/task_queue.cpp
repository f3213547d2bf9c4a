#include "gpt2_check/parallel/task_queue.hpp"

#include <utility>

#include "gpt2_check/parallel/parallel.hpp"

namespace attn::gpt2 {

TaskQueue::TaskQueue() {
  const int others = threads() - 1;
  for (int t = 0; t < others; ++t) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

TaskQueue::~TaskQueue() {
  const std::lock_guard lock(guard_);
  waiting_.clear();
}

void TaskQueue::add(std::function<void()> task) {
  const std::lock_guard lock(guard_);
  waiting_.push_back(std::move(task));
  has_task_.notify_one();
}

void TaskQueue::help() {
  std::unique_lock lock(guard_);
  while (!failure_ && !waiting_.empty()) run_first(lock);
  if (failure_) std::rethrow_exception(failure_);
}

void TaskQueue::wait(const std::function<bool()>& done) {
  std::unique_lock lock(guard_);
  has_ended_.wait(lock, [&] { return failure_ || done(); });
  if (failure_) std::rethrow_exception(failure_);
}

void TaskQueue::work(const std::stop_token& stop) {
  one_thread();
  std::unique_lock lock(guard_);
  while (has_task_.wait(lock, stop, [&] { return !failure_ && !waiting_.empty(); })) {
    run_first(lock);
  }
}

void TaskQueue::run_first(std::unique_lock<std::mutex>& lock) {
  const std::function<void()> task = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  std::exception_ptr failure;
  try {
    task();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (!failure_) failure_ = failure;
  has_ended_.notify_all();
}

}  // namespace attn::gpt2
