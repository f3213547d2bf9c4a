#include <fmt/format.h>

#include <regex>

#include "gpt2_check/activations/remarks.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {

std::vector<std::string> remarks_on_names(const safetensors::File& file) {
  static const std::regex attention(R"(.*hook_(q|k|v|rot_q|rot_k|attn_scores|pattern))");
  static const std::regex read(R"(blocks\.\d{1,6}\.attn\.hook_\w+)");
  std::string first;
  std::uint64_t count = 0;
  for (const auto& [name, entry] : file.entries()) {
    // Most tensors of a checkpoint are none of these, and a regular expression takes long.
    if (name.find("hook_") == std::string::npos) continue;
    if (!std::regex_match(name, attention) || std::regex_match(name, read)) continue;
    if (first.empty()) first = name;
    ++count;
  }
  if (count == 0) return {};
  const std::string tensors =
      count == 1 ? fmt::format("tensor {} is", in_quotes(first))
                 : fmt::format("{} tensors such as {} are", count, in_quotes(first));
  return {fmt::format("{} not read: those of a layer are blocks.{{i}}.attn.hook_...", tensors)};
}

}  // namespace attn::gpt2
