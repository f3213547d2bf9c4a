#include "reports/judge/guards.hpp"

#include <fmt/format.h>

#include "reports/text/format.hpp"

namespace attn::report {
namespace {

std::string cases(std::uint64_t count) {
  return count == 1 ? "1 case" : grouped(count) + " cases";
}

}  // namespace

SearchChecks guards_of(const Report& report) {
  SearchChecks total;
  for (const ClaimRecord& record : report.claims) {
    total.mutants += record.mutants.size();
    total.classes += record.classes.size();
    for (const MutantRecord& mutant : record.mutants) total.caught += mutant.caught ? 1 : 0;
    for (const ClassRecord& input : record.classes) total.covered += input.covered ? 1 : 0;
    total.sampled += record.sampled;
    total.sampled_open += record.sampled_open;
  }
  return total;
}

std::string_view word_of(const MutantRecord& mutant) {
  return std::string_view(mutant.id).substr(mutant.id.rfind('/') + 1);
}

std::string fate_of(Stage stage, const MutantRecord& mutant) {
  if (mutant.caught || stage == Stage::synthetic) {
    return fmt::format("{} {}", mutant.caught ? "caught after" : "survived", cases(mutant.cases));
  }
  return fmt::format("these rows cannot tell it from the claim ({})", cases(mutant.cases));
}

std::string mutants_in_short(std::uint64_t caught, std::uint64_t mutants) {
  if (mutants == 0) return {};
  return fmt::format("{} of {} caught", grouped(caught), grouped(mutants));
}

std::string classes_in_short(std::uint64_t covered, std::uint64_t classes) {
  if (classes == 0) return {};
  if (covered == classes) return fmt::format("all {} covered", grouped(classes));
  return fmt::format("{} of {} not covered", grouped(classes - covered), grouped(classes));
}

std::string share_of(const ClassRecord& input) {
  return fmt::format("{} to {}", percent(input.share_lower), percent(input.share_upper));
}

std::string tightness_line(const TightnessRecord& tightness) {
  if (tightness.kind == TightnessKind::attained)
    return "attained: there is a case where both sides are equal";
  return fmt::format("{}: the largest lhs/rhs found is {}, with {} of a directed search",
                     to_string(tightness.kind), ratio_text(tightness.ratio),
                     cases(tightness.climbed));
}

std::string sampled_line(const ClaimRecord& record) {
  if (record.sampled == 0) return {};
  return fmt::format(
      "in {} of {} the expectation is enclosed by a confidence interval, at confidence {} a case; "
      "{} of these stayed open",
      grouped(record.sampled), cases(record.cases), kSampledConfidence,
      record.sampled_open == 0 ? "none" : grouped(record.sampled_open));
}

std::string unmet_line(const ClaimRecord& record) {
  std::string line;
  for (const auto& [hypothesis, count] : record.unmet) {
    line += fmt::format("{}{} ({})", line.empty() ? "" : "; ", hypothesis, cases(count));
  }
  return line;
}

}  // namespace attn::report
