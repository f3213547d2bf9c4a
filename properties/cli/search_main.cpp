#include "properties/cli/search_main.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/cli/searching.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/render.hpp"
#include "reports/record/report.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/launched.hpp"
#include "theory/base/run_main.hpp"
#include "theory/claims/claim.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/cli/commands.hpp"

namespace attn {

namespace {

using nlohmann::json;
using properties::Run;
using properties::SearchOptions;
using Folder = std::optional<std::filesystem::path>;

/// Certificates, and whether a second implementation agrees with them.
struct Certified {
  ExitCode code;  ///< kUnexpected where one is contradicted, kUndecided where one stays unchecked
  std::map<std::string, std::string> files{};  ///< path in the report's folder -> content
};

/// Name of the case -> the case.
std::map<std::string, json> settling_cases(const Claim& claim, const report::ClaimRecord& record) {
  std::map<std::string, json> cases;
  if (!claim.example.empty()) cases["example"] = json::parse(claim.example);
  if (record.smallest_witness) cases["violated"] = record.smallest_witness->input.whole();
  if (record.tightness && record.tightness->kind == report::TightnessKind::attained) {
    cases["attained"] = record.tightness->at.input.whole();
  }
  return cases;
}

/// Decides one certificate anew, in words.
ExitCode recheck_and_print(const std::string& name, const json& certificate,
                           const recheck::Checks& checks) {
  const std::string verdict = certificate.at("verdict");
  const std::string claim = certificate.at("claim");
  if (std::ranges::find(checks, claim, &recheck::Check::id) == checks.end()) {
    fmt::print("recheck {:<40} {:<9} no second implementation\n", name, verdict);
    return kUndecided;
  }
  try {
    const Recheck again = recheck_certificate(checks, certificate);
    fmt::print("recheck {:<40} {:<9} the second implementation {}: {}\n", name, verdict,
               again.agrees ? "agrees" : "does not agree",
               again.result.at("verdict").get<std::string>());
    return code_of(again);
  } catch (const BadInput& refusal) {
    const bool is_beyond = recheck::is_beyond(refusal);
    fmt::print("recheck {:<40} {:<9} {}: {}\n", name, verdict,
               is_beyond ? "not compared" : "the second implementation refuses a valid case",
               refusal.what());
    return is_beyond ? kUndecided : kUnexpected;
  }
}

/// Certifies the cases that settle something about the searched claims, each claim's example, the
/// counterexample found and the case found to attain the bound; decides each anew by `checks` and
/// says on stdout what came of it.
Certified certify_and_recheck(const std::vector<Claim>& claims, const report::Report& report,
                              const recheck::Checks& checks) {
  Certified all{.code = kAsExpected};
  for (const Claim& claim : claims) {
    const auto record = std::ranges::find(report.claims, claim.id, &report::ClaimRecord::id);
    for (const auto& [what, input] : settling_cases(claim, *record)) {
      const json certificate = make_certificate(claim, read_case(claim, input));
      const std::string name = fmt::format("{}.{}", claim.id, what);
      all.code = graver(all.code, recheck_and_print(name, certificate, checks));
      all.files[fmt::format("certificates/{}.json", name)] = certificate.dump(1) + "\n";
    }
  }
  return all;
}

/// A misspelt id would leave a claim without its check.
void expect_known(const recheck::Checks& checks, const Catalogue& catalogue) {
  for (const recheck::Check& check : checks) {
    if (catalogue.find(check.id) != nullptr) continue;
    throw std::logic_error(fmt::format("a second implementation of '{}', which {} does not have",
                                       check.id, catalogue.name()));
  }
}

/// The search as a report of the run's catalogue.
report::Report completed(report::Report report, const Run& run) {
  report.catalogue = report::record_of(*run.catalogue, run.program.eval);
  report.normalizers.clear();  // the table is one of the paper's claims
  report::complete(report);
  return report;
}

int search(const SearchOptions& asked, const Folder& out, const recheck::Checks& checks) {
  if (out) report::check_folder_for_report(*out);
  const std::vector<Claim> claims = properties::chosen_claims(asked);
  units::Alone alone;
  units::Team team(alone, asked.run.threads, {});
  units::ResultJournal none;
  const properties::Searched searched =
      properties::search_and_print(claims, asked.run, prints_each(asked), team, none);
  if (searched.code == kInternal) return searched.code;
  Certified certified{.code = kAsExpected};
  if (!checks.empty()) certified = certify_and_recheck(claims, searched.report, checks);
  if (out) {
    const report::Report report = completed(searched.report, asked.run);
    certified.files["report.json"] = report::report_text(report);
    report::write_rendered(*out, report, std::move(certified.files));
  }
  return graver(static_cast<ExitCode>(searched.code), certified.code);
}

}  // namespace

int search_main(const Catalogue& catalogue, int argc, char** argv, const recheck::Checks& checks) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  const auto line =
      command_line("Searches every claim for violations, on exact generated cases", name);
  CLI::App& app = *line;
  SearchOptions asked;
  asked.run.catalogue = &catalogue;
  asked.run.program = {.name = name, .eval = name + " eval"};
  add_search_options(app, asked);
  Folder out;
  add_option(app, "--out", out, "write report.json, index.html and the rest into this folder")
      .type_name("DIR")
      .group(kChangesNoResult);
  EvalOptions cases;
  const CLI::App& eval = add_eval(app, cases);
  std::vector<std::string> files;
  const CLI::App* const recheck = checks.empty() ? nullptr : &add_recheck(app, files);
  return run_main(app, argc, argv, [&]() -> int {
    expect_no_launcher();
    expect_known(checks, catalogue);
    if (is_given(eval)) return eval_file(catalogue, cases);
    if (recheck != nullptr && is_given(*recheck)) {
      return recheck_files(catalogue, checks, files);
    }
    return search(asked, out, checks);
  });
}

}  // namespace attn
