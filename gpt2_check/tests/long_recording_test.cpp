// What it takes to open a recording of a long text.
#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

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

  /// The squares of a head in float64 that opening a recording takes, beside what is there before.
  double squares_to_open(const std::string& name, const at::Tensor& numbers,
                         const test::Metadata& said) const {
    const auto path = folder / "recording.safetensors";
    safetensors::write(path, {{name, numbers}}, said);
    if (!(std::ofstream("/proc/self/clear_refs") << "5" << std::flush)) return 0;
    const double before = status("VmRSS");
    const auto source = open_recording(path);
    EXPECT_EQ(source->shape().layers.size(), 1U);
    return (status("VmHWM") - before) / kSquare;
  }
};

TEST_F(LongRecording, TakesFewSquaresOfAHead) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's heap does not say what is held";
#endif
  const at::Tensor full = at::randn({kHeads, kPositions, kPositions});
  const at::Tensor causal = full.masked_fill(test::later_keys(kPositions), -test::kInfinity);
  const double of_scores = squares_to_open(names::scores(0), causal, {{"mask", "causal"}});
  const double of_pattern = squares_to_open(names::pattern(0), at::softmax(full, -1),
                                            {{"mask", "full"}, {"zeros", "weights"}});
  if (of_scores == 0) GTEST_SKIP() << "this system does not say what was held at most";
  EXPECT_LT(of_scores, 6);
  EXPECT_LT(of_pattern, 6);
  EXPECT_GT(of_pattern, 0.9) << "it is no measure of what is held";
}

}  // namespace
}  // namespace attn::gpt2
