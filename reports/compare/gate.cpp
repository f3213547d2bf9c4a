#include "reports/compare/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"
#include "theory/claims/coq.hpp"

namespace attn::report {
namespace {

/// `report` without its undecided cases, wherever others were decided.
Report without_undecided(Report report) {
  for (ClaimRecord& record : report.claims) {
    if (decided_cases(record) == 0) continue;
    record.undecided = record.sampled_open;
    rejudge(record);
  }
  return report;
}

/// One failure for each record of the claim that lacks what is asked, or one where there is no
/// record.
void check_claim(const Report& report, const ClaimCondition& condition,
                 std::vector<Failure>& found) {
  bool any = false;
  for (const ClaimRecord& record : report.claims) {
    const bool in_stage = !condition.stage || record.stage == condition.stage;
    if (record.id != condition.claim || !in_stage) continue;
    any = true;
    const std::string lacking = condition.lacks(record);
    if (lacking.empty()) continue;
    found.push_back(failure_of(record, Outcome::unexpected,
                               fmt::format("{}, but {}", condition.asked, lacking)));
  }
  if (any) return;
  const auto& stage = condition.stage;
  found.push_back({condition.claim, stage ? std::optional(Source{.stage = *stage}) : std::nullopt,
                   Outcome::missing,
                   fmt::format("{}, but the report has no record of this claim", condition.asked)});
}

void check_stage(const Report& report, Stage stage, std::vector<Failure>& found) {
  const auto of_stage = [&](const ClaimRecord& record) {
    return record.stage == stage && record.outcome != Outcome::missing;
  };
  if (std::ranges::any_of(report.claims, of_stage)) return;
  found.push_back({"every claim", Source{.stage = stage}, Outcome::missing,
                   "the stage is required, but the report has no record of it"});
}

/// One failure for each claim with a verdict whose status no theorem of theory/proofs states. A
/// claim of another catalogue than the paper's has none.
void check_proofs(const Report& report, std::vector<Failure>& found) {
  std::set<std::string_view> without;
  for (const ClaimRecord& record : report.claims) {
    const bool is_checked = !report.catalogue && coq_proof(record.id, record.status);
    if (decided_cases(record) == 0 || is_checked) continue;
    if (!without.insert(record.id).second) continue;
    found.push_back({record.id,
                     {},
                     Outcome::unexpected,
                     "a proof checked by Coq is required, but people alone have read it",
                     record.replay});
  }
}

/// The value of a word. `what`: what the words are, in a message.
template <Worded Enum>
Enum value_of(std::string_view word, std::string_view what) {
  if (const std::optional<Enum> value = from_word<Enum>(word)) return *value;
  throw BadInput({.kind = BadInputKind::unknown_name,
                  .expected = fmt::format("{} ({})", what, all_words<Enum>(", ")),
                  .found = in_quotes(word)});
}

/// The two parts around the first `sign`.
std::pair<std::string_view, std::string_view> cut(std::string_view text, std::string_view sign,
                                                  std::string_view example) {
  const auto at = text.find(sign);
  if (at == std::string_view::npos) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = std::string(example),
                    .found = fmt::format("no \"{}\"", sign)});
  }
  return {text.substr(0, at), text.substr(at + sign.size())};
}

double limit_from(std::string_view text) {
  const auto value = number_from<double>(text);
  if (!value || !std::isfinite(*value)) {
    throw BadInput({.kind = value ? BadInputKind::out_of_range : BadInputKind::malformed,
                    .expected = "a finite number",
                    .found = in_quotes(text)});
  }
  return *value;
}

/// A condition on a claim, spelt as its subject ("id" or "id@stage"), `sign` and a value, of which
/// `set` makes the rest. What that throws quotes the text.
template <class Set>
ClaimCondition condition_from(std::string_view text, std::string_view sign,
                              std::string_view example, const Set& set) {
  try {
    const auto [subject, value] = cut(text, sign, example);
    const auto at = subject.find('@');
    ClaimCondition condition{.claim = std::string(subject.substr(0, at))};
    if (at != std::string_view::npos) condition.stage = stage_from(subject.substr(at + 1));
    set(condition, value);
    return condition;
  } catch (const BadInput& error) {
    throw error.within(in_quotes(text));
  }
}

}  // namespace

std::uint64_t undecided_cases(const Report& report) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t cases = 0;
  for (const ClaimRecord& record : report.claims) {
    cases += std::min(undecided_cases(record), kMost - cases);  // never around to a small number
  }
  return cases;
}

std::vector<Failure> gate_failures(const Report& report, const Conditions& conditions) {
  const std::uint64_t undecided = undecided_cases(report);
  const auto& most = conditions.most_undecided;
  const bool tolerated = most && undecided <= *most;
  const Report judged = tolerated ? without_undecided(report) : report;

  std::vector<Failure> found = failures(judged);
  for (Failure& failure : found) {
    if (!most || failure.outcome != Outcome::undecided) continue;
    failure.reason += tolerated ? "; tolerated only where other cases are decided"
                                : fmt::format("; {} in all, at most {} are tolerated",
                                              grouped(undecided), grouped(*most));
  }
  for (const Stage stage : conditions.stages) check_stage(report, stage, found);
  for (const ClaimCondition& condition : conditions.claims) check_claim(report, condition, found);
  if (conditions.caught_on_rows) {
    std::ranges::move(survivors_on_rows(report), std::back_inserter(found));
  }
  if (conditions.proofs_checked) check_proofs(report, found);
  if (conditions.baseline) {
    std::ranges::move(worse_than(*conditions.baseline, judged), std::back_inserter(found));
  }
  std::ranges::stable_partition(found, is_grave, &Failure::outcome);
  return found;
}

Stage stage_from(std::string_view word) {
  return value_of<Stage>(word, "a stage");
}

ClaimCondition required_outcome_from(std::string_view text) {
  return condition_from(
      text, "=", "id=outcome", [](ClaimCondition& condition, std::string_view value) {
        std::string word(value);
        std::ranges::replace(word, '-', ' ');
        const auto outcome = value_of<Outcome>(word, "an outcome");
        condition.asked = fmt::format("the outcome \"{}\" is required", word);
        condition.lacks = [outcome](const ClaimRecord& record) {
          return record.outcome == outcome ? ""
                                           : fmt::format("it is \"{}\"", to_string(record.outcome));
        };
      });
}

ClaimCondition tightness_limit_from(std::string_view text) {
  return condition_from(text, "<=", "id<=x", [](ClaimCondition& condition, std::string_view value) {
    const double most = limit_from(value);
    condition.asked = fmt::format("the largest lhs/rhs must be at most {}", most);
    condition.lacks = [most](const ClaimRecord& record) -> std::string {
      if (!record.max_ratio) return "no case has one";
      return *record.max_ratio <= most ? "" : fmt::format("it is {}", *record.max_ratio);
    };
  });
}

void check_claims(const Conditions& conditions, const Report& report) {
  const CatalogueRecord& catalogue = catalogue_of(report);
  std::vector<std::string_view> ids;
  for (const CatalogueClaim& claim : catalogue.claims) ids.push_back(claim.id);
  for (const ClaimCondition& condition : conditions.claims) {
    if (std::ranges::find(ids, condition.claim) != ids.end()) continue;
    throw no_claim(condition.claim, catalogue.name, std::move(ids));
  }
}

}  // namespace attn::report
