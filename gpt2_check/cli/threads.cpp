#include "gpt2_check/cli/threads.hpp"

#include <ATen/Parallel.h>

#include <algorithm>
#include <thread>

extern "C" void openblas_set_num_threads(int threads);

namespace attn::gpt2 {

int default_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void set_threads(int threads) {
  at::set_num_threads(threads);
  openblas_set_num_threads(threads);
}

}  // namespace attn::gpt2
