#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "gpt2_check/checkpoint/locate.hpp"
#include "gpt2_check/cli/parity_command.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tests/support.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A small model and what it computes, as if it were known from elsewhere.
class Compare : public ::testing::Test {
 protected:
  Compare() {
    for (const TokenIds& tokens : {TokenIds{3, 1, 4}, TokenIds{15, 9, 2, 6}}) {
      const at::Tensor found = logits(tokens);
      KnownNumbers::Text text{
          .text = std::string(tokens.begin(), tokens.end()), .tokens = tokens, .logits = {}};
      for (const std::int64_t token : {0, 7}) {
        text.logits.push_back({1, token, found[1][token].item<double>()});
      }
      known.texts.push_back(text);
    }
    known.mean_of = 1;
    known.mean = logits(known.texts[1].tokens).mean().item<double>();
    known.start = {5, 8};
    known.continuation = known.start;
    while (known.continuation.size() < 8) {
      known.continuation.push_back(logits(known.continuation)[-1].argmax().item<std::int64_t>());
    }
  }

  [[nodiscard]] at::Tensor logits(const TokenIds& tokens) const {
    return forward(config, weights, at::tensor(tokens, at::kLong));
  }

  /// What the comparisons that do not agree are of.
  [[nodiscard]] std::vector<std::string> disagreements() const {
    std::vector<std::string> found;
    for (const ParityLine& line : compare(
             known, [](const std::string& text) { return TokenIds(text.begin(), text.end()); },
             [this](const TokenIds& tokens) { return logits(tokens); })) {
      if (!line.agrees()) found.push_back(line.what);
    }
    return found;
  }

  Config config = test::small_config();
  Weights weights = test::lively_weights(config);
  KnownNumbers known;
};

TEST_F(Compare, FindsThatAllAgree) {
  EXPECT_THAT(disagreements(), IsEmpty());
}

TEST_F(Compare, ComparesAllThatIsKnown) {
  const auto lines = compare(
      known, [](const std::string& text) { return TokenIds(text.begin(), text.end()); },
      [this](const TokenIds& tokens) { return logits(tokens); });
  EXPECT_EQ(lines.size(), 2U * (1 + 2) + 1 + 1);
}

TEST_F(Compare, FindsALogitThatDiffers) {
  known.texts[1].logits[1].value += 2 * kLogitTolerance;
  EXPECT_THAT(disagreements(), ElementsAre(HasSubstr("position 1, logit of token 7")));
}

TEST_F(Compare, FindsAMeanThatDiffers) {
  known.mean -= 2 * kLogitTolerance;
  EXPECT_THAT(disagreements(), ElementsAre(HasSubstr("mean")));
}

TEST_F(Compare, FindsTokensThatDiffer) {
  known.texts[0].text.back() = 5;
  EXPECT_THAT(disagreements(), ElementsAre(HasSubstr("tokens of")));
}

TEST_F(Compare, FindsAContinuationThatDiffers) {
  known.continuation[4] = (known.continuation[4] + 1) % config.vocabulary;
  EXPECT_THAT(disagreements(), ElementsAre(HasSubstr("continuation of 5 8")));
}

TEST_F(Compare, FindsWhatIsNoNumber) {
  known.mean = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(disagreements(), ElementsAre(HasSubstr("mean")));
}

TEST_F(Compare, FindsAnotherModel) {
  config.activation = "gelu";
  weights = test::lively_weights(config, 2);
  EXPECT_GE(disagreements().size(), 5U);
}

TEST(KnownNumbers, AreOfTheVocabularyOfGpt2) {
  const KnownNumbers& known = known_gpt2_numbers();
  ASSERT_EQ(known.texts.size(), 2U);
  for (const auto& text : known.texts) {
    for (const KnownLogit& logit : text.logits) {
      EXPECT_LT(logit.position, static_cast<std::int64_t>(text.tokens.size()));
      EXPECT_LT(logit.token, 50257);
    }
  }
  EXPECT_EQ(known.continuation.size(), 20U);
  EXPECT_TRUE(std::equal(known.start.begin(), known.start.end(), known.continuation.begin()));
}

class ParityCommand : public test::WithFolder {};

TEST_F(ParityCommand, RefusesAnotherCheckpoint) {
  save_checkpoint(folder, test::small_config(), test::lively_weights(test::small_config()));
  EXPECT_BAD_INPUT(parity_command(folder.string()), {.kind = BadInputKind::unsupported,
                                                     .expected = "SHA-256 248dfc39",
                                                     .advice = "gpt2_check fetch gpt2"});
  fs::remove(folder / "model.safetensors");
  EXPECT_BAD_INPUT(parity_command(folder.string()),
                   {.kind = BadInputKind::unreadable, .where = "model.safetensors"});
}

/// Why the weights of GPT-2 are not at hand; nothing where they are.
std::optional<std::string> reason_to_skip(const std::string& model) {
  try {
    const fs::path weights = locate_model(model) / "model.safetensors";
    if (fs::exists(weights)) return std::nullopt;
    return weights.string() + " is not there";
  } catch (const BadInput& missing) {
    return missing.what();
  }
}

TEST(RealGpt2, ComputesTheKnownNumbers) {
  const std::string model = "openai-community/gpt2";
  if (const auto reason = reason_to_skip(model)) GTEST_SKIP() << *reason;
  EXPECT_EQ(parity_command(model), 0);
}

}  // namespace
}  // namespace attn::gpt2
