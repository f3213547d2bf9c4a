#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>

#include <atomic>

#include "theory/base/parallel.hpp"

extern "C" void openblas_set_num_threads(int threads);
extern "C" void omp_set_num_threads(int threads);

namespace attn::gpt2 {
namespace {

std::atomic<int> thread_count{1};

}  // namespace

int default_threads() {
  return static_cast<int>(hardware_threads());
}

void set_threads(int threads) {
  one_thread();
  openblas_set_num_threads(1);
  thread_count = threads;
}

int threads() {
  return thread_count;
}

void one_thread() {
  // Not at::set_num_threads: it starts a pool of threads that nothing here uses, and that waits for
  // ever where a thread cannot be started. At the first use in a thread LibTorch sets the number
  // that it would have: that must come first.
  at::get_num_threads();
  omp_set_num_threads(1);
}

void parallel(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  parallel_for(
      static_cast<std::size_t>(count), static_cast<unsigned>(threads()),
      [&](std::size_t i) { task(static_cast<std::int64_t>(i)); }, one_thread);
}

}  // namespace attn::gpt2
