#include "properties/search/witness.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "theory/case_json.hpp"
#include "theory/decide.hpp"

namespace attn::properties {

namespace {

constexpr unsigned kWitnessDigits = 100;

report::CaseRecord record_of(const Case& input, const Certificate& certificate,
                             std::string_view where) {
  return {.input = to_json(input),
          .lhs = certificate.lhs,
          .rhs = certificate.rhs,
          .lhs_lower = certificate.lhs_lower,
          .lhs_upper = certificate.lhs_upper,
          .rhs_lower = certificate.rhs_lower,
          .rhs_upper = certificate.rhs_upper,
          .verdict = std::string(to_string(certificate.decision.verdict)),
          .digits = certificate.decision.digits,
          .where = std::string(where)};
}

}  // namespace

report::CaseRecord certified(const Claim& claim, const Case& input, std::string_view where) {
  return record_of(input, certify(claim, input), where);
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
  return record_of(input, certificate, where);
}

}  // namespace attn::properties
