// What recordings of today's libraries are read as, beside what NumPy makes of the same models. The
// folders are named by ATTN_RECORDER_FILES and ATTN_HUNT_FILES; without them, or without a file in
// them, a test is skipped.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/diag.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/softmax.h>

#include <cstdlib>
#include <optional>
#include <ostream>

#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

/// How a file is read.
struct Reads {
  std::uint64_t above{},
      rows{};              ///< rows with ||diag(a) - a a^T|| > 1/4, of those that see two keys
  std::string mask{};      ///< the report's words; empty: causal
  bool is_contradicted{};  ///< in every layer
  std::uint64_t padding{};
};

/// How a file is refused.
using Refused = BadInputParts;

struct FileCase {
  const char* folder;  ///< the variable that names it
  const char* file;
  test::Metadata said;  ///< put in the place of the file's own, where it is not empty
  std::optional<Reads> reads;
  std::optional<Refused> refused;
  friend void PrintTo(const FileCase& one, std::ostream* out) { *out << one.file; }
};

constexpr const char* kRecorder = "ATTN_RECORDER_FILES";
constexpr const char* kHunt = "ATTN_HUNT_FILES";
constexpr auto kInconsistent = BadInputKind::inconsistent;

Refused asked(std::string found, std::string advice) {
  return {.kind = kInconsistent, .found = std::move(found), .advice = std::move(advice)};
}

const std::vector<FileCase>& cases() {
  static const std::vector<FileCase> all{
      {kRecorder, "bert_tl43_scores_v", {}, {}, asked("weights: none is below 0", "hook_pattern")},
      {kRecorder, "leftpad_zeros", {}, {}, asked("whose row is level over 28 keys", "padding")},
      {kRecorder,
       "leftpad_zeros",
       {{"padding", "[0, 1, 2, 3, 4, 5]"}},
       Reads{.above = 114, .rows = 168, .padding = 6},
       {}},
      {kRecorder, "leftpad_cut", {}, Reads{.above = 114, .rows = 168}, {}},
      {kRecorder, "bert_scores_full", {}, Reads{.above = 87, .rows = 224, .mask = "full"}, {}},
      {kRecorder, "mistral_fp16_scores_widened", {}, {}, asked("-65504 at", "hidden_below")},
      {kRecorder,
       "mistral_fp16_scores_widened",
       {{"hidden_below", "-65504"}},
       Reads{.above = 153, .rows = 216, .mask = "window:8"},
       {}},
      {kRecorder,
       "mistral_fp16_scores",
       {},
       Reads{.above = 153, .rows = 216, .mask = "window:8"},
       {}},
      {kRecorder, "llama_before_rotary", {}, Reads{.above = 158, .rows = 216}, {}},
      {kRecorder, "gpt2_heads_first", {}, {}, asked("28 heads of 4 positions", "transpose(0, 1)")},
      {kRecorder, "nope_first_rot_only", {}, Reads{.above = 150, .rows = 216}, {}},
      {kRecorder,
       "hunyuan_tl43_readme",
       {},
       Reads{.above = 71, .rows = 216, .is_contradicted = true},
       {}},
      {kRecorder, "llama_bf16_sharp", {}, Reads{.above = 105, .rows = 216}, {}},
      {kRecorder,
       "gemma4_pattern_v",
       {},
       Reads{.above = 160, .rows = 324, .mask = "window:8,causal,causal"},
       {}},
      {kRecorder, "dsv3_qkv_pattern", {}, Reads{.above = 140, .rows = 216}, {}},
      {kRecorder, "llama_tl43_readme", {}, Reads{.above = 161, .rows = 216}, {}},
      {kRecorder,
       "gemma2_interface",
       {},
       Reads{.above = 157, .rows = 216, .mask = "window:8,causal"},
       {}},
      {kRecorder,
       "fw_keras_scores_named_scores_full",
       {},
       {},
       asked("weights: none is below 0", "hook_pattern")},
      {kRecorder, "fw_flax_leftpad_zeros", {}, {}, asked("level over 16 keys", "padding")},
      {kRecorder, "fw_flax_leftpad", {}, {}, asked("level over 16 keys", "padding")},
      {kRecorder,
       "fw_flax_leftpad",
       {{"padding", "[0, 1, 2, 3]"}},
       Reads{.above = 19, .rows = 44, .padding = 4},
       {}},
      {kRecorder,
       "fw_onnx_mode2_fp16_rightpad_widened",
       {},
       {},
       asked("do they hide keys?", "hidden_below")},
      {kRecorder, "fw_torch_zero_attn", {}, {}, asked("16", "add_zero_attn")},
      {kRecorder, "fw_xt_memkv", {}, {}, asked("16", "memory keys")},
      {kRecorder,
       "fw_xt_softclamp_qksim_pattern",
       {},
       Reads{.above = 65, .rows = 120, .is_contradicted = true},
       {}},
      {kRecorder,
       "gptoss_scores_v_pattern",
       {},
       Reads{.above = 99, .rows = 216, .mask = "window:8,causal", .is_contradicted = true},
       {}},
      {kRecorder, "whisper_cross", {}, Reads{.above = 103, .rows = 160, .mask = "full"}, {}},
      {kRecorder,
       "fw_torch_train_dropout_zeros",
       {},
       Reads{.above = 33, .rows = 59, .mask = "recorded"},
       {}},
      {kHunt, "sums_of_two", {}, Reads{.above = 23, .rows = 30}, {}},
      {kHunt, "dropout", {}, Reads{.above = 23, .rows = 30}, {}},
      {kHunt, "formula_name", {}, Reads{.above = 10, .rows = 14}, {}},
      {kHunt, "cross_attention", {}, Reads{.above = 6, .rows = 8, .mask = "full"}, {}},
      {kHunt, "cross_square", {}, Reads{.above = 6, .rows = 8, .mask = "recorded"}, {}},
      {kHunt,
       "two_not_finite",
       {},
       {},
       {{.kind = BadInputKind::out_of_range, .where = "hook_v", .found = "inf at [5, 1, 2]"}}},
      {kHunt,
       "padding_1e9",
       {{"hidden_below", "-1e9"}},
       Reads{.above = 11, .rows = 16, .padding = 3},
       {}},
      {kHunt, "padding_1e9", {}, {}, asked("-1e+09 at", "hidden_below")},
      {kHunt, "hf_layout", {}, {}, asked("[head, position, d_head]", "transpose(0, 1)")},
  };
  return all;
}

class Files : public ::testing::WithParamInterface<FileCase>, public test::WithRecording {
 protected:
  /// The recording of the test; nothing where it is not there.
  [[nodiscard]] std::optional<std::filesystem::path> path() const {
    const char* files = std::getenv(GetParam().folder);
    if (files == nullptr) return std::nullopt;
    auto path = std::filesystem::path(files) / (std::string(GetParam().file) + ".safetensors");
    if (!std::filesystem::exists(path)) return std::nullopt;
    if (GetParam().said.empty()) return path;
    const safetensors::File original(path);
    test::Tensors tensors;
    for (const auto& [name, entry] : original.entries()) tensors[name] = original.read(name);
    const auto copy = folder / "said.safetensors";
    safetensors::write(copy, tensors, GetParam().said);
    return copy;
  }
};

/// [query, key] of a head: the weights.
at::Tensor weights_of(const LayerRows& layer, std::int64_t head, const at::Tensor& seen) {
  if (layer.weights.defined()) {
    const at::Tensor weights = layer.weights[head].to(at::kDouble);
    return weights / weights.sum(-1, true);
  }
  at::Tensor logits;
  if (layer.scores.defined()) {
    logits = layer.scores[head].to(at::kDouble);
  } else {
    const std::int64_t group = layer.q.size(1) / layer.k.size(1);
    logits = layer.q.select(1, head).mm(layer.k.select(1, head / group).t());
  }
  return at::softmax((logits / layer.temperature).masked_fill(seen.logical_not(), -test::kInfinity),
                     -1);
}

TEST_P(Files, AreReadOrRefused) {
  const auto file = path();
  if (!file) {
    GTEST_SKIP() << GetParam().folder << " names no folder with " << GetParam().file
                 << ".safetensors";
  }
  if (GetParam().refused) {
    EXPECT_BAD_INPUT(layers_of(*open_recording(*file)), *GetParam().refused);
    return;
  }
  const Reads& expected = GetParam().reads.value();
  const auto source = open_recording(*file);
  EXPECT_EQ(source->shape().mask_words, expected.mask);
  EXPECT_EQ(source->shape().padding, expected.padding);
  Reads found;
  for (const LayerShape& layer : source->shape().layers) {
    EXPECT_EQ(layer.is_contradicted, expected.is_contradicted) << layer.layer;
  }
  std::size_t index = 0;
  source->for_each_layer([&](const LayerRows& layer) {
    const LayerShape shape = source->shape().layers[index++];
    const at::Tensor seen = seen_keys(layer, shape.queries, shape.keys);
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      const at::Tensor of_head = square_of(seen, head);
      const at::Tensor weights = weights_of(layer, head, of_head);
      for (std::int64_t row = 0; row < shape.queries; ++row) {
        if (of_head[row].sum().item<std::int64_t>() < 2) continue;
        const at::Tensor a = weights[row];
        const double norm =
            at::linalg_eigvalsh(at::diag(a) - at::outer(a, a)).abs().max().item<double>();
        ++found.rows;
        if (norm > 0.25) ++found.above;
      }
    }
  });
  EXPECT_EQ(found.above, expected.above);
  EXPECT_EQ(found.rows, expected.rows);
}

INSTANTIATE_TEST_SUITE_P(Recorded, Files, ::testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.file;
  for (const auto& [key, value] : info.param.said) name += "_" + key;
  return name;
});

}  // namespace
}  // namespace attn::gpt2
