#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gpt2_check/checkpoint/safetensors.hpp"

namespace attn::safetensors {

/// Writes all of `tensors`, in the order of their names.
inline void write(const std::filesystem::path& path,
                  const std::map<std::string, at::Tensor>& tensors,
                  const std::map<std::string, std::string>& metadata = {}) {
  std::vector<Slot> slots;
  for (const auto& [name, tensor] : tensors) {
    slots.push_back({name, tensor.scalar_type(), tensor.sizes().vec()});
  }
  Writer writer(path, std::move(slots), metadata);
  for (const auto& [name, tensor] : tensors) writer.append(name, tensor);
  writer.commit();
}

}  // namespace attn::safetensors
