// The `claims` program from outside: exit codes, output, and one line on stderr for every refusal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "theory/attention/case_schema.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/base/tests/kept_refusals.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/coq.hpp"
#include "theory/claims/decimal.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/scalar.hpp"
#include "theory/tests/run_program.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Outcome = test::ProgramRun;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ClaimsProgram : public testing::Test {
 protected:
  /// Runs `claims ARGUMENTS`, as a shell reads them, with `input` on stdin.
  [[nodiscard]] Outcome claims(const std::string& arguments, const std::string& input = "") const {
    write_file(folder_ / "stdin", input);
    return test::run_in(folder_, "'" ATTN_CLAIMS_BINARY "' <stdin " + arguments);
  }

  [[nodiscard]] json read(const std::string& certificate) const {
    return json::parse(read_file(folder_ / certificate));
  }

  const test::TemporaryFolder folder_;
};

constexpr const char* kCases = R"([
  {"claim": "corollary3", "case": {"logits": ["0", "0"]}, "comment": "more fields are no harm"},
  {"claim": "corollary3.sharp", "case": {"logits": ["0", "1e-30"], "temperature": "2"}},
  {"claim": "scalable_softmax.peak", "case": {"L": 5, "longer": 2, "spread": "2"}}])";

void expect_results(const std::string& text) {
  const json results = json::parse(text);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0]["claim"], "corollary3");
  EXPECT_EQ(results[0]["verdict"], "violated");
  EXPECT_EQ(results[0]["digits"], 50);
  EXPECT_TRUE(results[0]["lhs"].get<std::string>().starts_with("0.5"));
  EXPECT_TRUE(results[0]["rhs"].get<std::string>().starts_with("0.25"));
  EXPECT_EQ(results[1]["verdict"], "holds");
  EXPECT_EQ(results[1]["digits"], 50);
  EXPECT_EQ(results[1]["by"], "exact");
  EXPECT_GE(results[1]["lhs"].get<std::string>().size(), 47U);  // "0." and 45 digits
  EXPECT_EQ(results[1]["lhs_enclosure"].size(), 2U);
  EXPECT_EQ(results[2]["verdict"], "assumption not met");
  EXPECT_EQ(results[2]["unmet"], "L < longer");
}

TEST_F(ClaimsProgram, SaysItsVersion) {
  const Outcome outcome = claims("--version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, testing::ContainsRegex("claims .*\ncommit: .*\ncompiler: .*\n"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("\nlibraries: .* mpfi "));
  // Arb is part of FLINT from its version 3 on.
  EXPECT_THAT(outcome.out, testing::AnyOf(HasSubstr(" arb 2."), HasSubstr(" flint 3.")));
}

TEST_F(ClaimsProgram, ListsEveryClaim) {
  const Outcome text = claims("list");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.err, IsEmpty());
  for (const Claim& claim : catalogue()) EXPECT_THAT(text.out, HasSubstr(std::string(claim.id)));
  const Outcome listed = claims("list --json");
  EXPECT_EQ(listed.status, 0);
  const json all = json::parse(listed.out);
  ASSERT_EQ(all.size(), catalogue().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Claim& claim = catalogue()[i];
    EXPECT_EQ(all[i]["id"], claim.id);
    EXPECT_EQ(all[i]["status"], to_string(claim.status));
    EXPECT_EQ(all[i][claim.status == Status::proved ? "proof" : "witness"], argument_text(claim));
    EXPECT_EQ(all[i]["case"], case_schema(claim.kind));
    EXPECT_EQ(all[i]["coq"].is_null(), !coq_proof(claim));
  }
  EXPECT_EQ(all[0]["coq"],
            json({{"file", "theory/proofs/Lemma1.v"}, {"theorem", "lemma1_lower_proved"}}));
}

TEST_F(ClaimsProgram, ShowsOneClaim) {
  const Outcome shown = claims("show corollary3");
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(shown.err, IsEmpty());
  const Claim& claim = find_claim("corollary3");
  const std::string argument = argument_text(claim);
  for (const std::string_view part :
       {claim.id, claim.statement, std::string_view(argument), claim.paper}) {
    EXPECT_THAT(shown.out, HasSubstr(plain_text(part)));
  }
  EXPECT_THAT(shown.out, Not(HasSubstr("$")));
  EXPECT_THAT(shown.out,
              HasSubstr("status:     refuted, checked by Coq (theory/proofs/Corollary3.v, "
                        "corollary3_refuted)\n"));
  for (const FieldOfKind& row : fields_of(claim.kind)) {
    EXPECT_THAT(shown.out,
                HasSubstr(fmt::format("  {:<12}{}\n", row.field->name, meaning_of(row))));
  }
  EXPECT_THAT(shown.out, HasSubstr("paper:      arXiv 2508.17821, Corollary 3\n"));
}

TEST_F(ClaimsProgram, ShowsWhereAClaimComesFromAndLongNamesOfFields) {
  EXPECT_THAT(claims("show sink.no_op").out,
              HasSubstr("paper:      arXiv 2603.11487: Attention sinks"));
  EXPECT_THAT(claims("show corollary3.step.order").out,
              AllOf(HasSubstr("\n  logits         l, of L entries."),
                    HasSubstr("\n  larger_epsilon The length of a longer step")));
}

TEST_F(ClaimsProgram, EvaluatesAFileAndStandardInput) {
  write_file(folder_ / "cases.json", kCases);
  const Outcome from_file = claims("eval cases.json");
  EXPECT_EQ(from_file.status, 0);
  EXPECT_THAT(from_file.err, IsEmpty());
  expect_results(from_file.out);
  const Outcome from_stdin = claims("eval -", kCases);
  EXPECT_EQ(from_stdin.status, 0);
  EXPECT_EQ(from_stdin.out, from_file.out);
}

/// What is opened next would take their places: the program would read its own output.
TEST_F(ClaimsProgram, DoesWithoutStandardStreams) {
  EXPECT_EQ(claims("list <&- >&- 2>&-").status, 4);
  EXPECT_EQ(claims("eval - <&-").status, 2);
  EXPECT_EQ(claims("list <&- 2>&-").status, 0);
}

TEST_F(ClaimsProgram, ClimbsNoFurtherThanAsked) {
  const Outcome outcome =
      claims("eval --max-digits 50 -",
             R"([{"claim": "corollary3.sharp", "case": {"logits": ["0", "1e-30"]}}])");
  const json results = json::parse(outcome.out);
  EXPECT_EQ(results.at(0).at("by"), "exact") << "50 digits do not tell, and no more are asked";
  EXPECT_EQ(results.at(0).at("digits"), 50);
  EXPECT_EQ(outcome.status, 0);
}

TEST_F(ClaimsProgram, SaysTheConfidenceOfASampledExpectation) {
  const auto evaluated = [&](const std::string& dimension) {
    const Outcome outcome = claims(
        "eval -", R"([{"claim": "theorem2.lower", "case": {"weights": ["1/4", "1/4", "1/4", "1/4"],
            "N": 3, "M": "1", "r": "3/8", "delta": "0", "dimension": )" +
                      dimension + "}}]");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out).at(0);
  };
  EXPECT_EQ(evaluated("4").at("confidence"), 1 - 1e-9);
  EXPECT_EQ(evaluated("4").at("verdict"), "holds");
  EXPECT_FALSE(evaluated("3").contains("confidence"));
}

TEST_F(ClaimsProgram, TakesWholeNumbersHoweverTheyAreWritten) {
  const std::string cases =
      R"([{"claim": "theorem1.fixed", "case": {"logits": [3e0, 0.0, 1.0], "temperature": 2e0,
          "embeddings": [[1], [2], [30.0e-1]], "N": 1.0}}])";
  const Outcome found = claims("eval -", cases);
  EXPECT_EQ(found.status, 0) << found.err;
  const std::string plain =
      R"([{"claim": "theorem1.fixed", "case": {"logits": [3, 0, 1], "temperature": 2,
          "embeddings": [[1], [2], [3]], "N": 1}}])";
  EXPECT_EQ(found.out, claims("eval -", plain).out);
  const Outcome refused =
      claims("eval -", R"([{"claim": "lemma2", "case": {"logits": [0, 1.0000000000000000001]}}])");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, testing::HasSubstr("an exact number as a string"));
}

// ---- certify, recheck ----

TEST_F(ClaimsProgram, CertifiesEveryWitnessAndASecondImplementationAgrees) {
  const Outcome certified = claims("certify --all --out certificates");
  ASSERT_EQ(certified.status, 0) << certified.err;
  std::size_t expected = 0;
  for (const Claim& claim : catalogue()) expected += claim.example.empty() ? 0 : 1;
  const auto written = static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder_ / "certificates"), fs::directory_iterator()));
  EXPECT_EQ(written, expected);
  const json one = read("certificates/corollary3.json");
  EXPECT_EQ(one.at("claim"), "corollary3");
  EXPECT_EQ(one.at("verdict"), "violated");
  EXPECT_EQ(one.at("status"), "refuted");
  EXPECT_EQ(one.at("lhs").size(), 2U);

  const Outcome rechecked = claims("recheck certificates/*.json");
  EXPECT_EQ(rechecked.status, 0) << rechecked.out << rechecked.err;
  const json results = json::parse(rechecked.out);
  EXPECT_EQ(results.size(), expected);
  for (const json& result : results) {
    EXPECT_EQ(result.at("agrees"), true) << result.dump();
    EXPECT_EQ(result.at("verdict"), result.at("certified"));
  }
}

TEST_F(ClaimsProgram, CertifiesOneClaim) {
  const Outcome outcome = claims("certify theorem1.fixed.any_set --out here");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "here/theorem1.fixed.any_set.json\n");
  const json certificate = read("here/theorem1.fixed.any_set.json");
  EXPECT_THAT(certificate.at("rhs").at(0).get<std::string>(), testing::StartsWith("-0.98"));
}

TEST_F(ClaimsProgram, CertifiesOverCertificatesAlone) {
  ASSERT_EQ(claims("certify corollary3 --out here").status, 0);
  const std::string certificate = read_file(folder_ / "here" / "corollary3.json");
  EXPECT_EQ(claims("certify --all --out here").status, 0) << "again";
  write_file(folder_ / "here" / "corollary3.json", "my own notes");
  for (const char* const which : {"corollary3", "--all"}) {
    const Outcome refused = claims(std::string("certify ") + which + " --out here");
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.err,
              "claims: here/corollary3.json: expected nothing there, or a certificate to be "
              "replaced, found another file; move it away, or name another\n");
    EXPECT_EQ(read_file(folder_ / "here" / "corollary3.json"), "my own notes");
  }
  write_file(folder_ / "here" / "corollary3.json", "");
  EXPECT_EQ(claims("certify corollary3 --out here").status, 0);
  EXPECT_EQ(read_file(folder_ / "here" / "corollary3.json"), certificate);
}

TEST_F(ClaimsProgram, NoticesACertificateThatLies) {
  ASSERT_EQ(claims("certify corollary3 --out here").status, 0);
  const json truth = read("here/corollary3.json");
  const auto recheck = [&](const json& certificate) {
    return claims("recheck -", certificate.dump());
  };
  EXPECT_EQ(recheck(truth).status, 0);
  const std::pair<const char*, json> lies[] = {
      {"/verdict", "holds"},        {"/lhs", {"0.6", "0.7"}},       {"/rhs", {"0.2", "0.21"}},
      {"/lhs", {"-inf", "inf"}},    {"/rhs", {"-1e9", "1e9"}},      {"/rhs", {"0.249", "0.251"}},
      {"/case/logits", {"0", "3"}}, {"/claim", "corollary3.sharp"}, {"/statement", ""},
      {"/status", "proved"}};
  for (const auto& [place, lie] : lies) {
    json certificate = truth;
    certificate[json::json_pointer(place)] = lie;
    EXPECT_EQ(recheck(certificate).status, 1) << place;
  }
  json certificate = truth;
  certificate["status"] = "proved";
  const json found = json::parse(recheck(certificate).out).at(0);
  EXPECT_EQ(found.at("why"), "the status is not that of corollary3 in this version");
  EXPECT_FALSE(found.at("agrees").get<bool>());
  certificate.erase("status");
  EXPECT_EQ(recheck(certificate).status, 0);
}

/// An `equal` is confirmed by an exact comparison of the sides, and by no digits.
TEST_F(ClaimsProgram, ConfirmsEqualityExactly) {
  ASSERT_EQ(claims("certify lemma1.upper.sharp --out here").status, 0);
  json certificate = read("here/lemma1.upper.sharp.json");
  const auto recheck = [&] {
    const Outcome outcome = claims("recheck -", certificate.dump());
    return std::pair(outcome.status, json::parse(outcome.out).at(0));
  };
  const auto& [status, truth] = recheck();
  EXPECT_EQ(status, 0);
  EXPECT_EQ(truth.at("verdict"), "equal");
  EXPECT_EQ(truth.at("by"), "exact");
  certificate["verdict"] = "holds";
  EXPECT_EQ(recheck().first, 1);
  EXPECT_EQ(recheck().second.at("why"), "another verdict");
  certificate["verdict"] = "equal";
  certificate["lhs"] = {"-inf", "inf"};
  EXPECT_EQ(recheck().first, 1);
  EXPECT_THAT(recheck().second.at("why").get<std::string>(), testing::StartsWith("lhs: "));
}

/// The sides differ by 5e-261 in all of their 50 digits.
TEST_F(ClaimsProgram, DoesNotConfirmAnEqualityOfFiftyDigits) {
  const std::string side = R"(["5.3007926645299606863014379462838110000000000000000e-261",
      "5.3007926645299606863014379462838120000000000000000e-261"])";
  const Outcome outcome =
      claims("recheck -", fmt::format(R"({{"certificate": 1, "claim": "corollary3.cold.repaired",
          "verdict": "equal", "case": {{"logits": [600, 0]}}, "lhs": {0}, "rhs": {0}}})",
                                      side));
  EXPECT_EQ(outcome.status, 1) << outcome.out;
  const json result = json::parse(outcome.out).at(0);
  EXPECT_EQ(result.at("verdict"), "holds");
  EXPECT_EQ(result.at("why"), "another verdict");
}

// ---- refusals ----

/// What a refusal says of a command line, or of what is on stdin.
struct RefusedLine {
  const char* arguments;
  std::string message;
  std::string input = "";
};

/// A certificate with these fields beside those that every one has.
std::string certificate(const char* rest) {
  return fmt::format(R"({{"certificate": 1, "claim": "corollary3", "verdict": "violated", {}}})",
                     rest);
}

const RefusedLine kRefusedLines[] = {
    // Usage.
    {"", "subcommand"},
    {"--nonsense", "claims --help"},
    {"nonsense", "claims --help"},
    {"list --nonsense", "--nonsense"},
    {"list extra", "extra"},
    {"show", "ID is required"},
    {"show lemma2 lemma2", "lemma2"},
    {"show corollary3.shrap", "corollary3.sharp"},
    {"show \"$(printf 'a\\nb')\"", "found 'a b'"},
    {"eval", "FILE is required"},
    {"eval --max-digits 70 -", "70"},
    {"eval --max-digits -50 -", "-50"},
    {"eval --max-digits many -", "many"},
    {"eval missing.json", "missing.json: expected a file, found none"},
    {"eval bad.json", "bad.json"},
    {"certify lemma2 --out here", "lemma2: expected a refuted claim"},
    {"certify nonsense --out here", "found 'nonsense'"},
    {"certify --out here", "one claim's ID, or --all"},
    {"certify corollary3 --all --out here", "one claim's ID, or --all"},
    {"certify corollary3", "--out"},
    {"certify corollary3 --out bad.json", "that can be written"},
    {"recheck", "FILE"},
    {"recheck nowhere.json", "nowhere.json: expected a file, found none"},
    // Cases.
    {"eval -", "standard input", ""},
    {"eval -", "standard input", "{}"},
    {"eval -", "standard input: expected a non-empty JSON array", "[]"},
    {"eval -", "found an empty array", "[]"},
    {"eval -", "entry 0: expected {\"claim\": id, \"case\": {...}}, found null", "[null]"},
    {"eval -", "found another object", "[{}]"},
    {"eval -", "standard input", R"([{"claim": 1, "case": {}}])"},
    {"eval -", "standard input", R"([{"claim": "lemma2"}])"},
    {"eval -", "standard input", "\xff\xfe"},
    {"eval -", "entry 0", R"([{"claim": "a\nb", "case": {"logits": [0, 0]}}])"},
    {"eval -", "entry 1",
     R"([{"claim": "lemma2", "case": {"logits": [0, 0]}}, {"claim": "lemma2"}])"},
    {"eval -", "temperature: expected a number > 0",
     R"([{"claim": "lemma2", "case": {"logits": [0, 0], "temperature": 0}}])"},
    {"eval -", "standard input: at /0/case: expected every name of an object once",
     R"([{"claim": "lemma2", "case": {"logits": [0, 1], "logits": [0, 0]}}])"},
    // Certificates.
    {"recheck -", "expected a certificate", "[]"},
    {"recheck -", "text that is not JSON", "not JSON"},
    {"recheck -", "standard input: at /: expected every name of an object once",
     R"({"certificate": 1, "claim": "corollary3", "claim": "lemma2"})"},
    {"recheck -", "field 'certificate': expected a value, found none", "{}"},
    {"recheck -", "expected format 1, found 2", R"({"certificate": 2})"},
    {"recheck -", "field 'claim': expected a value, found none", R"({"certificate": 1})"},
    {"recheck -", "'lhs': expected [lower, upper]", certificate(R"("lhs": 1, "rhs": 2)")},
    {"recheck -", "field 'lhs': expected a decimal number, found 'one'",
     certificate(R"("lhs": ["one", "2"], "rhs": ["1", "1"], "case": {})")},
    {"recheck -", "field 'rhs': expected a decimal number, found ''",
     certificate(R"("lhs": ["1", "2"], "rhs": ["1", ""], "case": {})")},
    {"recheck -", "field 'rhs': expected a decimal number, found 'nan'",
     certificate(R"("lhs": ["1", "2"], "rhs": ["nan", "1"], "case": {})")},
    {"recheck -", "field 'claim': expected a string, found number",
     R"({"certificate": 1, "claim": 2})"},
    {"recheck -", "field 'status': expected a string, found number",
     certificate(
         R"("lhs": ["1", "2"], "rhs": ["1", "2"], "case": {"logits": ["0", "0"]}, "status": 1)")},
    {"recheck -", "above the upper",
     certificate(R"("lhs": ["2", "1"], "rhs": ["1", "1"], "case": {})")},
    {"recheck -", "field 'case': expected a value, found none",
     certificate(R"("lhs": ["1", "2"], "rhs": ["1", "1"])")},
    {"recheck -", "logits", certificate(R"("lhs": ["1", "2"], "rhs": ["1", "1"], "case": {})")},
};

/// With exit code 2, one line on stderr and nothing on stdout.
TEST_F(ClaimsProgram, RefusesWhatItCannotDo) {
  write_file(folder_ / "bad.json", "{");
  for (const auto& [arguments, message, input] : kRefusedLines) {
    SCOPED_TRACE(fmt::format("{} <<< {}", arguments, input));
    const Outcome outcome = claims(arguments, input);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, testing::MatchesRegex("claims: [^\n]+\n"));
    EXPECT_THAT(outcome.err, testing::AllOf(HasSubstr(message), test::IsKept()));
  }
}

TEST_F(ClaimsProgram, NoticesOutputThatCannotBeWritten) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  for (const std::string asked : {"list", "--help", "--version"}) {
    const Outcome outcome = claims(asked + " >/dev/full");
    EXPECT_EQ(outcome.status, 4) << asked;
    EXPECT_THAT(outcome.err,
                testing::MatchesRegex("claims: standard output: cannot write to file: [^\n]+\n"));
  }
}

/// The ends of an interval as a certificate has them, rounded outwards: none is a decimal of so
/// many digits.
TEST(Decimals, OfBothEndsLieOutside) {
  for (const char* const number : {"1/3", "2/3", "-1/3", "-2/3", "1/7000", "-1/7000", "1e60/7",
                                   "-1e60/7", "1/7e60", "-1/7e60"}) {
    const std::string text = number;
    const std::size_t slash = text.find('/');
    const Rational value(parse_rational(text.substr(0, slash)) /
                         parse_rational(text.substr(slash + 1)));
    const WorkingDigits working(kCapDigits);
    const auto x = from<Interval>(value);
    const Interval::End lower(lower_of(x)), upper(upper_of(x)), middle(middle_of(x));
    EXPECT_LT(lower, x.lower()) << number;
    EXPECT_GT(upper, x.upper()) << number;
    EXPECT_LT(upper - lower, abs(middle) * Interval::End(1e-48)) << number;
    EXPECT_TRUE(lower <= middle && middle <= upper) << number;
  }
}

/// Where a certificate climbs no further.
TEST(IsKnown, ToFortySixDigits) {
  const auto wide = [](double least, double width) {
    const Interval::End from(least);
    return Interval::enclose(from, from + Interval::End(width) * pow(Interval::End(10), -46));
  };
  EXPECT_TRUE(is_known(wide(1, 0.9)));
  EXPECT_FALSE(is_known(wide(1, 1.1)));
  EXPECT_TRUE(is_known(wide(-1, 0.9)));
  EXPECT_FALSE(is_known(wide(-1, 1.1)));
  EXPECT_TRUE(is_known(wide(0, 0)));
  EXPECT_FALSE(is_known(wide(0, 1e-90)));
}

}  // namespace
}  // namespace attn
