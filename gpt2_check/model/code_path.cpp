#include "gpt2_check/model/code_path.hpp"

#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <string_view>

namespace attn::gpt2 {

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
