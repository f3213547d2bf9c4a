#include "theory/base/processor.hpp"

#include <sys/utsname.h>

#include <fstream>

namespace attn {
namespace {

std::string family() {
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown";
}

/// What target_clones chooses by.
std::string vectors() {
#ifdef ATTN_HAS_VECTOR_WIDTHS
  if (__builtin_cpu_supports("avx512f")) return " with avx512f";
  if (__builtin_cpu_supports("avx2")) return " with avx2";
#endif
  return {};
}

/// " (name)", of the first processor that Linux lists.
std::string name() {
  std::ifstream listed("/proc/cpuinfo");
  for (std::string line; std::getline(listed, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return " (" + line.substr(start) + ")";
  }
  return {};
}

}  // namespace

std::string processor() {
  return family() + vectors() + name();
}

}  // namespace attn
