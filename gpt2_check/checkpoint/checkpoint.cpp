#include "gpt2_check/checkpoint/checkpoint.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "gpt2_check/checkpoint/config.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "transformer.";
constexpr const char* kHead = "lm_head.weight";

bool is_mask_buffer(std::string_view name) {
  return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
}

/// Plain name -> name in the file, without the mask buffers.
std::map<std::string, std::string> plain_names(const safetensors::File& file) {
  std::map<std::string, std::string> names;
  for (const auto& [stored, entry] : file.entries()) {
    if (is_mask_buffer(stored)) continue;
    const bool prefixed = stored.starts_with(kPrefix);
    const std::string plain = prefixed ? stored.substr(kPrefix.size()) : stored;
    const auto [other, inserted] = names.emplace(plain, stored);
    if (!inserted) {
      throw BadInput(
          {.kind = BadInputKind::inconsistent,
           .where = file.path().string(),
           .expected = fmt::format("one of the tensors '{}' and '{}'", other->second, stored),
           .found = "both"});
    }
  }
  return names;
}

std::string place(const safetensors::File& file, const std::string& tensor) {
  return fmt::format("{}: tensor '{}'", file.path().string(), tensor);
}

void check_tensor(const safetensors::File& file, const std::string& name,
                  const std::vector<std::int64_t>& shape) {
  const safetensors::Entry& entry = file.entry(name);
  if (entry.shape != shape) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = place(file, name),
                    .expected = fmt::format("shape {}, as config.json makes it", shape),
                    .found = fmt::format("{}", entry.shape)});
  }
  if (!at::isFloatingType(entry.dtype)) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = place(file, name),
                    .expected = "F64, F32, F16 or BF16 weights",
                    .found = c10::toString(entry.dtype)});
  }
}

/// Every tensor that the config asks for, and no other.
void check_tensors(const safetensors::File& file, const Config& config,
                   const std::map<std::string, std::string>& names) {
  std::set<std::string> expected;
  Weights layout;
  for_each_tensor(config, layout, [&](const std::string& name, at::Tensor&, const auto& shape) {
    const auto found = names.find(name);
    if (found == names.end()) {
      throw BadInput({.kind = BadInputKind::missing,
                      .where = place(file, name),
                      .expected = fmt::format("one of shape {}, as config.json asks", shape),
                      .found = "none"});
    }
    check_tensor(file, found->second, shape);
    expected.insert(name);
  });
  for (const auto& [plain, stored] : names) {
    if (!expected.contains(plain)) {
      throw BadInput({.kind = BadInputKind::unsupported,
                      .where = place(file, stored),
                      .expected = fmt::format("the tensors of a GPT-2 of {} layers", config.layers),
                      .found = "one that is no part of it"});
    }
  }
}

fs::path weights_file(const fs::path& folder) {
  const fs::path file = folder / "model.safetensors";
  if (fs::exists(file)) return file;
  if (fs::exists(folder / "model.safetensors.index.json")) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = folder.string(),
                    .expected = "a model.safetensors",
                    .found = "a checkpoint in several files",
                    .advice = "save it as one model.safetensors"});
  }
  throw BadInput({.kind = BadInputKind::missing,
                  .where = folder.string(),
                  .expected = "a model.safetensors",
                  .found = "none",
                  .advice = "save the model with save_pretrained(..., safe_serialization=True)"});
}

/// A file that holds what the config asks for, and no other tensor.
struct CheckedFile {
  explicit CheckedFile(const fs::path& folder)
      : config(load_config(folder / "config.json")),
        file(weights_file(folder)),
        names(plain_names(file)) {
    if (names.contains(kHead)) config.tied_head = false;
    check_tensors(file, config, names);
  }

  Config config;
  safetensors::File file;
  std::map<std::string, std::string> names;
};

bool is_residual_projection(std::string_view name) {
  return name.ends_with("c_proj.weight");
}

bool is_layer_norm(std::string_view name) {
  return name.find("ln_") != std::string_view::npos;
}

}  // namespace

void for_each_tensor(const Config& config, Weights& weights,
                     const std::function<void(const std::string& name, at::Tensor& tensor,
                                              const std::vector<std::int64_t>& shape)>& visit) {
  const std::int64_t width = config.width;
  const std::int64_t inner = config.inner;
  visit("wte.weight", weights.wte, {config.vocabulary, width});
  visit("wpe.weight", weights.wpe, {config.positions, width});
  weights.blocks.resize(static_cast<std::size_t>(config.layers));
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    Block& block = weights.blocks[static_cast<std::size_t>(layer)];
    const std::string prefix = fmt::format("h.{}.", layer);
    visit(prefix + "ln_1.weight", block.ln_1_weight, {width});
    visit(prefix + "ln_1.bias", block.ln_1_bias, {width});
    visit(prefix + "attn.c_attn.weight", block.c_attn_weight, {width, 3 * width});
    visit(prefix + "attn.c_attn.bias", block.c_attn_bias, {3 * width});
    visit(prefix + "attn.c_proj.weight", block.c_proj_weight, {width, width});
    visit(prefix + "attn.c_proj.bias", block.c_proj_bias, {width});
    visit(prefix + "ln_2.weight", block.ln_2_weight, {width});
    visit(prefix + "ln_2.bias", block.ln_2_bias, {width});
    visit(prefix + "mlp.c_fc.weight", block.c_fc_weight, {width, inner});
    visit(prefix + "mlp.c_fc.bias", block.c_fc_bias, {inner});
    visit(prefix + "mlp.c_proj.weight", block.mlp_proj_weight, {inner, width});
    visit(prefix + "mlp.c_proj.bias", block.mlp_proj_bias, {width});
  }
  visit("ln_f.weight", weights.ln_f_weight, {width});
  visit("ln_f.bias", weights.ln_f_bias, {width});
  if (!config.tied_head) visit(kHead, weights.lm_head, {config.vocabulary, width});
}

Checkpoint load_checkpoint(const fs::path& folder, at::ScalarType dtype) {
  Checkpoint checkpoint;
  checkpoint.folder = folder;
  const CheckedFile checked(folder);
  checkpoint.config = checked.config;
  for_each_tensor(checkpoint.config, checkpoint.weights,
                  [&](const std::string& name, at::Tensor& tensor, const auto&) {
                    tensor = checked.file.read_finite(checked.names.at(name)).to(dtype);
                  });
  checkpoint.sha256 = checked.file.sha256();
  return checkpoint;
}

LayerwiseCheckpoint open_checkpoint(const fs::path& folder, at::ScalarType dtype,
                                    at::DeviceType device) {
  const auto checked = std::make_shared<const CheckedFile>(folder);
  LayerwiseCheckpoint checkpoint{
      .sha256 = checked->file.sha256(), .config = checked->config, .weights = {}};
  const auto guard = std::make_shared<std::mutex>();  // the file has one place that it reads at
  const auto read = [=](const std::string& name) {
    const std::lock_guard lock(*guard);
    return checked->file.read_finite(checked->names.at(name)).to(at::Device(device), dtype);
  };
  Weights layout;
  for_each_tensor(checked->config, layout, [&](const std::string& name, at::Tensor&, const auto&) {
    static_cast<void>(checked->file.read_finite(checked->names.at(name)));
  });
  checkpoint.weights.wte = read("wte.weight");
  checkpoint.weights.wpe = read("wpe.weight");
  checkpoint.weights.block = [=](std::int64_t layer) {
    Weights weights;
    const std::string prefix = fmt::format("h.{}.", layer);
    for_each_tensor(checked->config, weights,
                    [&](const std::string& name, at::Tensor& tensor, const auto&) {
                      if (name.starts_with(prefix)) tensor = read(name);
                    });
    return weights.blocks[static_cast<std::size_t>(layer)];
  };
  return checkpoint;
}

LayerwiseCheckpoint layerwise(const Checkpoint& checkpoint) {
  return {.sha256 = checkpoint.sha256,
          .config = checkpoint.config,
          .weights = layerwise(checkpoint.weights)};
}

void save_checkpoint(const fs::path& folder, const Config& config, Weights weights) {
  std::vector<safetensors::Slot> slots;
  for_each_tensor(config, weights, [&](const std::string& name, at::Tensor& tensor, const auto&) {
    slots.push_back({name, tensor.scalar_type(), tensor.sizes().vec()});
  });
  safetensors::Writer writer(folder / "model.safetensors", slots, {{"format", "pt"}});
  for_each_tensor(config, weights, [&](const std::string& name, at::Tensor& tensor, const auto&) {
    writer.append(name, tensor);
  });
  writer.commit();
  write_file(folder / "config.json", to_json_text(config));
}

Weights random_weights(const Config& config, std::uint64_t seed) {
  constexpr double kDeviation = 0.02;
  const double residual_deviation =
      kDeviation / std::sqrt(2.0 * static_cast<double>(config.layers));
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  Weights weights;
  for_each_tensor(
      config, weights, [&](const std::string& name, at::Tensor& tensor, const auto& shape) {
        if (name.ends_with(".bias")) {
          tensor = at::zeros(shape);
        } else if (is_layer_norm(name)) {
          tensor = at::ones(shape);
        } else {
          const double deviation = is_residual_projection(name) ? residual_deviation : kDeviation;
          tensor = at::empty(shape).normal_(0, deviation, generator);
        }
      });
  return weights;
}

}  // namespace attn::gpt2
