#include "gpt2_check/bench/load.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <thread>

namespace attn::gpt2 {

std::string load_of_machine() {
  double average = 0;
  const bool is_known = ::getloadavg(&average, 1) == 1;
  return fmt::format("load {} on {} processors",
                     is_known ? fmt::format("{:.1f}", average) : "unknown",
                     std::thread::hardware_concurrency());
}

}  // namespace attn::gpt2
