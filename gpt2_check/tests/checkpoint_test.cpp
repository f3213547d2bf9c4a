#include "gpt2_check/checkpoint/checkpoint.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <chrono>

#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"
#include "theory/base/sha256.hpp"

namespace attn::gpt2 {
namespace {

using test::lively_weights;
using test::small_config;
using test::tensor_map;

class CheckpointFolder : public test::WithFolder {
 protected:
  void SetUp() override { tensors = tensor_map(config, lively_weights(config)); }

  void save() const {
    write("config.json", to_json_text(config));
    safetensors::write(folder / "model.safetensors", tensors);
  }

  void expect_refused(const BadInputParts& parts) const {
    save();
    EXPECT_BAD_INPUT(load_checkpoint(folder, at::kFloat), parts);
    EXPECT_BAD_INPUT(open_checkpoint(folder, at::kFloat, at::kCPU), parts);
  }

  Config config = small_config();
  std::map<std::string, at::Tensor> tensors;
};

TEST_F(CheckpointFolder, LoadsEveryTensorWhereItBelongs) {
  save();
  const Checkpoint loaded = load_checkpoint(folder, at::kFloat);
  const auto found = tensor_map(loaded.config, loaded.weights);
  ASSERT_EQ(found.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) EXPECT_TRUE(at::equal(found.at(name), tensor)) << name;
  EXPECT_TRUE(
      at::equal(loaded.weights.blocks[1].mlp_proj_weight, tensors["h.1.mlp.c_proj.weight"]));
  EXPECT_TRUE(at::equal(loaded.weights.blocks[0].c_proj_bias, tensors["h.0.attn.c_proj.bias"]));
  EXPECT_TRUE(loaded.config.tied_head);
  EXPECT_FALSE(loaded.weights.lm_head.defined());
  EXPECT_EQ(loaded.sha256, sha256(read_file(folder / "model.safetensors")));
}

TEST_F(CheckpointFolder, IsReadLayerByLayer) {
  save();
  const Checkpoint whole = load_checkpoint(folder, at::kDouble);
  const LayerwiseCheckpoint open = open_checkpoint(folder, at::kDouble, at::kCPU);
  EXPECT_EQ(open.sha256, whole.sha256);
  EXPECT_TRUE(at::equal(open.weights.wte, whole.weights.wte));
  EXPECT_TRUE(at::equal(open.weights.wpe, whole.weights.wpe));
  for (const std::int64_t layer : {1, 0, 1}) {
    const Block found = open.weights.block(layer);
    const Block& expected = whole.weights.blocks[static_cast<std::size_t>(layer)];
    EXPECT_TRUE(at::equal(found.ln_1_bias, expected.ln_1_bias)) << layer;
    EXPECT_TRUE(at::equal(found.c_attn_weight, expected.c_attn_weight)) << layer;
    EXPECT_TRUE(at::equal(found.mlp_proj_bias, expected.mlp_proj_bias)) << layer;
  }
}

TEST_F(CheckpointFolder, IsReadByThreadsAtTheSameTime) {
  save();
  const Checkpoint whole = load_checkpoint(folder, at::kDouble);
  const LayerwiseCheckpoint open = open_checkpoint(folder, at::kDouble, at::kCPU);
  set_threads(4);
  parallel(40, [&](std::int64_t i) {
    const std::int64_t layer = i % 2;
    const Block& expected = whole.weights.blocks[static_cast<std::size_t>(layer)];
    EXPECT_TRUE(at::equal(open.weights.block(layer).c_fc_weight, expected.c_fc_weight)) << i;
  });
}

TEST_F(CheckpointFolder, SaysThatItsFileHasBecomeShorter) {
  save();
  const LayerwiseCheckpoint open = open_checkpoint(folder, at::kFloat, at::kCPU);
  std::filesystem::resize_file(folder / "model.safetensors", 3000);
  EXPECT_BAD_INPUT(open.weights.block(1), {.kind = BadInputKind::unreadable,
                                           .where = "model.safetensors",
                                           .advice = "did the file change?"});
}

/// The hash in a report is that of what was read.
TEST_F(CheckpointFolder, SaysThatItsFileHasBecomeAnother) {
  save();
  const auto file = folder / "model.safetensors";
  const LayerwiseCheckpoint open = open_checkpoint(folder, at::kFloat, at::kCPU);
  const safetensors::File tensors_of_file(file);
  EXPECT_NO_THROW(open.weights.block(1));
  EXPECT_NO_THROW(static_cast<void>(tensors_of_file.sha256()));
  const BadInputParts changed = {.kind = BadInputKind::inconsistent,
                                 .where = "model.safetensors",
                                 .expected = "the file that was opened",
                                 .found = "one written since then"};
  std::filesystem::last_write_time(
      file, std::filesystem::last_write_time(file) + std::chrono::milliseconds(1));
  EXPECT_BAD_INPUT(open.weights.block(1), changed);
  EXPECT_BAD_INPUT(tensors_of_file.sha256(), changed);
}

TEST_F(CheckpointFolder, WidensHalfFormatsExactly) {
  for (const auto type : {at::kHalf, at::kBFloat16}) {
    for (auto& [name, tensor] : tensors) tensor = tensor.to(type);
    save();
    for (const auto wide : {at::kFloat, at::kDouble}) {
      const Checkpoint loaded = load_checkpoint(folder, wide);
      EXPECT_EQ(loaded.weights.wte.scalar_type(), wide);
      EXPECT_TRUE(at::equal(loaded.weights.wte, tensors["wte.weight"].to(wide)));
      EXPECT_TRUE(at::equal(loaded.weights.wte.to(type), tensors["wte.weight"]));
    }
  }
}

TEST_F(CheckpointFolder, TakesPrefixesAndSkipsMaskBuffersAndOtherHeads) {
  write("config.json", to_json_text(config));
  std::map<std::string, at::Tensor> stored;
  for (const std::string prefix : {"_orig_mod.", "module._orig_mod.transformer.", "transformer."}) {
    stored.clear();
    for (const auto& [name, tensor] : tensors) stored[prefix + name] = tensor;
    stored[prefix + "h.0.attn.bias"] = at::ones({1, 1, 16, 16}, at::kByte);
    stored[prefix + "h.0.attn.masked_bias"] = at::scalar_tensor(-1e4);
    for (const std::string head : {"score.weight", "classifier.weight", "qa_outputs.weight",
                                   "multiple_choice_head.summary.bias", "v_head.summary.weight",
                                   "module.v_head.summary.bias", "ilql_heads.v_head.0.weight"}) {
      stored[head] = at::ones({2, 12});
    }
    safetensors::write(folder / "model.safetensors", stored);
    const Checkpoint loaded = load_checkpoint(folder, at::kFloat);
    EXPECT_TRUE(at::equal(loaded.weights.wpe, tensors["wpe.weight"])) << prefix;
  }

  stored["h.0.ln_1.bias"] = at::zeros({12});
  safetensors::write(folder / "model.safetensors", stored);
  EXPECT_BAD_INPUT(load_checkpoint(folder, at::kFloat),
                   {.kind = BadInputKind::inconsistent,
                    .where = "model.safetensors",
                    .expected = "'h.0.ln_1.bias' and 'transformer.h.0.ln_1.bias'",
                    .found = "both"});
}

TEST_F(CheckpointFolder, NamesAPrefixThatItDoesNotKnow) {
  std::map<std::string, at::Tensor> prefixed;
  for (const auto& [name, tensor] : tensors) prefixed["gpt." + name] = tensor;
  std::swap(tensors, prefixed);
  expect_refused({.kind = BadInputKind::missing,
                  .where = "tensor 'wte.weight'",
                  .found = "'gpt.wte.weight'",
                  .advice = "without that prefix"});
}

TEST_F(CheckpointFolder, IsReadFromSeveralFiles) {
  write("config.json", to_json_text(config));
  std::map<std::string, at::Tensor> parts[2];
  std::string map;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t part = name.starts_with("h.1") ? 1 : 0;
    parts[part][name] = tensor;
    map += (map.empty() ? "" : ",") + ('"' + name + "\": \"part-" + std::to_string(part) + '"');
  }
  const auto index = [&](const std::string& weights) {
    write("model.safetensors.index.json", R"({"metadata": {}, "weight_map": {)" + weights + "}}");
  };
  index(map);
  safetensors::write(folder / "part-0", parts[0]);
  const auto refused = [&](const BadInputParts& refusal) {
    EXPECT_BAD_INPUT(load_checkpoint(folder, at::kFloat), refusal);
  };
  refused({.kind = BadInputKind::missing, .where = (folder / "part-1").string()});
  safetensors::write(folder / "part-1", parts[1]);
  const Checkpoint loaded = load_checkpoint(folder, at::kFloat);
  for (const auto& [name, tensor] : tensor_map(loaded.config, loaded.weights)) {
    EXPECT_TRUE(at::equal(tensor, tensors.at(name))) << name;
  }
  std::string list;
  for (const std::string part : {"part-0", "part-1"}) {
    list += sha256_of_file(folder / part) + "  " + part + "\n";
  }
  EXPECT_EQ(loaded.sha256, sha256(list));
  EXPECT_EQ(open_checkpoint(folder, at::kFloat, at::kCPU).sha256, sha256(list));

  index(R"("h.0.ln_1.bias": "part-0")");
  refused({.kind = BadInputKind::missing, .where = "part-0: tensor 'h.1."});
  index(R"("wte.weight": "../part-0")");
  refused({.kind = BadInputKind::malformed, .found = "\"../part-0\""});
  index("");
  refused({.kind = BadInputKind::malformed, .expected = "weight_map", .found = "none"});
}

TEST_F(CheckpointFolder, LeavesOutRowsThatPadTheVocabulary) {
  const at::Tensor padded = at::randn({24, 12});
  tensors["wte.weight"] = padded;
  tensors["lm_head.weight"] = at::randn({24, 12});
  save();
  const Checkpoint loaded = load_checkpoint(folder, at::kFloat);
  EXPECT_TRUE(at::equal(loaded.weights.wte, padded.slice(0, 0, 20)));
  EXPECT_EQ(forward(loaded.config, loaded.weights, at::tensor({7, 0}, at::kLong)).size(1), 20);
  EXPECT_TRUE(
      at::equal(open_checkpoint(folder, at::kFloat, at::kCPU).weights.wte, padded.slice(0, 0, 20)));
  tensors["wte.weight"] = padded.slice(0, 0, 19);
  expect_refused({.kind = BadInputKind::inconsistent, .expected = "[20, 12]", .found = "[19, 12]"});
}

TEST_F(CheckpointFolder, UsesAHeadOfItsOwnWhereThereIsOne) {
  const at::Tensor head = at::randn({20, 12});
  tensors["lm_head.weight"] = head;
  save();
  const Checkpoint loaded = load_checkpoint(folder, at::kFloat);
  EXPECT_FALSE(loaded.config.tied_head);
  EXPECT_TRUE(at::equal(loaded.weights.lm_head, head));

  Config untied = config;
  untied.tied_head = false;
  Weights weights = lively_weights(config);
  weights.lm_head = head;
  const at::Tensor tokens = at::tensor({7, 0}, at::kLong);
  EXPECT_TRUE(
      at::equal(forward(loaded.config, loaded.weights, tokens), forward(untied, weights, tokens)));
}

TEST_F(CheckpointFolder, NeedsAHeadForLogitsOnly) {
  config.tied_head = false;
  save();
  const BadInputParts parts{.kind = BadInputKind::missing, .where = "tensor 'lm_head.weight'"};
  EXPECT_BAD_INPUT(load_checkpoint(folder, at::kFloat), parts);
  EXPECT_BAD_INPUT(open_checkpoint(folder, at::kFloat, at::kCPU, /*needs_head=*/true), parts);
  EXPECT_TRUE(
      at::equal(open_checkpoint(folder, at::kFloat, at::kCPU).weights.wte, tensors["wte.weight"]));
}

TEST_F(CheckpointFolder, NamesTheTensorThatIsNotAsTheConfigMakesIt) {
  const auto whole = tensors;
  tensors.erase("h.1.attn.c_attn.bias");
  expect_refused({.kind = BadInputKind::missing, .where = "tensor 'h.1.attn.c_attn.bias'"});
  tensors = whole;
  tensors["h.2.ln_1.weight"] = at::zeros({12});
  expect_refused({.kind = BadInputKind::unsupported,
                  .where = "tensor 'h.2.ln_1.weight'",
                  .expected = "a GPT-2 of 2 layers"});
  tensors = whole;
  tensors["h.0.attn.c_attn.weight"] = at::zeros({36, 12});
  expect_refused({.kind = BadInputKind::inconsistent,
                  .where = "tensor 'h.0.attn.c_attn.weight'",
                  .expected = "[12, 36]",
                  .found = "[36, 12]",
                  .advice = "transpose the weights of nn.Linear"});
  tensors = whole;
  tensors["ln_f.bias"] = at::zeros({12}, at::kInt);
  expect_refused({.kind = BadInputKind::malformed, .where = "tensor 'ln_f.bias'", .found = "Int"});
}

TEST_F(CheckpointFolder, NamesANumberThatIsNotFinite) {
  tensors["h.1.ln_2.weight"][3] = std::nan("");
  expect_refused({.kind = BadInputKind::out_of_range,
                  .where = "tensor 'h.1.ln_2.weight'",
                  .found = "nan at [3]"});
}

TEST_F(CheckpointFolder, NamesMissingFiles) {
  EXPECT_BAD_INPUT(load_checkpoint(folder, at::kFloat),
                   {.kind = BadInputKind::missing, .where = "config.json"});
  write("config.json", to_json_text(config));
  EXPECT_BAD_INPUT(load_checkpoint(folder, at::kFloat),
                   {.kind = BadInputKind::missing, .expected = "a model.safetensors"});
}

TEST(RandomWeights, HaveTheDeviationsOfGpt2) {
  Config config = small_config();
  config.width = 96;
  config.inner = 384;
  config.layers = 8;
  const Weights weights = random_weights(config, 5);
  const auto deviation = [](const at::Tensor& tensor) { return tensor.std().item<double>(); };
  EXPECT_NEAR(deviation(weights.blocks[0].c_attn_weight), 0.02, 0.0005);
  EXPECT_NEAR(deviation(weights.blocks[7].mlp_proj_weight), 0.02 / 4, 0.0002);
  EXPECT_NEAR(deviation(weights.blocks[7].c_proj_weight), 0.02 / 4, 0.0002);
  EXPECT_TRUE(at::equal(weights.blocks[3].ln_2_weight, at::ones({96})));
  EXPECT_TRUE(at::equal(weights.blocks[3].c_fc_bias, at::zeros({384})));
  EXPECT_TRUE(at::equal(random_weights(config, 5).wpe, weights.wpe));
  EXPECT_FALSE(at::equal(random_weights(config, 6).wpe, weights.wpe));
}

TEST(Sha256, MeetsTheStandardsExamples) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_F(CheckpointFolder, HasTheHashOfItsBytes) {
  const std::string bytes(3 * (1 << 20) + 7, 'x');
  EXPECT_EQ(sha256_of_file(write("x", bytes)), sha256(bytes));
  EXPECT_EQ(sha256_of_file(write("x", "")), sha256(""));
  EXPECT_BAD_INPUT(sha256_of_file(folder / "none"),
                   {.kind = BadInputKind::unreadable, .where = (folder / "none").string()});
}

/// The system says of this file that it has a page of bytes, and hands over a line.
TEST(HashedFile, RefusesOneThatEndsBeforeItsSize) {
  const std::filesystem::path file = "/sys/devices/system/cpu/online";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "there is no " << file;
  EXPECT_BAD_INPUT(sha256_of_file(file),
                   {.kind = BadInputKind::unreadable, .where = file.string()});
}

}  // namespace
}  // namespace attn::gpt2
