#include <ATen/core/Tensor.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/tensor.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tokenizer/tests/decode.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"

/// The checkpoint that the project ships, and the text that goes with it.
namespace attn {
namespace {

namespace fs = std::filesystem;

const fs::path kModel = fs::path(ATTN_TINY) / "model";

std::string sample() {
  return read_file(fs::path(ATTN_TINY) / "sample.txt");
}

TEST(EmbeddedModel, HasTheShapeThatIsPromised) {
  const gpt2::Checkpoint checkpoint = gpt2::load_checkpoint(kModel, at::kFloat);
  const gpt2::Config& config = checkpoint.config;
  EXPECT_GE(config.layers, 6);
  EXPECT_GE(config.heads, 6);
  EXPECT_EQ(config.positions, 1024);
  EXPECT_GE(config.vocabulary, 1000);
  EXPECT_LE(config.vocabulary, 4000);
  EXPECT_EQ(std::ssize(test::vocabulary_in(kModel)), config.vocabulary);
  const double temperature = gpt2::temperature(config, 0);
  EXPECT_EQ(temperature * temperature, static_cast<double>(config.head_width()));  // exact

  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(kModel)) bytes += file.file_size();
  EXPECT_LE(bytes, 8'000'000U);
}

TEST(EmbeddedModel, ReadsTheSampleBetterThanAUnigramModel) {
  const std::string text = sample();
  const Tokenizer tokenizer = Tokenizer::load(kModel);
  const std::vector<std::int64_t> ids = tokenizer.encode(text);
  EXPECT_GE(ids.size(), 1100U);
  const std::vector<std::string> vocabulary = test::vocabulary_in(kModel);
  EXPECT_EQ(test::decode(vocabulary, ids), text);

  const gpt2::Checkpoint checkpoint = gpt2::load_checkpoint(kModel, at::kFloat);
  const std::int64_t positions = checkpoint.config.positions;
  const at::Tensor tokens =
      at::tensor(at::ArrayRef<std::int64_t>(ids), at::kLong).slice(0, 0, positions);
  const at::Tensor logits = gpt2::forward(checkpoint.config, checkpoint.weights, tokens);
  const auto nats = at::cross_entropy_loss(logits.slice(0, 0, positions - 1), tokens.slice(0, 1),
                                           {}, at::Reduction::Sum)
                        .item<double>();
  const std::string read = test::decode(vocabulary, {ids.begin() + 1, ids.begin() + 1024});
  const auto characters = static_cast<double>(count_characters(read, "sample"));
  const auto record = nlohmann::json::parse(read_file(kModel / "training.json"));
  const double bits = nats / std::numbers::ln2 / characters;
  EXPECT_LT(bits, record.at("unigram_bits_per_character").get<double>());
  RecordProperty("bits_per_character", std::to_string(bits));
}

}  // namespace
}  // namespace attn
