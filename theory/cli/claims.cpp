// `claims list|show|eval|certify|recheck`: the catalogue, the verdict on a user's own cases, and
// evidence that can be checked without trusting this program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "theory/attention/case_schema.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/base/run_main.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/witness.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/recheck/arb.hpp"

namespace attn {
namespace {

using nlohmann::ordered_json;

ordered_json describe(const Claim& claim) {
  return {{"id", claim.id},
          {"title", claim.title},
          {"status", to_string(claim.status)},
          {"paper", claim.paper},
          {"provenance", to_string(claim.provenance)},
          {"statement", claim.statement},
          {claim.status == Status::proved ? "proof" : "witness", argument_text(claim)},
          {"case", case_schema(claim.kind)}};
}

int list(bool as_json) {
  if (as_json) {
    ordered_json all = ordered_json::array();
    for (const Claim& claim : catalogue()) all.push_back(describe(claim));
    fmt::print("{}\n", all.dump(2));
    return kAsExpected;
  }
  for (const Claim& claim : catalogue()) {
    fmt::print("{:<32} {:<8} {:<14} {}\n", claim.id, to_string(claim.status),
               to_string(claim.provenance), plain_text(claim.title));
  }
  return kAsExpected;
}

void show_fields(const Kind& kind) {
  fmt::print("case: {}\n", meaning_of(kind));
  for (const auto& [field, presence] : fields_of(kind)) {
    fmt::print("  {:<12}{}{}\n", field->name, field->meaning,
               presence == Presence::optional ? " May be left out." : "");
  }
}

int show(const std::string& id) {
  const Claim& claim = find_claim(id);
  fmt::print(
      "{}  {}\n\n{}\n\nstatus:     {}\npaper:      arXiv 2508.17821, {}\nprovenance: {}\n{}: {}\n",
      claim.id, plain_text(claim.title), plain_text(claim.statement), to_string(claim.status),
      claim.paper, to_string(claim.provenance),
      claim.status == Status::proved ? "proof" : "witness", plain_text(argument_text(claim)));
  show_fields(claim.kind);
  if (!claim.example.empty()) {
    fmt::print("{}: echo '[{{\"claim\": \"{}\", \"case\": {}}}]' | claims eval -\n",
               claim.status == Status::proved ? "attained" : "recheck", claim.id, claim.example);
  }
  return kAsExpected;
}

/// What one verdict means for the exit code: a proved claim cannot be violated, a refuted one may
/// go either way on a case of the user's.
ExitCode code_of(const Claim& claim, Verdict verdict) {
  if (verdict == Verdict::violated && claim.status == Status::proved) return kUnexpected;
  return verdict == Verdict::undecided ? kUndecided : kAsExpected;
}

/// An unexpected verdict outweighs an undecided one.
ExitCode graver(ExitCode a, ExitCode b) {
  if (a == kUnexpected || b == kUnexpected) return kUnexpected;
  return a == kAsExpected ? b : a;
}

struct Evaluated {
  ordered_json result;
  ExitCode code;
};

Evaluated evaluate(const nlohmann::json& entry, unsigned max_digits) {
  if (!entry.is_object() || !entry.contains("claim") || !entry["claim"].is_string() ||
      !entry.contains("case")) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = "{\"claim\": id, \"case\": {...}}",
                    .found = entry.is_object() ? "another object" : entry.type_name()});
  }
  const Claim& claim = find_claim(entry["claim"].get_ref<const std::string&>());
  const Case input = read_case(claim, entry["case"]);
  const Certificate certificate = certify(claim, input, kLadder[0], max_digits);
  ordered_json result = {{"claim", claim.id}};
  if (certificate.decision.verdict == Verdict::assumption_not_met) {
    result["lhs"] = nullptr;
    result["rhs"] = nullptr;
    result["unmet"] = certificate.decision.unmet;
  } else {
    result["lhs"] = certificate.lhs;
    result["rhs"] = certificate.rhs;
    result["lhs_enclosure"] = {certificate.lhs_lower, certificate.lhs_upper};
    result["rhs_enclosure"] = {certificate.rhs_lower, certificate.rhs_upper};
  }
  // The verdict then holds with at least this probability, and the enclosure is an interval of it.
  if (certificate.decision.sampled) result["confidence"] = kConfidence;
  result["verdict"] = to_string(certificate.decision.verdict);
  result["digits"] = certificate.decision.digits;
  return {std::move(result), code_of(claim, certificate.decision.verdict)};
}

int eval(const std::string& file, unsigned max_digits) {
  const std::string name = file == "-" ? "standard input" : file;
  const nlohmann::json cases = nlohmann::json::parse(read_input(file), nullptr, false);
  if (!cases.is_array() || cases.empty()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = name,
                    .expected = "a non-empty JSON array of {\"claim\": id, \"case\": {...}}",
                    .found = cases.is_discarded() ? "text that is not JSON"
                             : cases.is_array()   ? "an empty array"
                                                  : cases.type_name()});
  }
  ordered_json results = ordered_json::array();
  ExitCode code = kAsExpected;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    try {
      Evaluated evaluated = evaluate(cases[i], max_digits);
      results.push_back(std::move(evaluated.result));
      code = graver(code, evaluated.code);
    } catch (const BadInput& e) {
      throw e.within(fmt::format("{}: entry {}", name, i));
    }
  }
  fmt::print("{}\n", results.dump(1));
  return code;
}

/// The claims to certify: one by its id, or all that have a witness or an attaining case.
std::vector<const Claim*> to_certify(const std::string& id, bool all) {
  if (all == !id.empty()) {
    throw BadInput({.kind = all ? BadInputKind::inconsistent : BadInputKind::missing,
                    .expected = "one claim's ID, or --all",
                    .found = all ? "both" : "neither"});
  }
  std::vector<const Claim*> chosen;
  if (all) {
    for (const Claim& claim : catalogue()) {
      if (has_certificate(claim)) chosen.push_back(&claim);
    }
    return chosen;
  }
  const Claim& claim = find_claim(id);
  if (!has_certificate(claim)) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = id,
                    .expected = "a refuted claim or an attained bound, which a case can certify",
                    .found = "a proved claim without a case that is recorded to attain it",
                    .advice = fmt::format("`claims show {}` has the proof", id)});
  }
  return {&claim};
}

int certify_to(const std::string& id, bool all, const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const Claim* claim : to_certify(id, all)) {
    files.emplace(fmt::format("{}.json", claim->id), make_certificate(*claim).dump(1) + "\n");
  }
  write_folder(folder, files);
  for (const auto& [name, content] : files) fmt::print("{}/{}\n", folder, name);
  return kAsExpected;
}

int recheck_files(const std::vector<std::string>& files) {
  ordered_json results = ordered_json::array();
  ExitCode code = kAsExpected;
  for (const std::string& file : files) {
    const nlohmann::json certificate = nlohmann::json::parse(read_input(file), nullptr, false);
    try {
      const Recheck recheck = recheck_certificate(certificate);
      results.push_back(recheck.result);
      code = graver(code, recheck.agrees    ? kAsExpected
                          : recheck.decided ? kUnexpected
                                            : kUndecided);
    } catch (const BadInput& e) {
      throw e.within(file);
    }
  }
  fmt::print("{}\n", results.dump(1));
  return code;
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  CLI::App app("The claims about softmax attention (arXiv 2508.17821) and their verdicts",
               "claims");
  app.require_subcommand(1);

  bool as_json = false;
  CLI::App* list = app.add_subcommand("list", "every claim, one a line");
  list->add_flag("--json", as_json,
                 "as a JSON array, with statement and argument; formulas stand between $");

  std::string id;
  CLI::App* show = app.add_subcommand("show", "one claim: statement, status, proof or witness");
  show->add_option("ID", id, "the claim's id")->required();

  std::string file;
  unsigned max_digits = 200;
  CLI::App* eval = app.add_subcommand("eval", "both sides and the verdict of given cases");
  eval->add_option("FILE", file, "a JSON array of {\"claim\", \"case\"}, or - for standard input")
      ->required();
  eval->add_option("--max-digits", max_digits, "the highest precision to climb to")
      ->check(CLI::IsMember(std::set(std::begin(attn::kLadder), std::end(attn::kLadder))))
      ->capture_default_str();

  bool all = false;
  std::string folder;
  CLI::App* certify = app.add_subcommand(
      "certify", "writes the evidence against refuted claims, and for attained bounds");
  certify->add_option("ID", id, "the claim's id");
  certify->add_flag("--all", all, "every refuted claim and every attained bound");
  certify->add_option("--out", folder, "the folder that gets ID.json")->required();

  std::vector<std::string> files;
  CLI::App* recheck = app.add_subcommand(
      "recheck",
      "decides certificates anew, from the exact input alone, by a second implementation");
  recheck->add_option("FILE", files, "certificates, or - for standard input")->required();

  const auto body = [&] {
    if (*list) return attn::list(as_json);
    if (*show) return attn::show(id);
    if (*certify) return attn::certify_to(id, all, folder);
    if (*recheck) return attn::recheck_files(files);
    return attn::eval(file, max_digits);
  };
  const attn::recheck::BallArithmetic balls = attn::recheck::ball_arithmetic();
  return attn::run_main(app, argc, argv, body, {{balls.library, balls.version}});
}
