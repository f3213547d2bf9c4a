#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace attn::gpt2 {

/// Tasks that threads begin in the order in which they come, while more of them are still being
/// found: no thread waits for the last of some tasks where there are others. As many threads as
/// are set for `parallel`, the caller's among them while it helps.
class TaskQueue {
 public:
  TaskQueue();
  /// Waits for the tasks at work; those not begun are dropped.
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  /// What a task computes must not depend on those that may be at work beside it.
  void add(std::function<void()> task);

  /// Works on tasks until every one is begun. Throws what a task threw first; the others are then
  /// dropped.
  void help();

  /// Waits until `done` holds, which the tasks' ends alone change. Throws as help() does.
  void wait(const std::function<bool()>& done);

 private:
  void work(const std::stop_token& stop);
  /// Takes the first task and runs it, unlocked.
  void run_first(std::unique_lock<std::mutex>& lock);

  std::mutex guard_;
  std::condition_variable_any has_task_;
  std::condition_variable has_ended_;
  std::deque<std::function<void()>> waiting_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // last: they use all of the above, and stop before it ends
};

}  // namespace attn::gpt2
