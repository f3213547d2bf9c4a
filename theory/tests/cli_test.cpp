// The `claims` program from outside: exit codes, output, and one line on stderr for every refusal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "theory/attention/case_json.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/coq.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

class ClaimsProgram : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("attn_claims_test_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  /// Runs `claims ARGUMENTS`, as a shell reads them, with `input` on stdin.
  Outcome claims(const std::string& arguments, const std::string& input = "") const {
    write("stdin", input);
    const std::string command = "cd '" + folder_.string() + "' && '" ATTN_CLAIMS_BINARY "' " +
                                arguments + " <stdin >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("stdout"), read("stderr")};
  }

  /// Refused: exit 2, one line on stderr that holds `message`, nothing on stdout.
  void expect_refusal(const std::string& arguments, const std::string& message,
                      const std::string& input = "") const {
    SCOPED_TRACE(arguments + " <<< " + input.substr(0, 200));
    const Outcome outcome = claims(arguments, input);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("claims: ")) << outcome.err;
    EXPECT_TRUE(outcome.err.ends_with("\n")) << outcome.err;
  }

  void expect_refused_case(const std::string& entry, const std::string& message) const {
    expect_refusal("eval -", message, "[" + entry + "]");
  }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  fs::path folder_;
};

constexpr const char* kCases = R"([
  {"claim": "corollary3", "case": {"logits": ["0", "0"]}, "comment": "more fields are no harm"},
  {"claim": "corollary3.sharp", "case": {"logits": ["0", "1e-30"], "temperature": "2"}},
  {"claim": "theorem2.upper", "case": {"weights": ["1/2", "1/4", "1/4"], "N": 1, "M": 1, "r": 1,
                                       "delta": 0, "dimension": 3}}])";

void expect_results(const std::string& text) {
  const json results = json::parse(text);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0]["claim"], "corollary3");
  EXPECT_EQ(results[0]["verdict"], "violated");
  EXPECT_EQ(results[0]["digits"], 50);
  EXPECT_TRUE(results[0]["lhs"].get<std::string>().starts_with("0.5"));
  EXPECT_TRUE(results[0]["rhs"].get<std::string>().starts_with("0.25"));
  EXPECT_EQ(results[1]["verdict"], "holds");
  EXPECT_EQ(results[1]["digits"], 100);
  EXPECT_GE(results[1]["lhs"].get<std::string>().size(), 47U);  // "0." and 45 digits
  EXPECT_EQ(results[1]["lhs_enclosure"].size(), 2U);
  EXPECT_EQ(results[2]["verdict"], "assumption not met");
  EXPECT_EQ(results[2]["unmet"], "r <= min_i xi_i");
}

TEST_F(ClaimsProgram, SaysItsVersion) {
  const Outcome outcome = claims("--version");
  EXPECT_EQ(outcome.code, 0);
  for (const char* const part :
       {"claims ", "\ncommit: ", "\ncompiler: ", "\nlibraries: ", " mpfi "}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  // Arb is part of FLINT from its version 3 on.
  EXPECT_THAT(outcome.out, testing::AnyOf(HasSubstr(" arb 2."), HasSubstr(" flint 3.")));
}

TEST_F(ClaimsProgram, ListsEveryClaim) {
  const Outcome text = claims("list");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.err, IsEmpty());
  for (const Claim& claim : catalogue()) EXPECT_THAT(text.out, HasSubstr(std::string(claim.id)));
  const Outcome listed = claims("list --json");
  EXPECT_EQ(listed.code, 0);
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
  EXPECT_EQ(shown.code, 0);
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
                HasSubstr(fmt::format("  {:<12}{}", row.field->name, row.field->meaning)));
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
  const Outcome from_file = claims("eval " + write("cases.json", kCases));
  EXPECT_EQ(from_file.code, 0);
  EXPECT_THAT(from_file.err, IsEmpty());
  expect_results(from_file.out);
  const Outcome from_stdin = claims("eval -", kCases);
  EXPECT_EQ(from_stdin.code, 0);
  EXPECT_EQ(from_stdin.out, from_file.out);
}

/// What is opened next would take their places: the program would read its own output.
TEST_F(ClaimsProgram, DoesWithoutStandardStreams) {
  const auto code = [&](const std::string& arguments) {
    const int status = std::system(("'" ATTN_CLAIMS_BINARY "' " + arguments).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(code("list <&- >&- 2>&-"), 4);
  EXPECT_EQ(code("eval - <&- >/dev/null 2>&1"), 2);
  EXPECT_EQ(code("list <&- >/dev/null 2>&-"), 0);
}

TEST_F(ClaimsProgram, ClimbsNoFurtherThanAsked) {
  const Outcome outcome =
      claims("eval --max-digits 50 -",
             R"([{"claim": "corollary3.sharp", "case": {"logits": ["0", "1e-30"]}}])");
  const json results = json::parse(outcome.out);
  EXPECT_EQ(results.at(0).at("verdict"), "undecided");
  EXPECT_EQ(results.at(0).at("digits"), 50);
  EXPECT_EQ(outcome.code, 3);
}

TEST_F(ClaimsProgram, RefusesBadUsage) {
  expect_refusal("", "subcommand");
  expect_refusal("--nonsense", "claims --help");
  expect_refusal("list --nonsense", "--nonsense");
  expect_refusal("list extra", "extra");
  expect_refusal("show", "ID is required");
  expect_refusal("show lemma2 lemma2", "lemma2");
  expect_refusal("eval", "FILE is required");
  expect_refusal("eval --max-digits 70 -", "70");
  expect_refusal("eval --max-digits -50 -", "-50");
  expect_refusal("eval --max-digits many -", "many");
  expect_refusal("nonsense", "claims --help");
}

TEST_F(ClaimsProgram, RefusesUnknownClaims) {
  expect_refusal("show corollary3.shrap", "corollary3.sharp");
  expect_refusal("show \"$(printf 'a\\nb')\"", "found 'a b'");
  expect_refused_case(R"({"claim": "a\nb", "case": {"logits": [0, 0]}})", "entry 0");
}

TEST_F(ClaimsProgram, RefusesWhatIsNotAnArrayOfCases) {
  for (const char* text : {"", "{}", "[]", "[null]", "[{}]", R"([{"claim": 1, "case": {}}])",
                           R"([{"claim": "lemma2"}])", "\xff\xfe"}) {
    expect_refusal("eval -", "standard input", text);
  }
  expect_refusal("eval " + write("bad.json", "{"), "bad.json");
}

TEST_F(ClaimsProgram, RefusesUnreadableFiles) {
  expect_refusal("eval missing.json", "missing.json: expected a file, found none");
}

TEST_F(ClaimsProgram, RefusesBadCases) {
  expect_refused_case(R"({"claim": "lemma2", "case": {"logits": [0, 0], "temperature": 0}})",
                      "temperature: expected a number > 0");
  expect_refused_case(R"({"claim": "lemma2", "case": {"logits": [0, 1], "logits": [0, 0]}})",
                      "standard input: at /0/case: expected every name of an object once");
}

TEST_F(ClaimsProgram, ABadEntryAfterGoodOnesPrintsNothing) {
  expect_refusal("eval -", "entry 1",
                 R"([{"claim": "lemma2", "case": {"logits": [0, 0]}}, {"claim": "lemma2"}])");
}

TEST_F(ClaimsProgram, SaysTheConfidenceOfASampledExpectation) {
  const auto evaluated = [&](const std::string& dimension) {
    const Outcome outcome = claims(
        "eval -", R"([{"claim": "theorem2.lower", "case": {"weights": ["1/4", "1/4", "1/4", "1/4"],
            "N": 3, "M": "1", "r": "3/8", "delta": "0", "dimension": )" +
                      dimension + "}}]");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out).at(0);
  };
  EXPECT_EQ(evaluated("4").at("confidence"), 1 - 1e-9);
  EXPECT_EQ(evaluated("4").at("verdict"), "holds");
  EXPECT_FALSE(evaluated("3").contains("confidence"));
}

// ---- certify, recheck ----

TEST_F(ClaimsProgram, CertifiesEveryWitnessAndASecondImplementationAgrees) {
  const Outcome certified = claims("certify --all --out certificates");
  ASSERT_EQ(certified.code, 0) << certified.err;
  std::size_t expected = 0;
  for (const Claim& claim : catalogue()) expected += claim.example.empty() ? 0 : 1;
  const auto written = static_cast<std::size_t>(
      std::distance(fs::directory_iterator(path("certificates")), fs::directory_iterator()));
  EXPECT_EQ(written, expected);
  const json one = json::parse(read("certificates/corollary3.json"));
  EXPECT_EQ(one.at("claim"), "corollary3");
  EXPECT_EQ(one.at("verdict"), "violated");
  EXPECT_EQ(one.at("status"), "refuted");
  EXPECT_EQ(one.at("lhs").size(), 2U);

  const Outcome rechecked = claims("recheck certificates/*.json");
  EXPECT_EQ(rechecked.code, 0) << rechecked.out << rechecked.err;
  const json results = json::parse(rechecked.out);
  EXPECT_EQ(results.size(), expected);
  for (const json& result : results) {
    EXPECT_EQ(result.at("agrees"), true) << result.dump();
    EXPECT_EQ(result.at("verdict"), result.at("certified"));
  }
}

TEST_F(ClaimsProgram, CertifiesOneClaim) {
  const Outcome outcome = claims("certify theorem1.fixed.any_set --out here");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "here/theorem1.fixed.any_set.json\n");
  const json certificate = json::parse(read("here/theorem1.fixed.any_set.json"));
  EXPECT_THAT(certificate.at("rhs").at(0).get<std::string>(), testing::StartsWith("-0.98"));
  expect_refusal("certify lemma2 --out here", "lemma2: expected a refuted claim");
  expect_refusal("certify nonsense --out here", "found 'nonsense'");
  expect_refusal("certify --out here", "one claim's ID, or --all");
  expect_refusal("certify corollary3 --all --out here", "one claim's ID, or --all");
  expect_refusal("certify corollary3", "--out");
  write("a_file", "");
  expect_refusal("certify corollary3 --out a_file", "that can be written");
}

TEST_F(ClaimsProgram, NoticesACertificateThatLies) {
  ASSERT_EQ(claims("certify corollary3 --out here").code, 0);
  const json truth = json::parse(read("here/corollary3.json"));
  const auto recheck = [&](const json& certificate) {
    return claims("recheck -", certificate.dump());
  };
  EXPECT_EQ(recheck(truth).code, 0);
  json lie = truth;
  lie["verdict"] = "holds";
  EXPECT_EQ(recheck(lie).code, 1);
  lie = truth;
  lie["lhs"] = {"0.6", "0.7"};
  EXPECT_EQ(recheck(lie).code, 1);
  lie = truth;
  lie["rhs"] = {"0.2", "0.21"};
  EXPECT_EQ(recheck(lie).code, 1);
  lie = truth;
  lie["case"]["logits"] = {"0", "3"};
  EXPECT_EQ(recheck(lie).code, 1);
  lie = truth;
  lie["claim"] = "corollary3.sharp";
  EXPECT_EQ(recheck(lie).code, 1);
}

TEST_F(ClaimsProgram, RefusesWhatIsNoCertificate) {
  expect_refusal("recheck nowhere.json", "nowhere.json: expected a file, found none");
  expect_refusal("recheck -", "expected a certificate", "[]");
  expect_refusal("recheck -", "text that is not JSON", "not JSON");
  expect_refusal("recheck -", "standard input: at /: expected every name of an object once",
                 R"({"certificate": 1, "claim": "corollary3", "claim": "lemma2"})");
  expect_refusal("recheck -", "field 'certificate': expected a value, found none", "{}");
  expect_refusal("recheck -", "expected format 1, found 2", R"({"certificate": 2})");
  expect_refusal("recheck -", "field 'claim': expected a value, found none",
                 R"({"certificate": 1})");
  const std::string head = R"({"certificate": 1, "claim": "corollary3", "verdict": "violated", )";
  expect_refusal("recheck -", "'lhs': expected [lower, upper]", head + R"("lhs": 1, "rhs": 2})");
  expect_refusal("recheck -", "above the upper",
                 head + R"("lhs": ["2", "1"], "rhs": ["1", "1"], "case": {}})");
  expect_refusal("recheck -", "field 'case': expected a value, found none",
                 head + R"("lhs": ["1", "2"], "rhs": ["1", "1"]})");
  expect_refusal("recheck -", "logits",
                 head + R"("lhs": ["1", "2"], "rhs": ["1", "1"], "case": {}})");
  expect_refusal("recheck", "FILE");
}

TEST_F(ClaimsProgram, NoticesOutputThatCannotBeWritten) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const std::string command = "'" ATTN_CLAIMS_BINARY "' list >/dev/full 2>'" + path("stderr") + "'";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 4);
  std::ifstream said(path("stderr"));
  std::string line;
  std::getline(said, line);
  EXPECT_EQ(line, "claims: standard output: cannot write to file: No space left on device");
  EXPECT_EQ(said.peek(), EOF) << "more than one line";
}

}  // namespace
}  // namespace attn
