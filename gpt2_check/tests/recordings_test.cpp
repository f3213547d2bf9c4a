// What the recordings of a folder show, beside what NumPy makes of the same files. The folder is
// named by ATTN_RECORDINGS; without it, or without a file in it, a test is skipped.
#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/tests/check_source.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"
#include "reports/judge/judge.hpp"

namespace attn::gpt2 {
namespace {

/// What a recording shows of a claim: how many cases, how many violated, and the largest lhs/rhs.
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
  std::array<std::int64_t, 4> sizes;            ///< layers, heads, heads of keys, positions
  Counts corollary3;
  std::optional<ValueFacts> of_values;
};

const Facts kFacts[] = {
    {"Scores", "gpt2_124m_scores_ex0", {}, {12, 12, 12, 6}, {720, 295, 1.9922272951}, {}},
    {"Patterns", "gpt2_124m_patterns_ex0", {}, {12, 12, 12, 6}, {720, 295, 1.9922272923}, {}},
    {"RotaryAndGrouped",
     "stories260k_256tok",
     {},
     {5, 8, 4, 256},
     {10200, 4368, 1.9976829938},
     ValueFacts{{29680, 0, 0.9999999570}, {10200, 0, 0.9999377551}, 1693, 7371, 239}},
    {"Gpt2",
     "gpt2basic_99tok",
     {},
     {3, 4, 4, 99},
     {1176, 451, 1.9961960867},
     ValueFacts{{3252, 0, 0.9998613651}, {1176, 0, 0.9445918228}, 299, 397, 187}},
    {"SeenInFull",
     "gpt2basic_99tok",
     {{"mask", "full"}},
     {3, 4, 4, 99},
     {1188, 260, 1.5540189535},
     ValueFacts{{3564, 0, 0.9979379024}, {1188, 0, 0.7403584507}, 293, 589, 139}},
    {"SeenThroughAWindow",
     "gpt2basic_99tok",
     {{"mask", "window:24"}},
     {3, 4, 4, 99},
     {1176, 470, 1.9961960867},
     ValueFacts{{3252, 0, 0.9997223071}, {1176, 0, 0.9445918228}, 279, 219, 326}},
    {"AtAnotherTemperature",
     "gpt2basic_99tok",
     {{"temperatures", "[2, 2, 2]"}},
     {3, 4, 4, 99},
     {1176, 498, 1.9848420611},
     ValueFacts{{3252, 0, 0.9999996011}, {1176, 0, 0.9962011754}, 183, 373, 193}},
};

void PrintTo(const Facts& facts, std::ostream* stream) {
  *stream << facts.name;
}

/// Every row, at the input's own T.
CheckSettings settings_for(const ActivationShape& shape) {
  CheckSettings settings{.stage = report::Stage::activations,
                         .measures = {.selection = {.rows = {}, .counts = {}, .draws = 1},
                                      .lengths = {},
                                      .temperatures = {1},
                                      .seed = 1},
                         .lengths = {},
                         .temperatures = {}};
  if (shape.any(&LayerShape::has_values)) {
    settings.measures.selection.counts = {1, 5, 20};
    settings.lengths = settings.measures.lengths = {shape.longest_row()};
  }
  for (std::int64_t row = 0; row < shape.queries(); ++row) {
    if (shape.sees_two(row)) settings.measures.selection.rows.push_back(row);
  }
  return settings;
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
  const auto source = open_recording(path);
  const ActivationShape shape = source->shape();
  const LayerShape& layer = shape.layers.front();
  const std::array sizes{std::ssize(shape.layers), layer.heads, layer.key_heads, layer.keys};
  EXPECT_EQ(sizes, facts.sizes);
  EXPECT_EQ(layer.has_values(), facts.of_values.has_value());
  report::Report found = check_source(*source, settings_for(shape));
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
  for (const double difference : found.inputs.front().pattern_difference_by_layer) {
    EXPECT_LE(difference, 1e-5);
  }
  report::complete(found);
  EXPECT_EQ(report::exit_code(found), 0);
}

INSTANTIATE_TEST_SUITE_P(Real, Recordings, ::testing::ValuesIn(kFacts),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace attn::gpt2
