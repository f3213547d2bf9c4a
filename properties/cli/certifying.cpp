#include "properties/cli/certifying.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "theory/cli/certificate.hpp"
#include "theory/cli/commands.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn::properties {

namespace {

using nlohmann::json;

/// Name of the case -> the case.
std::map<std::string, json> settling_cases(const Claim& claim, const report::ClaimRecord& record) {
  std::map<std::string, json> cases;
  if (!claim.example.empty()) cases["example"] = json::parse(claim.example);
  if (record.smallest_witness) cases["violated"] = record.smallest_witness->input;
  if (record.tightness && record.tightness->kind == report::TightnessKind::attained) {
    cases["attained"] = record.tightness->at.input;
  }
  return cases;
}

/// Decides one certificate anew, in words.
ExitCode recheck_and_print(const std::string& name, const json& certificate,
                           const recheck::Checks& checks) {
  const std::string verdict = certificate.at("verdict");
  const std::string claim = certificate.at("claim");
  if (std::ranges::find(checks, claim, &recheck::ClaimCheck::id) == checks.end()) {
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

}  // namespace

Certified certify_and_recheck(const std::vector<Claim>& claims, const report::Report& report,
                              const recheck::Checks& checks) {
  Certified all{.code = kAsExpected};
  for (const Claim& claim : claims) {
    const auto record = std::ranges::find(report.claims, claim.id, &report::ClaimRecord::id);
    for (const auto& [what, input] : settling_cases(claim, *record)) {
      const json certificate = make_certificate(claim, read_case(claim, input));
      const std::string name = fmt::format("{}.{}", claim.id, what);
      all.code = graver(all.code, recheck_and_print(name, certificate, checks));
      all.files[name + ".json"] = certificate.dump(1) + "\n";
    }
  }
  return all;
}

}  // namespace attn::properties
