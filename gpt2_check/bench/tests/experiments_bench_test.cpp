// The benchmark of the experiments runs and prints numbers; what they are is for no test to say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

std::string output_of(const std::string& options) {
  const std::string command =
      std::string(ATTN_EXPERIMENTS_BENCH) + " --tokens 32 --heads 1 " + options;
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  return text;
}

void expect_numbers(const json& value, const std::string& where) {
  if (value.is_structured()) {
    for (const auto& [name, inner] : value.items()) expect_numbers(inner, where + "/" + name);
  } else if (!value.is_string()) {
    ASSERT_TRUE(value.is_number()) << where;
    EXPECT_TRUE(std::isfinite(value.get<double>())) << where;
    EXPECT_GT(value.get<double>(), 0) << where;
  }
}

TEST(ExperimentsBench, JsonHasEveryExperiment) {
  const json result = json::parse(output_of("--json"));
  expect_numbers(result, "");
  std::vector<std::string> ids;
  for (const json& one : result["experiments"]) {
    ids.push_back(one["id"]);
    for (const char* name : {"seconds", "floor", "ratio"}) {
      EXPECT_TRUE(one.contains(name)) << one["id"] << ' ' << name;
    }
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"distance_by_length", "distance_by_n", "critical_n",
                                           "every_row", "gradient"}));
  for (const char* name : {"head", "whole_head", "tests", "gpt2_124m"}) {
    EXPECT_TRUE(result[name].contains("ratio")) << name;
  }
}

TEST(ExperimentsBench, TableFitsIts110Columns) {
  const std::string text = output_of("");
  for (const char* title : {"1 distance by L", "2 distance by N", "3 critical N",
                            "1, 2, 4, every row", "5 gradient", "all five, 144 heads"}) {
    EXPECT_NE(text.find(title), std::string::npos) << title;
  }
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  EXPECT_LE(longest, 110U);
}

}  // namespace
