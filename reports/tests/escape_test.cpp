#include "reports/text/escape.hpp"

#include <gtest/gtest.h>

namespace attn::report {
namespace {

TEST(XmlText, HoldsWhatXmlAllows) {
  EXPECT_EQ(xml_text("a <b> \xF0\x9F\x99\x82\n\t"), "a <b> \xF0\x9F\x99\x82\n\t");
  for (const char* const text :
       {"a\x01z", "a\x1Bz", "a\rz", "a\x7Fz", "a\xFFz", "a\xEF\xBF\xBEz", "a\xEF\xBF\xBFz",
        "a\xE2\x80\xAEz", "a\xE2\x81\xA6z", "a\xC2\x9Bz"}) {
    EXPECT_EQ(xml_text(text), "a\xEF\xBF\xBDz");
  }
}

TEST(Clipped, CutsNoCharacter) {
  EXPECT_EQ(clipped("abc", 3), "abc");
  EXPECT_EQ(clipped("abcd", 3), "abc...");
  EXPECT_EQ(clipped("ab\xE2\x89\xA4", 4), "ab...");
  EXPECT_EQ(clipped("", 0), "");
}

}  // namespace
}  // namespace attn::report
