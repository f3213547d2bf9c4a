#include "theory/claims/catalogue.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "theory/attention/case_json.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/decide.hpp"
#include "theory/number/interval.hpp"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Catalogue, IdsAreUnique) {
  std::set<std::string_view> ids;
  for (const Claim& claim : catalogue()) {
    EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
  }
  EXPECT_FALSE(ids.empty());
}

TEST(Catalogue, EveryRowIsComplete) {
  for (const Claim& claim : catalogue()) {
    SCOPED_TRACE(claim.id);
    EXPECT_FALSE(claim.id.empty());
    EXPECT_FALSE(claim.title.empty());
    EXPECT_THAT(std::string(claim.statement), HasSubstr("<="));
    EXPECT_FALSE(claim.paper.empty());
    EXPECT_FALSE(claim.argument.empty()) << "a proof or a witness";
    EXPECT_FALSE(to_string(claim.provenance).empty());
    EXPECT_FALSE(to_string(claim.status).empty());
    EXPECT_NE(claim.evaluators.plain, nullptr);
    EXPECT_NE(claim.evaluators.filter, nullptr);
    EXPECT_NE(claim.evaluators.digits50, nullptr);
    EXPECT_NE(claim.evaluators.digits100, nullptr);
    EXPECT_NE(claim.evaluators.digits200, nullptr);
    for (const std::string_view text : {claim.title, claim.statement, claim.argument}) {
      EXPECT_THAT(std::string(text), Not(HasSubstr("\n")));
    }
  }
}

TEST(Catalogue, StatusAndProvenanceAreAsTheMathematicsSays) {
  const auto status = [](std::string_view id) { return find_claim(id).status; };
  const std::set<std::string_view> refuted = {
      "theorem1.fixed.any_set",      "theorem2.upper",          "corollary3",
      "corollary3.step.printed",     "corollary2.long_context", "collapse.proportional",
      "lipschitz.entmax.any_length", "lipschitz.self_adjusted"};
  for (const Claim& claim : catalogue()) {
    EXPECT_EQ(status(claim.id), refuted.contains(claim.id) ? Status::refuted : Status::proved)
        << claim.id;
  }
  const auto provenance = [](std::string_view id) { return find_claim(id).provenance; };
  for (const char* id : {"theorem2.lower", "theorem2.upper", "lemma2"}) {
    EXPECT_EQ(provenance(id), Provenance::reconstructed) << id;
  }
  for (const char* id : {"theorem1.fixed", "corollary3"}) {
    EXPECT_EQ(provenance(id), Provenance::quoted) << id;
  }
  for (const char* id : {"theorem2.lower.sharp", "theorem2.upper.repaired", "lemma2.sharp",
                         "corollary3.entrywise", "corollary3.sharp", "corollary3.local.lower",
                         "corollary3.local.upper", "theorem1.fixed.any_set.repaired"}) {
    EXPECT_EQ(provenance(id), Provenance::derived) << id;
  }
}

TEST(Catalogue, EveryRefutedClaimHasAWitnessAndEveryOtherCaseAttainsItsBound) {
  int attained = 0;
  for (const Claim& claim : catalogue()) {
    SCOPED_TRACE(claim.id);
    if (claim.status == Status::refuted) {
      EXPECT_FALSE(claim.example.empty());
    }
    if (claim.example.empty()) continue;
    const Case input = case_from_json(nlohmann::json::parse(claim.example));
    ASSERT_NO_THROW(validate(claim, input));
    const Certificate certificate = certify(claim, input);
    const Verdict expected = claim.status == Status::refuted ? Verdict::violated : Verdict::equal;
    EXPECT_EQ(certificate.decision.verdict, expected) << certificate.lhs << " " << certificate.rhs;
    EXPECT_EQ(decide(claim, input).verdict, expected);
    EXPECT_FALSE(certificate.steps.empty());
    attained += claim.status == Status::proved ? 1 : 0;
  }
  EXPECT_GT(attained, 20);
}

TEST(Catalogue, NumbersInTheWitnessTextsAreThoseOfTheWitnesses) {
  const auto lhs = [](std::string_view id) {
    const Claim& claim = find_claim(id);
    return certify(claim, case_from_json(nlohmann::json::parse(claim.example))).lhs;
  };
  EXPECT_THAT(lhs("corollary2.long_context"), testing::StartsWith("0.999994"));
  EXPECT_THAT(lhs("collapse.proportional"), testing::StartsWith("249999.5"));
  EXPECT_THAT(lhs("corollary3.step.printed"), testing::StartsWith("0.4305"));
  EXPECT_THAT(lhs("lipschitz.entmax.any_length"), testing::StartsWith("0.70757"));
  EXPECT_THAT(lhs("lipschitz.self_adjusted"), testing::StartsWith("0.7071"));
}

TEST(Catalogue, SharpenedClaimsExistAndReadTheSameCases) {
  int pairs = 0;
  for (const Claim& claim : catalogue()) {
    if (claim.sharpens.empty()) continue;
    const Claim& printed = find_claim(claim.sharpens);
    EXPECT_EQ(printed.kind, claim.kind) << claim.id;
    EXPECT_EQ(printed.status, Status::proved) << claim.id;
    ++pairs;
  }
  EXPECT_GT(pairs, 5);
}

TEST(Catalogue, EveryNormalizersLipschitzClaimExists) {
  for (const NormalizerTraits& row : normalizers()) {
    const Claim& claim = find_claim(row.claim);
    if (row.normalizer) {
      EXPECT_EQ(only_normalizer(claim.kind), row.normalizer) << row.name;
    }
    EXPECT_EQ(row.breaks == "-", row.of_any_length) << row.name;
  }
}

TEST(Catalogue, EveryClaimHasItsRowInTheReadme) {
  std::ifstream readme(ATTN_README);
  ASSERT_TRUE(readme) << ATTN_README;
  std::map<std::string, std::string> rows;
  bool is_section = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("## ")) is_section = line == "## The claims";
    if (!is_section || !line.starts_with("| `")) continue;
    const std::string id = line.substr(3, line.find('`', 3) - 3);
    EXPECT_TRUE(rows.emplace(id, line).second) << "two rows of " << id;
  }
  EXPECT_EQ(rows.size(), catalogue().size());
  for (const Claim& claim : catalogue()) {
    const std::string_view status = claim.status == Status::proved ? "proved" : "**false**";
    EXPECT_THAT(rows[std::string(claim.id)],
                testing::EndsWith(fmt::format("| {} | {} |", to_string(claim.provenance), status)))
        << claim.id;
  }
}

TEST(Catalogue, FindsByIdAndNamesTheNearest) {
  for (const Claim& claim : catalogue()) EXPECT_EQ(&find_claim(claim.id), &claim);
  const auto complaint = [](std::string_view id) -> std::string {
    try {
      find_claim(id);
    } catch (const BadInput& e) {
      return e.what();
    }
    return "found";
  };
  EXPECT_THAT(complaint("corollary3.shrap"), HasSubstr("corollary3.sharp"));
  EXPECT_THAT(complaint("corollary3.shrap"), HasSubstr("'corollary3.shrap'"));
  EXPECT_THAT(complaint("nonsense"), HasSubstr("claims list"));
  EXPECT_THAT(complaint(""), HasSubstr("claims list"));
  EXPECT_THAT(complaint("Lemma2"), HasSubstr("no claim 'Lemma2'"));
}

/// The first `digits` significant digits agree: |x - y| <= 10^-digits max(|x|, |y|).
bool agree(const std::string& x, const std::string& y, int digits) {
  const Real<100> a(x);
  const Real<100> b(y);
  const Real<100> size = std::max<Real<100>>(abs(a), abs(b));
  return abs(Real<100>(a - b)) <= size * pow(Real<100>(10), -digits);
}

/// Cases with both sides to 45 digits, computed elsewhere in 60-digit arithmetic.
TEST(GoldenCases, AgreeToFortyDigitsAndInVerdict) {
  const char* file = std::getenv("ATTN_GOLDEN_CASES");
  if (file == nullptr) GTEST_SKIP() << "ATTN_GOLDEN_CASES is not set";
  std::ifstream in(file);
  ASSERT_TRUE(in) << file << " cannot be read";
  const auto golden = nlohmann::json::parse(in);
  std::set<std::string> checked;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const auto id = golden[i].at("claim").get<std::string>();
    SCOPED_TRACE(id + ", entry " + std::to_string(i));
    const Claim* claim = &find_claim(id);
    const Case input = case_from_json(golden[i].at("case"));
    validate(*claim, input);
    const Certificate certificate = certify(*claim, input);
    EXPECT_EQ(to_string(certificate.decision.verdict), golden[i].at("verdict"));
    EXPECT_EQ(to_string(decide(*claim, input).verdict), golden[i].at("verdict"));
    const auto lhs = golden[i].at("lhs").get<std::string>();
    const auto rhs = golden[i].at("rhs").get<std::string>();
    EXPECT_TRUE(agree(certificate.lhs, lhs, 40)) << certificate.lhs << " against " << lhs;
    EXPECT_TRUE(agree(certificate.rhs, rhs, 40)) << certificate.rhs << " against " << rhs;
    checked.insert(id);
  }
  EXPECT_EQ(checked.size(), 30U) << "claims with golden cases";
}

}  // namespace
}  // namespace attn
