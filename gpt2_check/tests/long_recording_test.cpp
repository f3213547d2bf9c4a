// What it takes to open a recording of a long text.
#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <string>

#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

/// Bytes, of a line of /proc/self/status.
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kilobytes{};
    if (word == name + ":" && file >> kilobytes) return 1024 * kilobytes;
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

class LongRecording : public test::WithRecording {
 protected:
  // So long that malloc gives back what held a square in float32.
  static constexpr std::int64_t kHeads = 1, kPositions = 3000;
  static constexpr double kSquare = 8.0 * kPositions * kPositions;  // bytes of a head in float64

  /// The squares of a head in float64 that opening a recording takes, beside what is there before;
  /// 0 where this system does not say.
  double squares_to_open(const test::Tensors& tensors, const test::Metadata& said) const {
    const auto path = folder / "recording.safetensors";
    safetensors::write(path, tensors, said);
    if (!(std::ofstream("/proc/self/clear_refs") << "5" << std::flush)) return 0;
    const double before = status("VmRSS");
    const auto source = open_recording(path);
    EXPECT_EQ(source->shape().layers.size(), tensors.size());
    return (status("VmHWM") - before) / kSquare;
  }
};

TEST_F(LongRecording, TakesFewSquaresOfAHead) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's heap does not say what is held";
#endif
  const at::Tensor full = at::randn({kHeads, kPositions, kPositions});
  const at::Tensor causal = full.masked_fill(test::later_keys(kPositions), -test::kInfinity);
  const at::Tensor pattern = at::softmax(full, -1);
  const test::Metadata of_weights{{"mask", "full"}, {"zeros", "weights"}};
  const double of_scores = squares_to_open({{names::scores(0), causal}}, {{"mask", "causal"}});
  const double of_pattern = squares_to_open({{names::pattern(0), pattern}}, of_weights);
  const double of_two = squares_to_open(
      {{names::pattern(0), pattern}, {names::pattern(1), pattern.flip(1)}}, of_weights);
  if (of_scores == 0) GTEST_SKIP() << "this system does not say what was held at most";
  EXPECT_LT(of_scores, 6);
  EXPECT_LT(of_pattern, 6);
  EXPECT_LT(of_two, 6) << "of two layers";
  EXPECT_GT(of_pattern, 0.9) << "it is no measure of what is held";
}

/// How rows were made is asked of the first of them; what is counted, of all.
TEST_F(LongRecording, CountsAllRowsOfDecimals) {
  const at::Tensor weights = (at::rand({1, 700, 20}, at::kDouble) * 30).floor() / 100;
  const auto rows = weights.eq(0).any(-1).sum().item<std::int64_t>();
  EXPECT_THAT(remark_on_decimals(weights, at::ones({1, 700, 20}, at::kBool)).value_or(""),
              ::testing::HasSubstr(fmt::format("2 decimals, and so to 0 in {} rows", rows)));
}

TEST_F(LongRecording, CountsAllRowsOfALostSink) {
  constexpr std::int64_t kLong = 600;
  at::Tensor pattern = at::eye(kLong, at::kDouble).unsqueeze(0) / 2;
  pattern.select(2, 0) += 0.5;  // each row sums to 1
  pattern.select(1, kLong - 1) /= 2;
  const auto source =
      opened({{names::pattern(0), pattern}, {names::sink(0), at::zeros({1}, at::kDouble)}},
             {{"mask", "causal"}, {"zeros", "weights"}});
  EXPECT_THAT(test::all_remarks(*source),
              ::testing::HasSubstr("the sink's weight of 599 rows is lost"));
}

}  // namespace
}  // namespace attn::gpt2
