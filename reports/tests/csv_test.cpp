#include "reports/io/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace attn::report {
namespace {

using nlohmann::json;

TEST(Csv, SpreadsObjectsOverColumnsAndPutsPlacesFirst) {
  const json rows = {{{"bound", 0.1}, {"distance", {{"mean", 2.5}, {"q1", 1}}}, {"length", 32}},
                     {{"length", 64}, {"distance", {{"mean", nullptr}}}, {"list", {1, 2}}}};
  EXPECT_EQ(csv_text(rows),
            "length,bound,distance.mean,distance.q1\r\n"
            "32,0.1,2.5,1\r\n"
            "64,,,\r\n");
}

TEST(Csv, KeepsEveryDigit) {
  EXPECT_EQ(csv_text({{{"x", 0.1 + 0.2}}}), "x\r\n0.30000000000000004\r\n");
  EXPECT_EQ(csv_text({{{"x", 18446744073709551615u}}}), "x\r\n18446744073709551615\r\n");
}

TEST(Csv, QuotesWhatWouldBreakALine) {
  EXPECT_EQ(csv_text({{{"a,b", "say \"x\"\nand y"}}}), "\"a,b\"\r\n\"say \"\"x\"\" and y\"\r\n");
}

TEST(Csv, IsNoFormulaAndHasNoControls) {
  for (const char* const formula :
       {"=1+1", "+1", "-1+1", "@SUM(A1)", "=HYPERLINK(\"http://x\";\"y\")", "-"}) {
    EXPECT_THAT(csv_text({{{"x", formula}}}), testing::MatchesRegex("x\r\n(\"?)'[-=+@].*\r\n"));
  }
  for (const char* const hidden : {"\t=1", "\r=1", "\x1b=1", "\n=1", " =1"}) {
    EXPECT_EQ(csv_text({{{"x", hidden}}}), "x\r\n' =1\r\n");
  }
  EXPECT_EQ(csv_text({{{"x", "a\x1b[31mb\x7f\u009b"}}}), "x\r\na [31mb  \r\n");
  EXPECT_EQ(csv_text({{{"=x", 1}}}), "'=x\r\n1\r\n");
  // Numbers, also those that JSON does not have.
  EXPECT_EQ(csv_text({{{"x", -0.5}}}), "x\r\n-0.5\r\n");
  EXPECT_EQ(csv_text({{{"x", "-inf"}}}), "x\r\n-inf\r\n");
  EXPECT_EQ(csv_text({{{"x", "-1e-7"}}}), "x\r\n-1e-7\r\n");
}

TEST(Csv, OfNothingIsAnEmptyLine) {
  EXPECT_EQ(csv_text(json::array()), "\r\n");
}

TEST(Csv, UnfoldsAListWithinEachRow) {
  const json rows = {{{"temperature", 2}, {"step", {{{"g", 1}}, {{"g", 3}}}}}};
  const json expected = {{{"g", 1}, {"temperature", 2}}, {{"g", 3}, {"temperature", 2}}};
  EXPECT_EQ(unfolded(rows, "step"), expected);
}

}  // namespace
}  // namespace attn::report
