#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "theory/base/launched.hpp"

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
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> stopped{false};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::int64_t i = next++; i < count && !stopped; i = next++) task(i);
    } catch (...) {
      stopped = true;
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::int64_t t = 1; t < std::min<std::int64_t>(threads(), count); ++t) {
        others.emplace_back([&] {
          one_thread();
          work();
        });
      }
    } catch (...) {
      stopped = true;  // else those that were started would do all the work first
      throw;
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

std::string blas_name() {
  using Config = char* (*)();
  // LibTorch takes whatever Debian's alternatives point to, so only the process itself can tell.
  const auto config = reinterpret_cast<Config>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return config == nullptr ? "not OpenBLAS" : config();
}

std::string libtorch_name() {
  constexpr std::string_view kUsed = "CPU capability usage: ";
  const std::string config = at::show_config();
  const std::size_t used = config.find(kUsed);
  if (used == std::string::npos) return TORCH_VERSION;
  const std::size_t begin = used + kUsed.size();
  return TORCH_VERSION " with " + config.substr(begin, config.find('\n', begin) - begin);
}

}  // namespace attn::gpt2
