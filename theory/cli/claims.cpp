// `claims list|show|eval|certify|recheck`: the catalogue, the verdict on a user's own cases, and
// evidence that can be checked without trusting this program.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "theory/attention/case_schema.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/base/overwrite.hpp"
#include "theory/base/run_main.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/coq.hpp"
#include "theory/claims/listing.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/cli/commands.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn {
namespace {

using nlohmann::ordered_json;

ordered_json coq_json(const Claim& claim) {
  const std::optional<CoqProof> proof = coq_proof(claim);
  if (!proof) return nullptr;
  return {{"file", proof->file}, {"theorem", proof->theorem}};
}

ordered_json describe(const Claim& claim) {
  return {{"id", claim.id},
          {"title", claim.title},
          {"status", to_string(claim.status)},
          {"paper", claim.paper},
          {"provenance", to_string(claim.provenance)},
          {"statement", claim.statement},
          {claim.status == Status::proved ? "proof" : "witness", argument_text(claim)},
          {"coq", coq_json(claim)},
          {"case", case_schema(claim.kind)}};
}

int list(bool as_json, bool in_tables) {
  if (in_tables) {
    fmt::print("{}", in_markdown(catalogue()));
    return kAsExpected;
  }
  if (as_json) {
    ordered_json all = ordered_json::array();
    for (const Claim& claim : catalogue()) all.push_back(describe(claim));
    fmt::print("{}\n", all.dump(2));
    return kAsExpected;
  }
  for (const Claim& claim : catalogue()) {
    fmt::print("{:<32} {:<8} {:<7} {:<14} {}\n", claim.id, to_string(claim.status),
               coq_proof(claim) ? "Coq" : "people", to_string(claim.provenance),
               plain_text(claim.title));
  }
  return kAsExpected;
}

void show_fields(const InputKind& kind) {
  fmt::print("case: {}\n", meaning_of(kind));
  std::size_t width = 12;
  for (const FieldOfKind& row : fields_of(kind))
    width = std::max(width, row.field->name.size() + 1);
  for (const FieldOfKind& row : fields_of(kind)) {
    fmt::print("  {:<{}}{}\n", row.field->name, width, meaning_of(row));
  }
}

/// What `show` says of where a claim comes from: another work than the paper names itself.
std::string source_of(const Claim& claim) {
  const bool is_paper = !claim.paper.starts_with("arXiv ");
  return fmt::format("{}{}", is_paper ? "arXiv 2508.17821, " : "", claim.paper);
}

/// Who has checked the proof or the witness.
std::string checked_by(const Claim& claim) {
  const std::optional<CoqProof> proof = coq_proof(claim);
  if (!proof) return "read by people";
  return fmt::format("checked by Coq ({}, {})", proof->file, proof->theorem);
}

int show(const std::string& id) {
  const Claim& claim = find_claim(id);
  fmt::print("{}  {}\n\n{}\n\nstatus:     {}, {}\npaper:      {}\nprovenance: {}\n{}: {}\n",
             claim.id, plain_text(claim.title), plain_text(claim.statement),
             to_string(claim.status), checked_by(claim), source_of(claim),
             to_string(claim.provenance), claim.status == Status::proved ? "proof" : "witness",
             plain_text(argument_text(claim)));
  show_fields(claim.kind);
  if (!claim.example.empty()) {
    fmt::print("{}: echo '[{{\"claim\": \"{}\", \"case\": {}}}]' | claims eval -\n",
               claim.status == Status::proved ? "attained" : "recheck", claim.id, claim.example);
  }
  return kAsExpected;
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
      if (!claim.example.empty()) chosen.push_back(&claim);
    }
    return chosen;
  }
  const Claim& claim = find_claim(id);
  if (claim.example.empty()) {
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
    const Case input = read_case(*claim, nlohmann::json::parse(claim->example));
    files.emplace(fmt::format("{}.json", claim->id),
                  make_certificate(*claim, input).dump(1) + "\n");
  }
  for (const auto& [name, content] : files) {
    expect_replaceable(std::filesystem::path(folder) / name, "a certificate", is_certificate);
  }
  write_folder(folder, files);
  for (const auto& [name, content] : files) fmt::print("{}/{}\n", folder, name);
  return kAsExpected;
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  using attn::add_command, attn::add_option, attn::add_switch, attn::is_given;
  const auto line = attn::command_line(
      "The claims about softmax attention (arXiv 2508.17821) and their verdicts", "claims");
  CLI::App& app = *line;
  attn::require_command(app);

  bool as_json = false, in_tables = false;
  CLI::App& list = add_command(app, "list", "every claim, one a line");
  add_switch(list, "--json", as_json,
             "as a JSON array, with statement and argument; formulas stand between $");
  add_switch(list, "--markdown", in_tables, "as Markdown, a table for each statement")
      .excludes("--json");

  std::string id;
  CLI::App& show = add_command(app, "show", "one claim: statement, status, proof or witness");
  add_option(show, "ID", id, "the claim's id").required();

  attn::EvalOptions cases;
  attn::add_eval(app, cases);

  bool all = false;
  std::string folder;
  CLI::App& certify = add_command(
      app, "certify", "writes the evidence against refuted claims, and for attained bounds");
  add_option(certify, "ID", id, "the claim's id");
  add_switch(certify, "--all", all, "every refuted claim and every attained bound");
  add_option(certify, "--out", folder, "the folder that gets ID.json").required();

  std::vector<std::string> files;
  const CLI::App& recheck = attn::add_recheck(app, files);

  const auto body = [&] {
    if (is_given(list)) return attn::list(as_json, in_tables);
    if (is_given(show)) return attn::show(id);
    if (is_given(certify)) return attn::certify_to(id, all, folder);
    if (is_given(recheck)) {
      return int{attn::recheck_files(attn::catalogue(), attn::recheck::listed_checks(), files)};
    }
    return int{attn::eval_file(attn::catalogue(), cases)};
  };
  const attn::recheck::BallArithmetic balls = attn::recheck::ball_arithmetic();
  return attn::run_main(app, argc, argv, body, {{balls.library, balls.version}});
}
