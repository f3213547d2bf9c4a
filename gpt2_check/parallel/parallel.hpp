#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace attn::gpt2 {

/// The threads that this machine runs at once; at least 1.
int default_threads();

/// How many threads `parallel` uses, 1 until it is set. LibTorch and OpenBLAS get one each: how
/// they cut an operation up, and so its rounding, would depend on the number of threads, and theirs
/// would wait for each other's cores. To be called from the main thread.
void set_threads(int threads);
int threads();

/// Keeps LibTorch to the calling thread alone: OpenMP has a number for each thread. For a thread
/// that `parallel` has not started.
void one_thread();

/// Runs task(0..count-1), each once, on the threads that are set. What a task computes must not
/// depend on the others. The first exception is thrown again.
void parallel(std::int64_t count, const std::function<void(std::int64_t)>& task);

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

/// The BLAS that is loaded, its version and the processor's family that its kernels are of; "not
/// OpenBLAS" where it is another.
std::string blas_name();

/// LibTorch's version and the vectors that its kernels use: "1.13.0 with AVX512". It takes those of
/// the processor as /proc/cpuinfo tells them, or of ATEN_CPU_CAPABILITY; other kernels give other
/// last digits.
std::string libtorch_name();

}  // namespace attn::gpt2
