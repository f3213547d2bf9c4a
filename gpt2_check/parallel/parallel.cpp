#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>

#include <atomic>

#include "theory/base/parallel.hpp"

extern "C" void openblas_set_num_threads(int threads);

namespace attn::gpt2 {
namespace {

std::atomic<int> thread_count{1};

}  // namespace

int default_threads() {
  return static_cast<int>(hardware_threads());
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
  // OpenMP keeps the number for each thread.
  const auto alone = [] { at::set_num_threads(1); };
  parallel_for(
      static_cast<std::size_t>(count), static_cast<unsigned>(threads()),
      [&](std::size_t i) { task(static_cast<std::int64_t>(i)); }, alone);
}

}  // namespace attn::gpt2
