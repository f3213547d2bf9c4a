#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/record/report.hpp"
#include "theory/attention/sampling.hpp"

namespace attn::report {

// What stands behind the silence of a search, in words: mutants, input classes, sampled cases.

/// With what confidence the interval of a sampled expectation holds it, for each case.
inline constexpr std::string_view kSampledConfidence = "$1 - 10^-9$";
static_assert(kConfidence == 1 - 1e-9);

/// Totals over the records of a report.
struct SearchChecks {
  std::uint64_t mutants{}, caught{};
  std::uint64_t classes{}, covered{};
  std::uint64_t sampled{}, sampled_open{};
};

SearchChecks guards_of(const Report& report);

/// The word on the change: what follows the claim's id in the id of a mutant.
std::string_view word_of(const MutantRecord& mutant);

/// "caught after 3 cases" or "survived 3,000 cases"; of a real input, "these rows cannot tell it
/// from the claim (38 cases)".
std::string fate_of(Stage stage, const MutantRecord& mutant);

/// "2 of 2 caught", "all 6 covered", "1 of 6 not covered"; empty where there are none.
std::string mutants_in_short(std::uint64_t caught, std::uint64_t mutants);
std::string classes_in_short(std::uint64_t covered, std::uint64_t classes);

/// "11.25 % to 12.91 %": the interval of a class's share of the cases.
std::string share_of(const ClassRecord& input);

/// "approached: the largest lhs/rhs found is 0.9934, with 512 cases of a directed search".
std::string tightness_line(const TightnessRecord& tightness);

/// How many cases were judged against a confidence interval, and with what confidence; empty where
/// none was.
std::string sampled_line(const ClaimRecord& record);

/// "sparsemax: not smooth, zeros (12 cases); ...": the hypotheses that cases do not meet; empty
/// where none is named.
std::string unmet_line(const ClaimRecord& record);

}  // namespace attn::report
