#include "theory/base/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace attn {

unsigned hardware_threads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return std::max(1U, std::thread::hardware_concurrency());
  }
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
}

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
                  const std::function<void()>& begin_thread) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&](bool begins) {
    try {
      if (begins && begin_thread) begin_thread();
      for (std::size_t i = next++; i < count && !stopped; i = next++) task(i);
    } catch (...) {
      stopped = true;
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t most = std::min<std::size_t>(threads, count);
    for (std::size_t t = 1; t < most; ++t) others.emplace_back(work, true);
    work(false);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace attn
