#include "theory/base/progress.hpp"

#include <gtest/gtest.h>

namespace attn {
namespace {

TEST(ProgressText, SaysHowFarAndHowLongStill) {
  EXPECT_EQ(
      progress_text("model.safetensors", 120'500'000, 548'100'000, ProgressUnit::bytes, 6.6e6),
      "model.safetensors: 120.5 of 548.1 MB, 1:05 left");
  EXPECT_EQ(progress_text("file", 1'000'000, 1'000'000, ProgressUnit::bytes, 1e6),
            "file: 1.0 of 1.0 MB, 0:00 left");
}

TEST(ProgressText, CountsItems) {
  EXPECT_EQ(progress_text("claims", 3, 47, ProgressUnit::items, 0.5), "claims: 3 of 47, 1:28 left");
}

TEST(ProgressText, SaysNothingOfATimeThatIsNotKnown) {
  EXPECT_EQ(progress_text("file", 0, 1'000'000, ProgressUnit::bytes, 0), "file: 0.0 of 1.0 MB");
}

}  // namespace
}  // namespace attn
