#include "gpt2_check/checkpoint/checkpoint.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"
#include "theory/base/sha256.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

/// What wrappers put before the names: of distributed training, of torch.compile, of a model with a
/// head.
constexpr std::string_view kPrefixes[] = {"module.", "_orig_mod.", "transformer."};
constexpr const char* kEmbeddings = "wte.weight";
constexpr const char* kHead = "lm_head.weight";
/// Heads of other tasks, which attention does not read: those of transformers, then the values that
/// trl and trlX learn.
constexpr std::string_view kOtherHeads[] = {
    "score.", "classifier.", "qa_outputs.", "multiple_choice_head.", "v_head.", "ilql_heads."};

/// Whether a tensor is the buffer of a mask, or of another head.
bool is_skipped(std::string_view plain_name) {
  return plain_name.ends_with(".attn.bias") || plain_name.ends_with(".attn.masked_bias") ||
         std::ranges::any_of(kOtherHeads, [&](auto head) { return plain_name.starts_with(head); });
}

std::string without_prefixes(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kPrefixes);) {
    const bool found = name.starts_with(kPrefixes[i]);
    if (found) name.remove_prefix(kPrefixes[i].size());
    i = found ? 0 : i + 1;
  }
  return std::string(name);
}

/// The files that model.safetensors.index.json names.
std::set<fs::path> files_of_index(const fs::path& index) {
  const auto refuse = [&](const std::string& found) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = index.string(),
                    .expected = "a field weight_map, an object from tensors to names of files",
                    .found = found});
  };
  const std::string text = read_file(index);
  nlohmann::json document;
  try {
    document = read_json(text, "JSON");
  } catch (const BadInput& error) {
    throw error.within(index.string());
  }
  const nlohmann::json map =
      document.is_object() ? document.value("weight_map", nlohmann::json()) : nlohmann::json();
  if (!map.is_object() || map.empty()) refuse("none");
  std::set<fs::path> files;
  for (const auto& [tensor, file] : map.items()) {
    if (!file.is_string()) refuse(shown_json(file));
    const fs::path name = file.get<std::string>();
    if (!name.has_filename() || name != name.filename()) refuse(shown_json(file));
    files.insert(index.parent_path() / name);
  }
  return files;
}

std::set<fs::path> weights_files(const fs::path& folder) {
  const fs::path file = folder / "model.safetensors";
  const fs::path index = folder / "model.safetensors.index.json";
  if (fs::exists(file)) return {file};
  if (fs::exists(index)) return files_of_index(index);
  throw BadInput({.kind = BadInputKind::missing,
                  .where = folder.string(),
                  .expected = "a model.safetensors, or a model.safetensors.index.json",
                  .found = "none",
                  .advice = "save the model with save_pretrained(..., safe_serialization=True)"});
}

/// The files of a checkpoint, which hold what the config asks for, and no other tensor.
class CheckedFiles {
 public:
  /// `needs_head`: whether the checkpoint is to give logits too, and not attention alone.
  CheckedFiles(const fs::path& folder, bool needs_head)
      : folder_(folder), config_(load_config(folder / "config.json")) {
    for (const fs::path& path : weights_files(folder)) files_.emplace_back(path);
    for (const safetensors::File& file : files_) note_names(file);
    if (tensors_.contains(kHead)) config_.tied_head = false;
    Config needed = config_;
    if (!needs_head && !tensors_.contains(kHead)) needed.tied_head = true;
    check_tensors(needed);
  }

  [[nodiscard]] const Config& config() const { return config_; }

  /// A tensor by its plain name, without the rows that pad the vocabulary.
  [[nodiscard]] at::Tensor read(const std::string& name) const {
    const Stored& stored = tensors_.at(name);
    const at::Tensor tensor = stored.file->read_finite(stored.name);
    return is_by_token(name) ? tensor.slice(0, 0, config_.vocabulary) : tensor;
  }

  void check_all_finite() const {
    for (const auto& [name, stored] : tensors_) static_cast<void>(read(name));
  }

  [[nodiscard]] std::string sha256() const {
    if (files_.size() == 1) return files_.front().sha256();
    std::string list;
    for (const safetensors::File& file : files_) {
      list += fmt::format("{}  {}\n", file.sha256(), file.path().filename().string());
    }
    return attn::sha256(list);
  }

 private:
  struct Stored {
    const safetensors::File* file;
    std::string name;
  };

  static bool is_by_token(const std::string& name) { return name == kEmbeddings || name == kHead; }

  void note_names(const safetensors::File& file) {
    for (const auto& [stored, entry] : file.entries()) {
      const std::string plain = without_prefixes(stored);
      if (is_skipped(plain)) continue;
      const auto [other, inserted] = tensors_.emplace(plain, Stored{&file, stored});
      file.complaint().unless(
          inserted, BadInputKind::inconsistent, "",
          fmt::format("one of the tensors '{}' and '{}'", other->second.name, stored), "both");
    }
  }

  void check_tensor(const std::string& name, const std::vector<std::int64_t>& shape) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) refuse_missing(name, shape);
    const auto& [file, stored] = found->second;
    const safetensors::Entry& entry = file->entry(stored);
    std::vector<std::int64_t> used = entry.shape;
    if (is_by_token(name) && !used.empty()) used[0] = std::min(used[0], config_.vocabulary);
    const bool transposed = std::vector(shape.rbegin(), shape.rend()) == entry.shape;
    file->complaint().unless(used == shape, BadInputKind::inconsistent, safetensors::place(stored),
                             fmt::format("shape {}, as config.json makes it", shape),
                             fmt::format("{}", entry.shape),
                             transposed ? "transpose the weights of nn.Linear: y = x W + b" : "");
    file->complaint().unless(at::isFloatingType(entry.dtype), BadInputKind::malformed,
                             safetensors::place(stored), "F64, F32, F16 or BF16 weights",
                             c10::toString(entry.dtype));
  }

  /// Names a tensor that would be it but for a prefix.
  [[noreturn]] void refuse_missing(const std::string& name,
                                   const std::vector<std::int64_t>& shape) const {
    const auto longer = std::ranges::find_if(
        tensors_, [&](const auto& tensor) { return tensor.first.ends_with("." + name); });
    const bool prefixed = longer != tensors_.end();
    const fs::path& searched = files_.size() == 1 ? files_.front().path() : folder_;
    safetensors::Complaint(searched).refuse(
        BadInput({.kind = BadInputKind::missing,
                  .where = safetensors::place(name),
                  .expected = fmt::format("one of shape {}, as config.json asks", shape),
                  .found = prefixed ? in_quotes(longer->second.name) : "none",
                  .advice = prefixed ? "save the model without that prefix" : ""}));
  }

  /// Every tensor that the config asks for, and no other.
  void check_tensors(const Config& needed) const {
    std::set<std::string> expected;
    Weights layout;
    for_each_tensor(needed, layout, [&](const std::string& name, at::Tensor&, const auto& shape) {
      check_tensor(name, shape);
      expected.insert(name);
    });
    for (const auto& [plain, stored] : tensors_) {
      stored.file->complaint().unless(
          expected.contains(plain), BadInputKind::unsupported, safetensors::place(stored.name),
          fmt::format("the tensors of a GPT-2 of {} layers", needed.layers),
          "one that is no part of it");
    }
  }

  fs::path folder_;
  Config config_;
  std::deque<safetensors::File> files_;
  std::map<std::string, Stored> tensors_;  ///< by plain name, without the mask buffers
};

}  // namespace

void for_each_tensor(const Config& config, Weights& weights,
                     const std::function<void(const std::string& name, at::Tensor& tensor,
                                              const std::vector<std::int64_t>& shape)>& visit) {
  const std::int64_t width = config.width;
  const std::int64_t inner = config.inner;
  visit(kEmbeddings, weights.wte, {config.vocabulary, width});
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
  const CheckedFiles checked(folder, /*needs_head=*/true);
  checkpoint.config = checked.config();
  for_each_tensor(checkpoint.config, checkpoint.weights,
                  [&](const std::string& name, at::Tensor& tensor, const auto&) {
                    tensor = checked.read(name).to(dtype);
                  });
  checkpoint.sha256 = checked.sha256();
  return checkpoint;
}

LayerwiseCheckpoint open_checkpoint(const fs::path& folder, at::ScalarType dtype,
                                    at::DeviceType device, bool needs_head) {
  const auto checked = std::make_shared<const CheckedFiles>(folder, needs_head);
  LayerwiseCheckpoint checkpoint{.sha256 = {}, .config = checked->config(), .weights = {}};
  // Each reads all of the files.
  parallel(2, [&](std::int64_t task) {
    if (task == 0) checkpoint.sha256 = checked->sha256();
    if (task == 1) checked->check_all_finite();
  });
  const auto guard = std::make_shared<std::mutex>();  // a file has one place that it reads at
  const auto read = [=](const std::string& name) {
    const std::lock_guard lock(*guard);
    return checked->read(name).to(at::Device(device), dtype);
  };
  checkpoint.weights.wte = read(kEmbeddings);
  checkpoint.weights.wpe = read("wpe.weight");
  checkpoint.weights.block = [=](std::int64_t layer) {
    Weights weights;
    const std::string prefix = fmt::format("h.{}.", layer);
    for_each_tensor(checked->config(), weights,
                    [&](const std::string& name, at::Tensor& tensor, const auto&) {
                      if (name.starts_with(prefix)) tensor = read(name);
                    });
    return weights.blocks[static_cast<std::size_t>(layer)];
  };
  return checkpoint;
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
  for_each_tensor(config, weights,
                  [&](const std::string& name, at::Tensor& tensor, const auto& shape) {
                    if (name.ends_with(".bias")) {
                      tensor = at::zeros(shape);
                    } else if (name.find("ln_") != std::string::npos) {
                      tensor = at::ones(shape);
                    } else {
                      const bool adds_to_residual = name.ends_with("c_proj.weight");
                      const double deviation = adds_to_residual ? residual_deviation : kDeviation;
                      tensor = at::empty(shape).normal_(0, deviation, generator);
                    }
                  });
  return weights;
}

}  // namespace attn::gpt2
