#include "theory/base/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace attn {
namespace {

TEST(ProgressText, SaysHowFarAndHowLongStill) {
  EXPECT_EQ(progress_text("claims", 3, 47, 0.5), "claims: 3 of 47, 1:28 left");
  EXPECT_EQ(progress_text("claims", 47, 47, 1), "claims: 47 of 47, 0:00 left");
}

TEST(ProgressText, SaysNothingOfATimeThatIsNotKnown) {
  EXPECT_EQ(progress_text("claims", 0, 47, 0), "claims: 0 of 47");
}

/// What a terminal of that TERM gets of a line that is shown and vanishes.
std::string shown_on(const char* term) {
  ::setenv("TERM", term, 1);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  EXPECT_EQ(::grantpt(terminal), 0);
  EXPECT_EQ(::unlockpt(terminal), 0);
  const int before = ::dup(STDERR_FILENO), side = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  ::dup2(side, STDERR_FILENO);
  ProgressLine().update("claims", 3, 47);
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
