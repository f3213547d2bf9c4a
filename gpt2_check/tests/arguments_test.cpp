#include "gpt2_check/cli/flags.hpp"
#include "gpt2_check/tests/support.hpp"

namespace attn::gpt2::arguments {
namespace {

using ::testing::ElementsAre;
using enum BadInputKind;

TEST(Arguments, ReadsLists) {
  EXPECT_THAT(integers("15496,11,0", 0), ElementsAre(15496, 11, 0));
  EXPECT_THAT(integers("9223372036854775807", 0), ElementsAre(9223372036854775807));
  EXPECT_THAT(positive_numbers("8,0.5,1e-3"), ElementsAre(8, 0.5, 1e-3));
}

TEST(Arguments, RefusesListsByTheItem) {
  for (const char* value :
       {"", ",", "1,", ",1", "1,,2", "+1", "1 ", "1.5", "x", "1;2", "9223372036854775808"}) {
    EXPECT_BAD_INPUT(integers(value, 0), {.kind = malformed, .expected = "integers from 0 on"});
  }
  EXPECT_BAD_INPUT(integers("-1", 0),
                   {.kind = out_of_range, .expected = "integers from 0 on", .found = "'-1'"});
  EXPECT_BAD_INPUT(integers("1,7,0", 1),
                   {.kind = out_of_range, .expected = "integers from 1 on", .found = "'0'"});
  for (const char* value : {"", "1e999", "8,x", "1,2,"}) {
    EXPECT_BAD_INPUT(positive_numbers(value), {.kind = malformed, .expected = "positive numbers"});
  }
  for (const char* value : {"0", "-0.5", "nan", "inf"}) {
    EXPECT_BAD_INPUT(positive_numbers(value),
                     {.kind = out_of_range, .expected = "positive numbers", .found = value});
  }
}

TEST(Arguments, ReadsTokensAsTokenizePrintsThem) {
  EXPECT_THAT(tokens("15496,11,0"), ElementsAre(15496, 11, 0));
  EXPECT_THAT(tokens("[15496,11,0]"), ElementsAre(15496, 11, 0));
  EXPECT_THAT(tokens("[15496, 11,\n 9223372036854775807]"),
              ElementsAre(15496, 11, 9223372036854775807));
  for (const char* value : {"[]", "[", "[1", "[1,]", "[-1]", "[1.5]", "[\"1\"]", "[[1]]", "[1]]",
                            "[9223372036854775808]", "[null]"}) {
    EXPECT_BAD_INPUT(tokens(value), {.kind = malformed, .expected = "a JSON array of integers"});
  }
  EXPECT_BAD_INPUT(tokens("1 2"), {.kind = malformed, .expected = "with commas between them"});
}

TEST(Arguments, ReadsRows) {
  EXPECT_FALSE(rows("all").last_only);
  EXPECT_EQ(rows("all").stride, 1);
  EXPECT_TRUE(rows("last").last_only);
  EXPECT_EQ(rows("stride:17").stride, 17);
  for (const char* value : {"", "ALL", "stride", "stride:", "stride:0", "stride:-1", "stride:1x"}) {
    EXPECT_BAD_INPUT(rows(value), {.kind = malformed, .expected = "all, last or"});
  }
}

TEST(Arguments, KeepsEveryNBelowEveryLength) {
  const ActivationShape eight{{{.queries = 8, .keys = 8}}};
  check_selection({}, {1, 7}, eight);
  check_selection({4, 8}, {1, 3}, eight);
  check_selection({}, {}, {{{.queries = 2, .keys = 2}}});
  const auto top_n = [](const std::string& found) {
    return BadInputParts{
        .kind = out_of_range, .where = "--top-n", .expected = "1 <= N < L", .found = found};
  };
  EXPECT_BAD_INPUT(check_selection({}, {8}, eight), top_n("N = 8 with L = 8"));
  EXPECT_BAD_INPUT(check_selection({4, 8}, {4}, eight), top_n("N = 4 with L = 4"));
  EXPECT_BAD_INPUT(
      check_selection({9}, {}, eight),
      {.kind = out_of_range, .where = "--lengths", .expected = "L in 2..8", .found = "9"});
  EXPECT_BAD_INPUT(check_selection({}, {}, ActivationShape{{{.queries = 1, .keys = 1}}}),
                   {.kind = out_of_range, .expected = "at least 2 tokens", .found = "1"});
}

TEST(CheckSelection, KnowsHowManyTokensARowSees) {
  const auto shape_of = [](const Mask& mask) {
    ActivationShape shape{{{.queries = 8, .keys = 8}}};
    shape.layers.front().see(mask, {});
    return shape;
  };
  const ActivationShape full = shape_of({.full = true}), window = shape_of({.window = 4});
  check_selection({8}, {1, 7}, full);
  check_selection({2, 4}, {1}, window);
  check_selection({}, {3}, window);
  EXPECT_BAD_INPUT(check_selection({4}, {}, full),
                   {.kind = out_of_range, .where = "--lengths", .expected = "8", .found = "4"});
  EXPECT_BAD_INPUT(
      check_selection({5}, {}, window),
      {.kind = out_of_range, .where = "--lengths", .expected = "L in 2..4", .found = "5"});
  EXPECT_BAD_INPUT(check_selection({}, {4}, window), {.kind = out_of_range, .where = "--top-n"});
}

}  // namespace
}  // namespace attn::gpt2::arguments
