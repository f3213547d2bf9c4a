#include "reports/text/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::report {
namespace {

void add(const CaseInput& input, std::vector<CaseInput>& kept) {
  const bool is_new = !input.is_null() && std::ranges::find(kept, input) == kept.end();
  if (is_new) kept.push_back(input);
}

/// The cases of the claim itself: the witnesses of mutants are of wrong versions.
std::vector<CaseInput> kept_cases(const Report& report, std::string_view claim) {
  std::vector<CaseInput> kept;
  for (const ClaimRecord& record : report.claims) {
    if (record.id != claim) continue;
    for (const auto* const each :
         {&record.worst, &record.smallest_witness, &record.first_undecided}) {
      if (*each) add((*each)->input, kept);
    }
    if (record.tightness) add(record.tightness->at.input, kept);
  }
  return kept;
}

}  // namespace

std::string cases_text(const Report& report, std::string_view claim) {
  const std::vector<CaseInput> kept = kept_cases(report, claim);
  if (kept.empty()) {
    const bool is_there =
        std::ranges::find(report.claims, claim, &ClaimRecord::id) != report.claims.end();
    throw BadInput(
        {.kind = BadInputKind::unknown_name,
         .expected = "a claim of which the report has a case",
         .found = in_quotes(claim),
         .advice = is_there ? "no case of it is written out" : "name one of its claims"});
  }
  std::string text;
  for (const CaseInput& input : kept) {
    const nlohmann::ordered_json line = {{"claim", claim}, {"case", input.whole()}};
    text += fmt::format("{}{}", text.empty() ? "[\n" : ",\n", line.dump());
  }
  return text + "\n]\n";
}

}  // namespace attn::report
