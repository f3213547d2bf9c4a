// The benchmark of windows and ranks runs and says what it should; what the numbers are is for no
// test to say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ScalingBench, RunsAndPrintsEveryPart) {
  std::FILE* pipe =
      popen(ATTN_SCALING_BENCH " --tokens 16 --windows 2 --repetitions 1 --pairs 1", "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  for (const char* part :
       {"\n    16   64  12 ", "Seconds of CPU a window: ", " H L^2 d + ",
        "Bytes of its result: ", "MB of results a second", "on 16 tokens of prose",
        "\nGPT-2 124M        781 ", "\nGPT-2 XL          781 "}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, testing::AnyOf(HasSubstr("by the least of each: efficiency "),
                                   HasSubstr("Built without MPI")));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
}

}  // namespace
