#include "reports/judge/totals.hpp"

#include <gmock/gmock.h>

#include "reports/tests/sample_report.hpp"
#include "reports/text/totals_table.hpp"

namespace attn::report {
namespace {

using testing::HasSubstr;

ClaimRecord on_input(const std::string& id, const std::string& input, std::uint64_t cases,
                     std::uint64_t violated, std::optional<double> max_ratio) {
  ClaimRecord record = plain_record(id, Stage::activations, cases);
  record.input = input;
  record.holds = cases - violated;
  record.violated = violated;
  record.max_ratio = max_ratio;
  return record;
}

Report of_three_inputs() {
  Report report;
  report.provenance.model.name = "tiny";
  report.claims = {plain_record("a", Stage::synthetic, 1000), on_input("a", "", 10, 1, 1.5),
                   on_input("a", "first", 1200, 3, 2.5), on_input("a", "second", 0, 0, {}),
                   on_input("b", "second", 5, 0, 0.25)};
  return report;
}

TEST(Totals, AddUpTheInputsOfRealAttentionAlone) {
  const std::vector<Total> totals = totals_over_inputs(of_three_inputs());
  ASSERT_EQ(totals.size(), 2U);
  EXPECT_EQ(totals[0].id, "a");
  EXPECT_EQ(totals[0].inputs, 2U);
  EXPECT_EQ(totals[0].cases, 1210U);
  EXPECT_EQ(totals[0].violated, 4U);
  EXPECT_EQ(totals[0].max_ratio, 2.5);
  EXPECT_EQ(totals[0].worst_input, "first");
  EXPECT_EQ(totals[1].cases, 5U);
}

TEST(Totals, NameTheModelWhereTheInputHasNoName) {
  Report report = of_three_inputs();
  report.claims[1].max_ratio = 3;
  EXPECT_EQ(totals_over_inputs(report)[0].worst_input, "tiny");
}

TEST(Totals, AreATableInMarkdown) {
  const std::string table = totals_table(of_three_inputs());
  EXPECT_THAT(table, HasSubstr("| `a` | holds | 2 | 1,210 | 4 | 0 | 0 | 2.5 | first |\n"));
  EXPECT_THAT(table, HasSubstr("| `b` | holds | 1 | 5 | 0 | 0 | 0 | 0.25 | second |\n"));
}

TEST(Totals, AreEmptyWithoutRealAttention) {
  Report report;
  report.claims = {plain_record("a", Stage::synthetic)};
  EXPECT_EQ(totals_table(report), "");
}

}  // namespace
}  // namespace attn::report
