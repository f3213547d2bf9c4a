// What the recordings of a folder show, beside what NumPy makes of the same files. The folder is
// named by ATTN_RECORDINGS; without it, or without a file in it, a test is skipped.
#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/rows/stage.hpp"
#include "gpt2_check/tests/support.hpp"
#include "reports/judge/judge.hpp"

namespace attn::gpt2 {
namespace {

/// Of a claim: how many cases, how many violated, and the largest lhs/rhs.
struct Counts {
  std::uint64_t cases{}, violated{};
  double largest{};
};

/// What claims that need values show.
struct ValueFacts {
  Counts theorem1;          ///< theorem1.fixed, N = 1, 5, 20
  Counts cage;              ///< cage.norm
  std::uint64_t largest{};  ///< rows where norm_based.largest is violated
  std::uint64_t lower{};    ///< sets of 20 of which fewer than 70 % are distinguishable
  std::uint64_t upper{};    ///< sets of 20 of which more than 85 % are
};

/// The figures come from NumPy 1.24 in float64, from the float32 numbers of the file: weights by
/// softmax, or the numbers of the pattern by their sum; ||J|| as numpy.linalg.norm(diag(a) - a a^T,
/// 2)/T; D and the bound of Theorem 1 from their sums as written; the N largest by argsort; which
/// tokens are nearer to s by a_i (a_i ||x_i||^2 - 2 x_i . s), which keeps its digits where a_i is
/// small. The largest ratios are given to ten digits.
struct Facts {
  const char* name;
  const char* file;
  std::map<std::string, std::string> metadata;  ///< put in the place of the file's own
  std::int64_t layers, heads, key_heads, positions;
  Counts corollary3;
  std::optional<ValueFacts> of_values;
};

const Facts kFacts[] = {
    {.name = "Scores",
     .file = "gpt2_124m_scores_ex0",
     .metadata = {},
     .layers = 12,
     .heads = 12,
     .key_heads = 12,
     .positions = 6,
     .corollary3 = {720, 295, 1.9922272951},
     .of_values = {}},
    {.name = "Patterns",
     .file = "gpt2_124m_patterns_ex0",
     .metadata = {},
     .layers = 12,
     .heads = 12,
     .key_heads = 12,
     .positions = 6,
     .corollary3 = {720, 295, 1.9922272923},
     .of_values = {}},
    {.name = "RotaryAndGrouped",
     .file = "stories260k_256tok",
     .metadata = {},
     .layers = 5,
     .heads = 8,
     .key_heads = 4,
     .positions = 256,
     .corollary3 = {10200, 4368, 1.9976829938},
     .of_values = ValueFacts{.theorem1 = {29680, 0, 0.9999999570},
                             .cage = {10200, 0, 0.9999377551},
                             .largest = 1693,
                             .lower = 7371,
                             .upper = 239}},
    {.name = "Gpt2",
     .file = "gpt2basic_99tok",
     .metadata = {},
     .layers = 3,
     .heads = 4,
     .key_heads = 4,
     .positions = 99,
     .corollary3 = {1176, 451, 1.9961960867},
     .of_values = ValueFacts{.theorem1 = {3252, 0, 0.9998613651},
                             .cage = {1176, 0, 0.9445918228},
                             .largest = 299,
                             .lower = 397,
                             .upper = 187}},
    {.name = "SeenInFull",
     .file = "gpt2basic_99tok",
     .metadata = {{"mask", "full"}},
     .layers = 3,
     .heads = 4,
     .key_heads = 4,
     .positions = 99,
     .corollary3 = {1188, 260, 1.5540189535},
     .of_values = ValueFacts{.theorem1 = {3564, 0, 0.9979379024},
                             .cage = {1188, 0, 0.7403584507},
                             .largest = 293,
                             .lower = 589,
                             .upper = 139}},
    {.name = "SeenThroughAWindow",
     .file = "gpt2basic_99tok",
     .metadata = {{"mask", "window:24"}},
     .layers = 3,
     .heads = 4,
     .key_heads = 4,
     .positions = 99,
     .corollary3 = {1176, 470, 1.9961960867},
     .of_values = ValueFacts{.theorem1 = {3252, 0, 0.9997223071},
                             .cage = {1176, 0, 0.9445918228},
                             .largest = 279,
                             .lower = 219,
                             .upper = 326}},
    {.name = "AtAnotherTemperature",
     .file = "gpt2basic_99tok",
     .metadata = {{"temperatures", "[2, 2, 2]"}},
     .layers = 3,
     .heads = 4,
     .key_heads = 4,
     .positions = 99,
     .corollary3 = {1176, 498, 1.9848420611},
     .of_values = ValueFacts{.theorem1 = {3252, 0, 0.9999996011},
                             .cage = {1176, 0, 0.9962011754},
                             .largest = 183,
                             .lower = 373,
                             .upper = 193}},
};

void PrintTo(const Facts& facts, std::ostream* stream) {
  *stream << facts.name;
}

/// Every row, at the input's own T.
CheckPlan plan_for(const ActivationShape& shape) {
  CheckPlan plan{.stage = report::Stage::activations,
                 .embedding = Embedding::value,
                 .measures = {.selection = {.rows = {}, .counts = {}, .draws = 1},
                              .lengths = {},
                              .temperatures = {1},
                              .seed = 1},
                 .temperatures = {}};
  if (shape.has_values) {
    plan.measures.selection.counts = {1, 5, 20};
    plan.measures.lengths = {shape.longest_row()};
  }
  for (std::int64_t row = 0; row < shape.positions; ++row) {
    if (shape.mask.tokens(row, shape.positions) > 1) plan.measures.selection.rows.push_back(row);
  }
  return plan;
}

class Recordings : public ::testing::WithParamInterface<Facts>, public test::WithFolder {
 protected:
  /// The file of the test, with the metadata of the test; empty where it is not there.
  [[nodiscard]] std::filesystem::path file() const {
    const char* recordings = std::getenv("ATTN_RECORDINGS");
    if (recordings == nullptr) return {};
    std::filesystem::path path =
        std::filesystem::path(recordings) / (std::string(GetParam().file) + ".safetensors");
    if (!std::filesystem::exists(path)) return {};
    if (GetParam().metadata.empty()) return path;
    const safetensors::File original(path);
    std::map<std::string, at::Tensor> tensors;
    for (const auto& [name, entry] : original.entries()) tensors[name] = original.read(name);
    safetensors::write(folder / "recording.safetensors", tensors, GetParam().metadata);
    return folder / "recording.safetensors";
  }
};

void expect_counts(const report::Report& report, std::string_view id, const Counts& expected) {
  SCOPED_TRACE(id);
  const auto found = std::ranges::find(report.claims, id, &report::ClaimRecord::id);
  ASSERT_NE(found, report.claims.end());
  EXPECT_EQ(found->cases, expected.cases);
  EXPECT_EQ(found->violated, expected.violated);
  EXPECT_EQ(found->undecided, 0U);
  ASSERT_TRUE(found->max_ratio.has_value());
  EXPECT_NEAR(*found->max_ratio, expected.largest, 2e-10);
}

void expect_violated(const report::Report& report, std::string_view id, std::uint64_t expected) {
  const auto found = std::ranges::find(report.claims, id, &report::ClaimRecord::id);
  ASSERT_NE(found, report.claims.end()) << id;
  EXPECT_EQ(found->violated, expected) << id;
}

TEST_P(Recordings, ShowsWhatNumpyShows) {
  const std::filesystem::path path = file();
  if (path.empty()) {
    GTEST_SKIP() << "ATTN_RECORDINGS names no folder with " << GetParam().file << ".safetensors";
  }
  const Facts& facts = GetParam();
  Recording source(path);
  const ActivationShape shape = source.shape();
  EXPECT_EQ(shape.layers, facts.layers);
  EXPECT_EQ(shape.heads, facts.heads);
  EXPECT_EQ(shape.key_heads, facts.key_heads);
  EXPECT_EQ(shape.positions, facts.positions);
  EXPECT_EQ(shape.has_values, facts.of_values.has_value());
  report::Report found = check_source(source, plan_for(shape), [](std::int64_t, std::int64_t) {});
  expect_counts(found, "corollary3", facts.corollary3);
  if (const auto& values = facts.of_values) {
    expect_counts(found, "theorem1.fixed", values->theorem1);
    expect_counts(found, "cage.norm", values->cage);
    expect_violated(found, "norm_based.largest", values->largest);
    expect_violated(found, "separability.share.lower", values->lower);
    expect_violated(found, "separability.share.upper", values->upper);
  }
  for (const report::ClaimRecord& record : found.claims) {
    EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
  }
  // The scores were recorded beside the pattern, in float32.
  for (const double difference : found.gpt2->pattern_difference_by_layer) {
    EXPECT_LE(difference, 1e-5);
  }
  report::complete(found);
  EXPECT_EQ(report::exit_code(found), 0);
}

INSTANTIATE_TEST_SUITE_P(Real, Recordings, ::testing::ValuesIn(kFacts),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace attn::gpt2
