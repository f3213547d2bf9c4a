#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

extern "C" void openblas_set_num_threads(int threads);

namespace attn::gpt2 {
namespace {

std::atomic<int> thread_count{1};

}  // namespace

int default_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void set_threads(int threads) {
  at::set_num_threads(1);
  openblas_set_num_threads(1);
  thread_count = threads;
}

int threads() {
  return thread_count;
}

void parallel(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::int64_t i = next++; i < count; i = next++) task(i);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> pool;
    const std::int64_t most = std::min<std::int64_t>(threads(), count);
    for (std::int64_t t = 1; t < most; ++t) {
      pool.emplace_back([&] {
        at::set_num_threads(1);  // OpenMP keeps the number for each thread
        work();
      });
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace attn::gpt2
