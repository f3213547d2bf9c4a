#include "reports/text/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"

namespace attn::report {
namespace {

TEST(Headline, SaysHowManyMutantsWereCaught) {
  Report report;
  report.claims = {plain_record("a", Stage::synthetic), plain_record("b", Stage::synthetic)};
  EXPECT_EQ(headline(report),
            "2 claims checked: 2 hold, 0 are false as written. 4 of 4 mutants were caught. No "
            "attention was checked.");
  report.claims[0].mutants[1].caught = false;
  rejudge(report.claims[0]);
  EXPECT_EQ(
      headline(report),
      "1 of 2 claims did not come out as expected. 3 of 4 mutants were caught. No attention was "
      "checked.");
  report.catalogue = CatalogueRecord{.name = "another", .claims = {}};
  EXPECT_EQ(headline(report),
            "1 of 2 claims did not come out as expected. 3 of 4 mutants were caught.");
  report.claims = {plain_record("a", Stage::gpt2)};
  EXPECT_EQ(headline(report), "1 claim checked: 1 holds, 0 are false as written.");
}

/// What this project and other works state is not the paper's.
TEST(Headline, CountsThePapersOwnClaimsApart) {
  Report report;
  report.claims = {plain_record("a", Stage::gpt2), plain_record("b", Stage::gpt2),
                   plain_record("c", Stage::gpt2), plain_record("d", Stage::gpt2)};
  using attn::FormulaOrigin;
  const FormulaOrigin origins[] = {FormulaOrigin::quoted, FormulaOrigin::reconstructed,
                                   FormulaOrigin::derived, FormulaOrigin::quoted};
  for (std::size_t i = 0; i < 4; ++i) {
    report.claims[i].provenance = origins[i];
    report.claims[i].paper = i < 3 ? "Lemma 1" : "arXiv 2609.37879: Retrieval capacity";
  }
  EXPECT_EQ(headline(report),
            "4 claims checked: 4 hold, 0 are false as written; of 2 readings of the paper's "
            "sentences, 2 hold and 0 are false.");
  report.claims[1].provenance = FormulaOrigin::derived;
  report.claims[0].status = attn::Status::refuted;
  EXPECT_THAT(headline(report), ::testing::HasSubstr("; of 1 reading of the paper's sentences, 0 "
                                                     "hold and 1 is false"));
}

TEST(Headline, TellsClaimsWithoutARecordFromThoseThatCameOutWrong) {
  const auto starts = [](const Report& report, const std::string& words) {
    EXPECT_THAT(headline(report), ::testing::StartsWith(words));
  };
  Report report;
  report.claims = {plain_record("a", Stage::synthetic), plain_record("b", Stage::synthetic),
                   plain_record("c", Stage::synthetic)};
  report.claims[1].outcome = Outcome::missing;
  starts(report, "Of 3 claims 1 was not checked; the other 2 came out as expected.");
  report.claims[2].outcome = Outcome::missing;
  starts(report, "Of 3 claims 2 were not checked; the other one came out as expected.");
  report.claims[0].outcome = Outcome::undecided;
  starts(report, "None of 3 claims came out wrong, but 1 is not settled, and 2 were not checked.");
  report.claims[0].outcome = Outcome::unexpected;
  starts(report, "1 of 3 claims did not come out as expected, and 2 were not checked.");
  report.claims[0].outcome = Outcome::missing;
  starts(report, "Of 3 claims 3 were not checked.");
}

TEST(ByStatement, GroupsClaimsUnderTheStatementsOfThePaper) {
  Report report;
  const std::pair<const char*, const char*> claims[] = {
      {"a", "Lemma 1"},
      {"b", "Theorem 1 (1)"},
      {"c", "Theorem 1 (1), read for any set"},
      {"d", "Section 4, other normalisers"},
      {"e", "Lemma 1"},
  };
  for (const auto& [id, paper] : claims) {
    report.claims.push_back(plain_record(id, Stage::synthetic));
    report.claims.back().paper = paper;
  }
  const std::vector<StatementView> statements = by_statement(report);
  ASSERT_EQ(statements.size(), 3u);
  EXPECT_EQ(statements[0].name, "Lemma 1");
  ASSERT_EQ(statements[0].claims.size(), 2u);
  EXPECT_EQ(statements[0].claims[1].any().id, "e");
  EXPECT_EQ(statements[1].name, "Theorem 1");
  EXPECT_EQ(statements[1].claims.size(), 2u);
  EXPECT_EQ(statements[2].name, "Section 4");
}

}  // namespace
}  // namespace attn::report
