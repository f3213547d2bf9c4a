#include "gpt2_check/cli/threads.hpp"

#include <ATen/Parallel.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
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

void wait_passively(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  execv("/proc/self/exe", argv);  // where it fails, the program goes on as it is
}

}  // namespace attn::gpt2
