#include "properties/search/witness.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "reports/judge/tally.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/claims/decide.hpp"

namespace attn::properties {

namespace {

constexpr unsigned kWitnessDigits = 100;

}  // namespace

report::CaseRecord certified(const Claim& claim, const Case& input, std::string_view where) {
  return report::case_record(input, certify(claim, input), std::string(where));
}

report::CaseRecord certified_witness(const Claim& claim, const Case& input,
                                     std::string_view where) {
  const Certificate certificate = certify(claim, input, kWitnessDigits);
  const Decision again = decide(claim, input);
  if (certificate.decision.verdict != Verdict::violated || again.verdict != Verdict::violated) {
    throw std::runtime_error(fmt::format(
        "flaky: a case of family {} was violated, then {} and {} (by intervals): {}", where,
        to_string(again.verdict), to_string(certificate.decision.verdict), to_json(input).dump()));
  }
  return report::case_record(input, certificate, std::string(where));
}

}  // namespace attn::properties
