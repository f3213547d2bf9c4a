#include "reports/judge/case_record.hpp"

#include "reports/judge/case_input.hpp"

namespace attn::report {
namespace {

CaseRecord without_case(const Certified& certified) {
  const Certificate& certificate = certified.certificate;
  const bool is_decided = certificate.decision.verdict != Verdict::undecided;
  return {.lhs = certificate.lhs,
          .rhs = certificate.rhs,
          .lhs_lower = certificate.lhs_lower,
          .lhs_upper = certificate.lhs_upper,
          .rhs_lower = certificate.rhs_lower,
          .rhs_upper = certificate.rhs_upper,
          .verdict = certificate.decision.verdict,
          .by = std::string(is_decided ? to_string(certificate.decision.by) : ""),
          .digits = certificate.decision.digits,
          .where = certified.where};
}

}  // namespace

CaseRecord case_record(const Certified& certified) {
  CaseRecord record = without_case(certified);
  record.input = input_of(certified.input);
  return record;
}

CaseRecord case_record_if_short(const Certified& certified) {
  return certified.numbers <= kMostNumbers ? case_record(certified) : without_case(certified);
}

}  // namespace attn::report
