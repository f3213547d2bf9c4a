#include "theory/base/marked_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace attn {
namespace {

/// The stretches, a formula in angle brackets.
std::vector<std::string> shown(std::string_view text) {
  std::vector<std::string> parts;
  for (const Stretch& stretch : stretches(text)) {
    parts.push_back(stretch.is_formula ? "<" + std::string(stretch.text) + ">"
                                       : std::string(stretch.text));
  }
  return parts;
}

using Parts = std::vector<std::string>;

TEST(MarkedText, TakesFormulasFromProse) {
  EXPECT_EQ(shown("at most $1/L$."), (Parts{"at most ", "<1/L>", "."}));
  EXPECT_EQ(shown("$a$$b$"), (Parts{"<a>", "<b>"}));
  EXPECT_EQ(shown("words alone"), (Parts{"words alone"}));
  EXPECT_EQ(shown("$$"), (Parts{"<>"}));
  EXPECT_EQ(shown(""), Parts{});
}

TEST(MarkedText, LeavesAMarkWithoutAPartnerToTheProse) {
  EXPECT_EQ(shown("5 $ each"), (Parts{"5 $ each"}));
  EXPECT_EQ(shown("$a$ for 5 $"), (Parts{"<a>", " for 5 $"}));
}

TEST(MarkedText, IsPlainWithoutItsMarks) {
  EXPECT_EQ(plain_text("top-$N$, at most $1/L$"), "top-N, at most 1/L");
  EXPECT_EQ(plain_text("5 $ each"), "5 $ each");
  EXPECT_EQ(plain_text(""), "");
}

}  // namespace
}  // namespace attn
