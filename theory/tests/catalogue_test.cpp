#include "theory/claims/catalogue.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <vector>

#include "theory/attention/normalizer.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/coq.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/claims/listing.hpp"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Catalogue, EveryRowIsComplete) {
  for (const Claim& claim : catalogue()) {
    SCOPED_TRACE(claim.id);
    EXPECT_FALSE(claim.title.empty());
    EXPECT_THAT(std::string(claim.statement), HasSubstr("<="));
    EXPECT_FALSE(claim.paper.empty());
    EXPECT_FALSE(claim.argument.empty()) << "a proof or a witness";
    for (const std::string_view text : {claim.title, claim.statement, claim.argument}) {
      EXPECT_THAT(std::string(text), Not(HasSubstr("\n")));
    }
  }
}

/// The words of the marked formulas: "xi_i^2" has xi, i and 2.
std::set<std::string> words_of(std::string_view statement) {
  static const std::regex kWord("[[:alnum:]']+");
  std::set<std::string> words;
  for (const auto& [text, is_formula] : stretches(statement)) {
    std::cregex_iterator word(text.data(), text.data() + text.size(), kWord);
    for (; is_formula && word != std::cregex_iterator(); ++word) words.insert(word->str());
  }
  return words;
}

/// A symbol, and what may say what it is.
const std::map<std::string, std::vector<const char*>> kDefinitions = {
    {"A", {"$A = sum"}},
    {"D", {"$D = ", "$D_i = "}},
    {"Delta", {"$Delta = "}},
    {"E", {"$E = E[D]$", "N_s = #"}},
    {"F", {"F(z) = ", "$F > 0$", "||J||_F^2 = sum"}},
    {"H", {"$H(a) = ", "$H(T) = "}},
    {"I", {"$I$ holds", "$I$ any set", "$I$ is uniform", "$I$ the $N < L$"}},
    {"J", {"$J = d", "$J(T) = d"}},
    {"N",
     {"$N_s = #", "set of $N < L$", "sets of $N$", "the $N < L$", "any $N$", "set of $N <= L",
      "the $N >= K$"}},
    {"P", {"doubly stochastic $P$", "the probability", "$P(n) = "}},
    {"R", {"of radius $R$", "$R$ the largest", "$-R$ and $R$"}},
    {"S", {"$S = sum"}},
    {"T", {"$T > 0$", "$0 < T' < T$"}},
    {"V", {"$V_i = "}},
    {"X", {"$X = max"}},
    {"a",
     {"a = softmax", "a_i = ", "$H(a) = -sum", "a_i >= 0", "a_i > 0", "weights $a_i$", "a_i1",
      "a = (1, 0", "f(l)$ the", "|l_i| <= a", "point of"}},
    {"b", {"$b = ", "<= b = "}},
    {"c", {"$c = s/A$", "$c > 0$"}},
    {"d1", {"$d1 = max"}},
    {"delta", {"$delta = 0$", "$0 < delta < 1$"}},
    {"diam", {"$diam = max"}},
    {"epsilon", {"$epsilon > 0$"}},
    {"g", {"$g(T, epsilon) = "}},
    {"gain", {"$gain > 0$"}},
    {"h", {"$h$ any step", "any step $h$", "$h(A) = "}},
    {"l", {"$l$ any", "logits", "l_i = q . k_i"}},
    {"m", {"$m_i = ", "$m$ and $M$ its least", "$m$ the number", "$m$ the mean"}},
    {"mean", {"$mean = "}},
    {"o", {"o = sum", "o_i = sum"}},
    {"p", {"$p = ", "$p$ of $P$", "$p >= 1$", "the probability $p$", "$p_i = "}},
    {"r", {"$r > 0$", "$r = min"}},
    {"rho", {"$rho = ", "N = rho L"}},
    {"s", {"$s = sum", "N_s", "$s$ the Euclidean length"}},
    {"s2", {"$s2_i = "}},
    {"std", {"$std^2 = "}},
    {"tau", {"$tau$ such that"}},
    {"v", {"$v_i = ", "$v = min", "$||v|| = 1$", "$v != 0$"}},
    {"x", {"vectors", "x_i = x != 0", "$x_i$ independent"}},
    {"xi", {"$xi_i = ", "$xi_i^2 = "}},
    {"y", {"$y_i = "}},
    {"z", {"$z = l/T$", "F(z) = "}},
};

/// No symbol is left to another claim or to the reader, and each number that a case must give is
/// one of them.
TEST(Catalogue, AStatementIsCompleteByItself) {
  for (const Claim& claim : catalogue()) {
    SCOPED_TRACE(claim.id);
    const std::string statement(claim.statement);
    const std::set<std::string> words = words_of(statement);
    for (const auto& [symbol, definitions] : kDefinitions) {
      const bool is_defined = std::ranges::any_of(
          definitions, [&](const char* text) { return statement.find(text) != std::string::npos; });
      EXPECT_TRUE(!words.contains(symbol) || is_defined) << symbol;
    }
    for (const FieldOfKind& row : fields_of(claim.kind)) {
      if (row.presence != Presence::required || row.field == &case_field::normalizer) continue;
      EXPECT_TRUE(words.contains(std::string(row.field->symbol))) << row.field->symbol;
    }
    for (const Claim& other : catalogue()) {
      if (other.id == claim.id) continue;
      EXPECT_THAT(statement, Not(HasSubstr(std::string(other.id))));
    }
  }
}

/// A number as a witness shows it: exactly, or by its leading digits and "...".
bool shows(std::string_view shown, const std::string& lower, const std::string& upper) {
  if (shown.ends_with("...")) {
    shown.remove_suffix(3);
    return lower.starts_with(shown) && upper.starts_with(shown);
  }
  const Rational value = parse_rational(std::string(shown));
  return parse_rational(lower) <= value && value <= parse_rational(upper);
}

TEST(Catalogue, EveryRefutedClaimHasAWitnessAndEveryOtherCaseAttainsItsBound) {
  int attained = 0;
  for (const Claim& claim : catalogue()) {
    SCOPED_TRACE(claim.id);
    const bool refuted = claim.status == Status::refuted;
    ASSERT_EQ(refuted, !claim.witness.lhs.empty());
    ASSERT_EQ(refuted, !claim.witness.rhs.empty());
    ASSERT_FALSE(refuted && claim.example.empty());
    if (claim.example.empty()) continue;
    const Case input = read_case(claim, nlohmann::json::parse(claim.example));
    const Certificate found = certify(claim, input);
    const Verdict expected = refuted ? Verdict::violated : Verdict::equal;
    EXPECT_EQ(found.decision.verdict, expected) << found.lhs << " " << found.rhs;
    EXPECT_EQ(decide(claim, input).verdict, expected);
    attained += refuted ? 0 : 1;
    if (!refuted) continue;
    EXPECT_TRUE(shows(claim.witness.lhs, found.lhs_lower, found.lhs_upper)) << found.lhs;
    EXPECT_TRUE(shows(claim.witness.rhs, found.rhs_lower, found.rhs_upper)) << found.rhs;
  }
  EXPECT_GT(attained, 20);
}

TEST(Catalogue, AWitnessIsPrintedFromItsExample) {
  const auto printed = [](std::string_view id) { return argument_text(find_claim(id)); };
  EXPECT_THAT(printed("corollary3"),
              testing::EndsWith(" At $l = (0, 0)$, $T = 1$ the left side is $1/2$, the right side "
                                "$1/4$."));
  EXPECT_THAT(printed("theorem1.fixed.any_set"),
              HasSubstr("At $a = (1/100, 99/100)$, $x = ((1, 0), (1, 0))$, $I = {1}$ the left"));
  EXPECT_THAT(printed("theorem2.upper"),
              HasSubstr("At $a = (1/2, 1/2)$, $N = 1$, $d = 3$, $R = 1$, $r = 1$, $delta = 0$ "
                        "the left side is $1$, the right side $0.60653...$."));
  EXPECT_THAT(printed("corollary3.step.printed"), HasSubstr("$v$ along $(1, -1)$"));
  EXPECT_THAT(printed("collapse.proportional"), HasSubstr("$x = (1)$"));
  EXPECT_EQ(printed("corollary3.sharp"), find_claim("corollary3.sharp").argument);
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

/// With ATTN_ACCEPT=1 the tables are written anew.
TEST(Catalogue, TheReadmeListsEveryClaim) {
  std::ifstream in(ATTN_README, std::ios::binary);
  ASSERT_TRUE(in) << ATTN_README;
  std::string readme{std::istreambuf_iterator<char>(in), {}};
  const std::size_t first = readme.find("### Lemma 1\n");
  const std::size_t end = readme.find("Each false one has a witness", first);
  ASSERT_NE(end, std::string::npos);
  const std::string tables = in_markdown(catalogue());
  if (std::getenv("ATTN_ACCEPT") != nullptr) {
    std::ofstream(ATTN_README, std::ios::binary) << readme.replace(first, end - first, tables);
    return;
  }
  EXPECT_EQ(readme.substr(first, end - first), tables) << "ATTN_ACCEPT=1 writes them anew";
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Catalogue, IsCountedByTheReadmes) {
  const std::size_t all = catalogue().size();
  const auto refuted =
      static_cast<std::size_t>(std::ranges::count(catalogue(), Status::refuted, &Claim::status));
  const std::filesystem::path theory = std::filesystem::path(ATTN_README).parent_path();
  const std::string readme = text_of(theory.parent_path() / "README.md");
  EXPECT_THAT(readme, HasSubstr(fmt::format("Of the {} claims {} hold and {} are false as written",
                                            all, all - refuted, refuted)));
  EXPECT_THAT(readme, HasSubstr(fmt::format("for each of {} claims", all)));
  EXPECT_THAT(readme, HasSubstr(fmt::format("refutations of all {} claims", all)));
  EXPECT_THAT(text_of(theory / "proofs" / "README.md"),
              HasSubstr(fmt::format("`{0} of {0} claims checked", all)));
}

TEST(Catalogue, NamesTheStatementOfAClaim) {
  EXPECT_EQ(statement_of("Corollary 3, the text beside it"), "Corollary 3");
  EXPECT_EQ(statement_of("Theorem 1 (2), caption of Figure 2(a)"), "Theorem 1");
  EXPECT_EQ(statement_of("Lemma 2"), "Lemma 2");
  EXPECT_EQ(statement_of("arXiv 2609.37879: Retrieval capacity, A.2"), "Tokens needed");
  EXPECT_EQ(statement_of("arXiv 2410.01104: Softmax is not enough"), "Beyond the paper");
}

TEST(Catalogue, NamesTheTheoremOfItsStatus) {
  Claim claim = find_claim("corollary3.sharp");
  const std::optional<CoqProof> proof = coq_proof(claim);
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->file, "theory/proofs/Corollary3.v");
  EXPECT_EQ(proof->theorem, "corollary3_sharp_proved");
  claim.status = Status::refuted;
  EXPECT_FALSE(coq_proof(claim));
}

TEST(Catalogue, IsCheckedByCoq) {
  for (const Claim& claim : catalogue()) {
    EXPECT_TRUE(coq_proof(claim)) << claim.id << " needs a theorem in a file that "
                                  << "theory/proofs/_CoqProject names: its id, with underscores "
                                  << "for dots, and _proved or _refuted, as its status is";
  }
}

TEST(Catalogue, FindsByIdAndNamesTheNearest) {
  for (const Claim& claim : catalogue()) EXPECT_EQ(&find_claim(claim.id), &claim);
  const auto unknown = [](const std::string& found, const std::string& advice) {
    return BadInputParts{.kind = BadInputKind::unknown_name, .found = found, .advice = advice};
  };
  EXPECT_BAD_INPUT(find_claim("corollary3.shrap"),
                   unknown("'corollary3.shrap'", "corollary3.sharp"));
  EXPECT_BAD_INPUT(find_claim("corolary2.fullset"),
                   unknown("'corolary2.fullset'", "nearest: corollary2.full_set, "));
  EXPECT_BAD_INPUT(find_claim("nonsense"), unknown("'nonsense'", "nearest: "));
  EXPECT_BAD_INPUT(find_claim(""), unknown("''", "nearest: lemma2, "));
  EXPECT_BAD_INPUT(find_claim("Lemma2"), unknown("'Lemma2'", "lemma2"));
}

TEST(Catalogue, IsAValueOfOneName) {
  const Catalogue own("own", {find_claim("lemma2"), find_claim("corollary3")});
  EXPECT_EQ(own.name(), "own");
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].id, "lemma2");
  EXPECT_EQ(own.find("corollary3"), &own[1]);
  EXPECT_EQ(own.find("corollary3.sharp"), nullptr);
  EXPECT_EQ(&own.at("lemma2"), &own[0]);
  EXPECT_BAD_INPUT(own.at("corollary3.sharp"), {.kind = BadInputKind::unknown_name,
                                                .expected = "a claim of own",
                                                .advice = "there is: lemma2, corollary3"});
}

/// Whoever reads that the paper is wrong is told what it says, and what is true.
TEST(Catalogue, SetsWhatIsTrueBesideEachFalseSentenceOfThePaper) {
  for (const Claim& claim : catalogue()) {
    SCOPED_TRACE(claim.id);
    EXPECT_EQ(claim.sentence.empty(), claim.instead.empty());
    const bool of_paper = !claim.paper.starts_with("arXiv ");
    if (of_paper && claim.status == Status::refuted && claim.provenance != FormulaOrigin::derived) {
      EXPECT_FALSE(claim.sentence.empty());
    }
  }
}

TEST(Catalogue, HasEachIdOnce) {
  EXPECT_THROW(Catalogue("own", {find_claim("lemma2"), find_claim("lemma2")}), std::logic_error);
}

}  // namespace
}  // namespace attn
