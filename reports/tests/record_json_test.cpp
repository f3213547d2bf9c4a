// What follows from the table of a record: a small one, with a field of each kind.
#include "reports/record/record_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/record/walk.hpp"
#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using enum BadInputKind;

struct Nested {
  double share{};

  static constexpr std::string_view kName = "part";
  static constexpr std::string_view kMeaning = "A part.";
  static constexpr auto fields() {
    return field_table(required("share", &Nested::share, "Its share.", {.limits = kShare}));
  }
};

struct Sample {
  std::string name{"unnamed"};
  Stage stage{};
  std::optional<Verdict> verdict{};
  std::uint64_t count{};
  double length{};
  std::optional<double> ratio{};
  std::optional<std::uint64_t> heads{};
  std::vector<Nested> parts{};
  std::map<std::string, std::uint64_t> cases{};

  static constexpr std::string_view kName = "sample";
  static constexpr std::string_view kMeaning = "A sample.";
  static constexpr auto fields() {
    return field_table(
        defaulted("name", &Sample::name, "Its name."),
        required("stage", &Sample::stage, "Its stage."),
        defaulted("verdict", &Sample::verdict, "Its verdict."),
        required("count", &Sample::count, "Counted from 1.", {.limits = kFromOne}),
        required("length", &Sample::length, "L.", {.limits = kPositive, .whole = true}),
        defaulted("ratio", &Sample::ratio, "lhs/rhs."), sparse("heads", &Sample::heads, "Heads."),
        defaulted("parts", &Sample::parts, "Its parts.", {.elements = 2}),
        sparse("cases", &Sample::cases, "By name."));
  }
};

Sample full() {
  return {.name = "full",
          .stage = Stage::gpt2,
          .verdict = Verdict::equal,
          .count = 18446744073709551615u,
          .length = 32,
          .ratio = -std::numeric_limits<double>::infinity(),
          .heads = 3,
          .parts = {{.share = 0.25}, {.share = 1}},
          .cases = {{"a", 1}}};
}

const char* const kFull =
    R"({"name":"full","stage":"gpt2","verdict":"equal","count":18446744073709551615,"length":32,)"
    R"("ratio":"-inf","heads":3,"parts":[{"share":0.25},{"share":1.0}],"cases":{"a":1}})";

Sample read_back(const json& value) {
  Sample sample;
  read(Reader(value, "/x"), sample);
  return sample;
}

TEST(RecordJson, WritesTheFieldsInTheOrderOfTheTable) {
  EXPECT_EQ(json_of(full()).dump(), kFull);
  EXPECT_EQ(json_of(read_back(json::parse(kFull))).dump(), kFull);
}

TEST(RecordJson, WritesWhatIsNotThereAsNullOrNotAtAll) {
  EXPECT_EQ(json_of(Sample{}).dump(),
            R"({"name":"unnamed","stage":"synthetic","verdict":"","count":0,"length":0,)"
            R"("ratio":null,"parts":[]})");
}

TEST(RecordJson, KeepsTheDefaultOfWhatIsLeftOut) {
  const json bare = {{"stage", "synthetic"}, {"count", 1}, {"length", 0.5}, {"ratio", nullptr}};
  const Sample read = read_back(bare);
  EXPECT_EQ(read.name, "unnamed");
  EXPECT_FALSE(read.verdict || read.ratio || read.heads);
  EXPECT_EQ(json_of(read)["length"], 0.5) << "no digit is lost";
}

TEST(RecordJson, NamesThePathOfWhatIsWrong) {
  struct Break {
    const char* at;
    json value;
    BadInputKind kind;
    const char* expected;
    const char* found = "";
  };
  const Break breaks[] = {
      {"/stage", "gpt3", unknown_name, "one of {synthetic,gpt2,activations}"},
      {"/verdict", "fine", unknown_name, "one of {holds"},
      {"/count", 0, out_of_range, "at least 1", "0"},
      {"/length", "nan", out_of_range, "a finite number above 0"},
      {"/length", "inf", out_of_range, "a finite number above 0"},
      {"/parts/1/share", 1.5, out_of_range, "a share between 0 and 1"},
      {"/parts", {{{"share", 1}}}, malformed, "2 elements or none", "1"},
      {"/cases/a", -1, malformed, "a non-negative integer"},
  };
  for (const auto& [at, value, kind, expected, found] : breaks) {
    json broken = json::parse(kFull);
    broken[json::json_pointer(at)] = value;
    EXPECT_BAD_INPUT(
        read_back(broken),
        {.kind = kind, .where = std::string("at /x") + at, .expected = expected, .found = found});
  }
  json without = json::parse(kFull);
  without.erase("stage");
  EXPECT_BAD_INPUT(read_back(without), {.kind = missing, .where = "at /x", .expected = "stage"});
}

/// A part of a run, with a number of each kind.
struct RunPart {
  ATTN_RECORD(RunPart, "part", "A part.", (required, std::uint64_t, cases, "", kSum),
              (sparse, std::optional<double>, largest, "", kLargest),
              (sparse, std::optional<double>, mean, "", kMean),
              (sparse, std::optional<std::uint64_t>, rows, "", kSum),
              (sparse, std::string, name, ""), (sparse, ByName<std::uint64_t>, levels, "", kSum),
              (sparse, std::vector<std::uint64_t>, bins, "", kSum),
              (sparse, std::vector<Nested>, nested, ""));
};

TEST(Join, DoesWithEachNumberWhatItsTableSays) {
  RunPart all{.cases = 1,
              .largest = 3,
              .mean = 2,
              .name = "first",
              .levels = {{"a", 1}},
              .bins = {1, 0},
              .nested = {{.share = 0.5}}};
  join(all,
       RunPart{.cases = 10,
               .largest = 2,
               .mean = 5,
               .rows = 7,
               .name = "second",
               .levels = {{"a", 2}, {"b", 4}},
               .bins = {2, 3},
               .nested = {{.share = 1}}},
       3);
  EXPECT_EQ(json_of(all).dump(),
            R"({"cases":11,"largest":3.0,"mean":3.0,"rows":7,"name":"first",)"
            R"("levels":{"a":3,"b":4},"bins":[3,3],"nested":[{"share":0.5}]})");
}

TEST(Join, KnowsNoMeanWhereAPartHasNoneAndKeepsNaN) {
  RunPart all{.largest = std::numeric_limits<double>::quiet_NaN(), .mean = 2};
  join(all, RunPart{.largest = 9}, 2);
  EXPECT_FALSE(all.mean);
  EXPECT_TRUE(std::isnan(*all.largest));
}

TEST(ForEachValue, FindsAllOfAType) {
  const std::vector<RunPart> parts = {{.mean = 1, .nested = {{.share = 0.5}, {.share = 1}}}, {}};
  double sum = 0;
  for_each_value<double>(parts, [&](double value) { sum += value; });
  EXPECT_EQ(sum, 2.5) << "1 + 0.5 + 1";
}

TEST(Words, AreOfTheirEnumAlone) {
  EXPECT_EQ(from_word<Stage>("gpt2"), Stage::gpt2);
  for (const char* const word : {"", "gpt3", "gpt2 "}) {
    EXPECT_BAD_INPUT(from_word<Stage>(word), {.kind = BadInputKind::unknown_name,
                                              .expected = "one of {synthetic,gpt2,activations}",
                                              .found = "'" + std::string(word) + "'"});
  }
}

}  // namespace
}  // namespace attn::report
