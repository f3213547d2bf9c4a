#include "gpt2_check/hub/pins.hpp"

#include <algorithm>
#include <stdexcept>

namespace attn::hub {

const PinnedFile& Pin::file(const std::string& name) const {
  const auto found = std::ranges::find(files, name, &PinnedFile::name);
  if (found == files.end()) throw std::out_of_range(name);
  return *found;
}

const Pin& gpt2_pin() {
  static const Pin pin{
      "openai-community/gpt2",
      "607a30d783dfa663caf39e06633721c8d4cfcd7e",
      {{"config.json", 665, "0daed7749b4f02b8f76240d5444551d7b08712dab4d0adb8239c56ba823bb7b4"},
       {"vocab.json", 1042301, "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"},
       {"merges.txt", 456318, "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"},
       {"model.safetensors", 548105171,
        "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707"}}};
  return pin;
}

const Pin* find_pin(const std::string& repository) {
  return repository == gpt2_pin().repository ? &gpt2_pin() : nullptr;
}

}  // namespace attn::hub
