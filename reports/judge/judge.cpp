#include "reports/judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "reports/judge/tally.hpp"
#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

/// Position of `id` among `ids`; their number for any other id.
std::size_t rank_of(std::string_view id, const std::vector<std::string_view>& ids) {
  return static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
}

/// Search covers every claim, real input those that speak of rows of attention alone.
bool must_have(Stage stage, bool on_rows) {
  return stage == Stage::synthetic || on_rows;
}

ClaimRecord missing_record(const Claim& claim) {
  return described(claim);
}

/// Of another catalogue only this much is known.
ClaimRecord missing_record(const CatalogueClaim& claim) {
  ClaimRecord record;
  record.id = claim.id;
  record.title = claim.title;
  record.status = claim.status;
  return record;
}

bool is_on_rows(const Claim& claim) {
  return attn::is_on_rows(claim.kind);
}

bool is_on_rows(const CatalogueClaim& claim) {
  return claim.on_rows;
}

/// Whether the input cannot speak to the claim, as it says itself.
bool cannot_have(const Report& report, const Source& source, std::string_view id) {
  if (source.stage == Stage::synthetic) return false;
  return std::ranges::any_of(measured_inputs(report), [&](const Measurements* measured) {
    return measured->input == source.input && measured->not_covered.contains(std::string(id));
  });
}

/// Adds the records of `claims` that a source must have and has not.
void add_missing(Report& report, const Source& source, const auto& claims) {
  for (const auto& claim : claims) {
    if (cannot_have(report, source, claim.id)) continue;
    const auto of_claim = [&](const ClaimRecord& record) {
      return source_of(record) == source && record.id == claim.id;
    };
    if (!must_have(source.stage, is_on_rows(claim)) ||
        std::ranges::any_of(report.claims, of_claim)) {
      continue;
    }
    ClaimRecord record = missing_record(claim);
    record.stage = source.stage;
    record.input = source.input;
    record.outcome = Outcome::missing;
    report.claims.push_back(std::move(record));
  }
}

void add_missing(Report& report) {
  for (const Source& source : sources_of(report)) {
    if (report.catalogue) {
      add_missing(report, source, report.catalogue->claims);
    } else {
      add_missing(report, source, catalogue());
    }
  }
}

/// One thing that keeps a record from being as expected.
struct Finding {
  Outcome outcome;
  std::string reason;
  std::string replay;  ///< of a mutant; else empty
};

bool is_proved(const ClaimRecord& record) {
  return record.status == Status::proved;
}

std::vector<Finding> surviving(const ClaimRecord& record) {
  std::vector<Finding> found;
  for (const MutantRecord& mutant : record.mutants) {
    if (mutant.caught) continue;
    found.push_back({Outcome::unexpected,
                     fmt::format("mutant {} survived {} cases: {}", mutant.id,
                                 grouped(mutant.cases), plain_text(mutant.change)),
                     mutant.replay});
  }
  return found;
}

/// Why nothing at all was decided; empty where something was, or stayed open at the precision cap.
std::string nothing_decided(const ClaimRecord& record) {
  if (record.cases == 0) return "no case was run";
  if (record.cases == record.assumption_not_met) {
    // Its witness refutes a claim, not the rows at hand, which may be too short for it.
    if (!is_proved(record) && record.stage != Stage::synthetic) return {};
    return fmt::format("none of {} cases met the claim's hypotheses", grouped(record.cases));
  }
  const bool only_sampled = record.undecided == record.sampled_open;
  if (decided_cases(record) == 0 && only_sampled) {
    return fmt::format("none of {} cases was decided: confidence intervals left them open",
                       grouped(record.cases));
  }
  return {};
}

std::string uncovered(const ClassRecord& input, const ClaimRecord& record) {
  return fmt::format(
      "the input class \"{}\" has {} of {} cases: a share of {} to {} at confidence {}, below the "
      "least of {}",
      input.name, grouped(input.cases), grouped(record.cases), percent(input.share_lower),
      percent(input.share_upper), kClassConfidence, percent(input.least_share));
}

/// What the search lacks before its silence says anything.
std::vector<Finding> gaps(const ClaimRecord& record) {
  std::vector<Finding> found;
  if (is_proved(record) && record.stage == Stage::synthetic &&
      record.mutants.size() < kLeastMutants) {
    found.push_back({Outcome::not_covered, "fewer than two mutants guard this claim", {}});
  }
  if (record.stage == Stage::synthetic && record.classes.empty()) {
    found.push_back({Outcome::not_covered, "no input class says what the search has met", {}});
  }
  for (const ClassRecord& input : record.classes) {
    if (!input.covered) found.push_back({Outcome::not_covered, uncovered(input, record), {}});
  }
  return found;
}

/// Everything that keeps a record from being as expected, the gravest first.
std::vector<Finding> findings(const ClaimRecord& record) {
  std::vector<Finding> found;
  if (is_proved(record) && record.violated > 0) {
    found.push_back({Outcome::unexpected,
                     fmt::format("proved, yet violated in {} of {} cases", grouped(record.violated),
                                 grouped(record.cases)),
                     {}});
  }
  if (record.stage == Stage::synthetic) {
    for (Finding& finding : surviving(record)) found.push_back(std::move(finding));
  }
  const bool any_met = record.cases > record.assumption_not_met;
  if (!is_proved(record) && record.stage == Stage::synthetic && any_met && record.violated == 0) {
    found.push_back({Outcome::unexpected,
                     fmt::format("false as written, yet no counterexample was found in {} cases",
                                 grouped(record.cases)),
                     {}});
  }
  if (std::string idle = nothing_decided(record); !idle.empty()) {
    found.push_back({Outcome::not_covered, std::move(idle), {}});
    return found;  // what else is lacking says nothing more
  }
  if (undecided_cases(record) > 0) {
    found.push_back({Outcome::undecided,
                     fmt::format("{} of {} cases stayed undecided even at 200 digits",
                                 grouped(undecided_cases(record)), grouped(record.cases)),
                     {}});
  }
  for (Finding& finding : gaps(record)) found.push_back(std::move(finding));
  return found;
}

Failure failure_of(const ClaimRecord& record, Finding finding) {
  if (finding.replay.empty()) finding.replay = record.replay;
  return {record.id, source_of(record), finding.outcome, std::move(finding.reason),
          std::move(finding.replay)};
}

}  // namespace

Outcome outcome_from(std::string_view word) {
  if (const auto outcome = from_word<Outcome>(word)) return *outcome;
  throw BadInput({.kind = BadInputKind::unknown_name,
                  .expected = fmt::format("an outcome ({})", all_words<Outcome>()),
                  .found = in_quotes(word)});
}

Outcome judge(const ClaimRecord& record) {
  const std::vector<Finding> found = findings(record);
  return found.empty() ? Outcome::as_expected : found.front().outcome;
}

void rejudge(ClaimRecord& record) {
  record.outcome = judge(record);
}

CatalogueRecord record_of(const Catalogue& claims, const std::string& eval) {
  CatalogueRecord record{.name = std::string(claims.name()), .eval = eval};
  for (const Claim& claim : claims) {
    record.claims.push_back({.id = std::string(claim.id),
                             .title = std::string(claim.title),
                             .status = claim.status,
                             .on_rows = is_on_rows(claim)});
  }
  return record;
}

std::string_view catalogue_name(const Report& report) {
  return report.catalogue ? std::string_view(report.catalogue->name) : catalogue().name();
}

std::vector<std::string_view> ids_of_claims(const Report& report) {
  std::vector<std::string_view> ids;
  if (report.catalogue) {
    for (const CatalogueClaim& claim : report.catalogue->claims) ids.push_back(claim.id);
  } else {
    for (const Claim& claim : catalogue()) ids.push_back(claim.id);
  }
  return ids;
}

std::string_view eval_command(const Report& report) {
  return report.catalogue ? std::string_view(report.catalogue->eval) : "claims eval";
}

void complete(Report& report) {
  // What a search in shards lacks shows itself once they are merged.
  if (!report.provenance.shard) add_missing(report);
  const std::vector<std::string_view> ids = ids_of_claims(report);
  std::ranges::stable_sort(report.claims, {}, [&](const ClaimRecord& record) {
    return std::tuple(rank_of(record.id, ids), record.id, record.stage);
  });
  std::ranges::stable_sort(report.comparisons, {}, [&](const ComparisonRecord& record) {
    return rank_of(record.sharp, ids);
  });
}

std::uint64_t decided_cases(const ClaimRecord& record) {
  return record.holds + record.equal + record.violated;
}

std::uint64_t undecided_cases(const ClaimRecord& record) {
  return record.undecided - record.sampled_open;
}

bool is_grave(Outcome outcome) {
  return outcome == Outcome::unexpected || outcome == Outcome::missing;
}

std::string source_words(const Failure& failure) {
  return failure.source ? source_words(*failure.source) : "any stage";
}

std::vector<Failure> failures(const Report& report) {
  std::vector<Failure> grave, open;
  for (const ClaimRecord& record : report.claims) {
    std::vector<Finding> found = findings(record);
    if (record.outcome == Outcome::missing) {
      found = {{Outcome::missing, "the stage left no record of this claim", {}}};
    }
    for (Finding& finding : found) {
      (is_grave(finding.outcome) ? grave : open).push_back(failure_of(record, std::move(finding)));
    }
  }
  grave.insert(grave.end(), open.begin(), open.end());
  return grave;
}

std::vector<Failure> survivors_on_rows(const Report& report) {
  std::vector<Failure> survivors;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage == Stage::synthetic) continue;
    for (Finding& finding : surviving(record)) {
      survivors.push_back(failure_of(record, std::move(finding)));
    }
  }
  return survivors;
}

int exit_code(const Report& report) {
  if (report.claims.empty()) return kUndecided;
  int code = kAsExpected;
  for (const ClaimRecord& record : report.claims) {
    switch (record.outcome) {
      case Outcome::unexpected:
      case Outcome::missing:
        return kUnexpected;
      case Outcome::undecided:
      case Outcome::not_covered:
        code = kUndecided;
        break;
      case Outcome::as_expected:
        break;
    }
  }
  return code;
}

}  // namespace attn::report
