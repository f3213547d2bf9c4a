#include "theory/base/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

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

/// What a terminal of that TERM gets of a line that is shown and vanishes.
std::string shown_on(const char* term) {
  ::setenv("TERM", term, 1);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  EXPECT_EQ(::grantpt(terminal), 0);
  EXPECT_EQ(::unlockpt(terminal), 0);
  const int before = ::dup(STDERR_FILENO), side = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  ::dup2(side, STDERR_FILENO);
  ProgressLine(ProgressUnit::items).update("claims", 3, 47);
  ::dup2(before, STDERR_FILENO);
  for (const int file : {before, side}) ::close(file);
  std::string shown;
  char text[256];
  // Ends with an error where nobody has the terminal open any more.
  for (ssize_t size = 0; (size = ::read(terminal, text, sizeof text)) > 0;) {
    shown.append(text, static_cast<std::size_t>(size));
  }
  ::close(terminal);
  return shown;
}

TEST(ProgressLine, IsNotShownOnADumbTerminal) {
  const char* const before = std::getenv("TERM");
  const std::string term = before == nullptr ? "" : before;
  EXPECT_EQ(shown_on("xterm"), "\r\033[Kclaims: 3 of 47\r\033[K");
  EXPECT_EQ(shown_on("dumb"), "");
  ::setenv("TERM", term.c_str(), 1);
}

}  // namespace
}  // namespace attn
