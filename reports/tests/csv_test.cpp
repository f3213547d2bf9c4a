#include "reports/io/csv.hpp"

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
  EXPECT_EQ(csv_text({{{"a,b", "say \"x\"\nand y"}}}), "\"a,b\"\r\n\"say \"\"x\"\"\nand y\"\r\n");
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
