#include "gpt2_check/cli/arguments.hpp"

#include "gpt2_check/tests/support.hpp"

namespace attn::gpt2::arguments {
namespace {

using test::expect_bad_input;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Arguments, ReadsLists) {
  EXPECT_THAT(integers("15496,11,0", 0), ElementsAre(15496, 11, 0));
  EXPECT_THAT(integers("9223372036854775807", 0), ElementsAre(9223372036854775807));
  EXPECT_THAT(positive_numbers("8,0.5,1e-3"), ElementsAre(8, 0.5, 1e-3));
}

TEST(Arguments, RefusesListsByTheItem) {
  for (const char* value :
       {"", ",", "1,", ",1", "1,,2", "-1", "+1", "1 ", "1.5", "x", "1;2", "9223372036854775808"}) {
    expect_bad_input([&] { integers(value, 0); }, StartsWith("expected integers from 0 on"));
  }
  expect_bad_input([] { integers("1,7,0", 1); },
                   AllOf(HasSubstr("integers from 1 on"), HasSubstr("found '0'")));
  for (const char* value : {"", "0", "-0.5", "nan", "inf", "1e999", "8,x", "1,2,"}) {
    expect_bad_input([&] { positive_numbers(value); }, StartsWith("expected positive numbers"));
  }
}

TEST(Arguments, ReadsRows) {
  EXPECT_FALSE(rows("all").last_only);
  EXPECT_EQ(rows("all").stride, 1);
  EXPECT_TRUE(rows("last").last_only);
  EXPECT_EQ(rows("stride:17").stride, 17);
  for (const char* value : {"", "ALL", "stride", "stride:", "stride:0", "stride:-1", "stride:1x"}) {
    expect_bad_input([&] { rows(value); }, StartsWith("expected all, last or"));
  }
}

TEST(Arguments, KeepsEveryNBelowEveryLength) {
  check_selection({}, {1, 7}, 8);
  check_selection({4, 8}, {1, 3}, 8);
  check_selection({}, {}, 2);
  expect_bad_input([] { check_selection({}, {8}, 8); },
                   HasSubstr("expected 1 <= N < L, found N = 8 with L = 8"));
  expect_bad_input(
      [] {
        check_selection({4, 8}, {4}, 8);
      },
      HasSubstr("expected 1 <= N < L, found N = 4 with L = 4"));
  expect_bad_input([] { check_selection({}, {0}, 8); }, HasSubstr("--top-n"));
  expect_bad_input([] { check_selection({9}, {}, 8); },
                   HasSubstr("--lengths: expected integers in 2..8"));
  expect_bad_input([] { check_selection({}, {}, 1); }, HasSubstr("at least 2 are needed"));
}

}  // namespace
}  // namespace attn::gpt2::arguments
