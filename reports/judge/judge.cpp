#include "reports/judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "reports/judge/tally.hpp"
#include "reports/text/format.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

/// Whether the input cannot speak to the claim, as it says itself.
bool cannot_have(const Report& report, const Source& source, const std::string& id) {
  if (source.stage == Stage::synthetic) return false;
  return std::ranges::any_of(report.inputs, [&](const Measurements& measured) {
    return measured.input == source.input && measured.not_covered.contains(id);
  });
}

/// The record of a claim that was not decided, though it should have been. Of a claim of another
/// catalogue than the paper's only id, title and status are known.
ClaimRecord missing_record(const Report& report, const CatalogueClaim& claim,
                           const Source& source) {
  ClaimRecord record;
  if (report.catalogue) {
    record.id = claim.id;
    record.title = claim.title;
    record.status = claim.status;
  } else {
    record = described(find_claim(claim.id));
  }
  record.stage = source.stage;
  record.input = source.input;
  record.outcome = Outcome::missing;
  return record;
}

/// Search covers every claim, real input those that speak of rows of attention alone.
void add_missing(Report& report, const Source& source) {
  for (const CatalogueClaim& claim : catalogue_of(report).claims) {
    const bool must_have = source.stage == Stage::synthetic || claim.on_rows;
    if (!must_have || cannot_have(report, source, claim.id)) continue;
    const auto is_it = [&](const ClaimRecord& record) {
      return source_of(record) == source && record.id == claim.id;
    };
    if (std::ranges::none_of(report.claims, is_it)) {
      report.claims.push_back(missing_record(report, claim, source));
    }
  }
}

bool is_proved(const ClaimRecord& record) {
  return record.status == Status::proved;
}

std::vector<Failure> surviving(const ClaimRecord& record) {
  std::vector<Failure> found;
  for (const MutantRecord& mutant : record.mutants) {
    if (mutant.caught) continue;
    Failure& survivor = found.emplace_back(
        failure_of(record, Outcome::unexpected,
                   fmt::format("mutant {} survived {} cases: {}", mutant.id, grouped(mutant.cases),
                               plain_text(mutant.change))));
    if (!mutant.replay.empty()) survivor.replay = mutant.replay;
  }
  return found;
}

/// Why nothing at all was decided; empty where something was, or stayed open at the precision cap.
std::string nothing_decided(const ClaimRecord& record) {
  if (record.cases == 0) return "no case was run";
  if (applicable_cases(record) == 0) {
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
std::vector<Failure> gaps(const ClaimRecord& record) {
  std::vector<Failure> found;
  const auto lacks = [&](std::string reason) {
    found.push_back(failure_of(record, Outcome::not_covered, std::move(reason)));
  };
  const bool is_search = record.stage == Stage::synthetic;
  if (is_search && is_proved(record) && record.mutants.size() < kLeastMutants) {
    lacks("fewer than two mutants guard this claim");
  }
  if (is_search && record.classes.empty()) lacks("no input class says what the search has met");
  for (const ClassRecord& input : record.classes) {
    if (!input.covered) lacks(uncovered(input, record));
  }
  return found;
}

/// Everything that keeps a record from being as expected, the gravest first.
std::vector<Failure> failures_of(const ClaimRecord& record) {
  std::vector<Failure> found;
  const auto add = [&](Outcome outcome, std::string reason) {
    found.push_back(failure_of(record, outcome, std::move(reason)));
  };
  const bool is_search = record.stage == Stage::synthetic;
  if (is_proved(record) && record.violated > 0) {
    add(Outcome::unexpected,
        fmt::format("proved, yet violated in {} of {} cases", grouped(record.violated),
                    grouped(applicable_cases(record))));
  }
  if (is_search) std::ranges::move(surviving(record), std::back_inserter(found));
  const bool any_met = applicable_cases(record) > 0;
  if (!is_proved(record) && is_search && any_met && record.violated == 0) {
    add(Outcome::unexpected,
        fmt::format("false as written, yet no counterexample was found in {} cases",
                    grouped(applicable_cases(record))));
  }
  if (std::string idle = nothing_decided(record); !idle.empty()) {
    add(Outcome::not_covered, std::move(idle));
    return found;  // what else is lacking says nothing more
  }
  if (undecided_cases(record) > 0) {
    add(Outcome::undecided,
        fmt::format("{} of {} cases stayed undecided", grouped(undecided_cases(record)),
                    grouped(applicable_cases(record))));
  }
  std::ranges::move(gaps(record), std::back_inserter(found));
  return found;
}

}  // namespace

Failure failure_of(const ClaimRecord& record, Outcome outcome, std::string reason) {
  return {record.id, source_of(record), outcome, std::move(reason), record.replay};
}

Outcome judge(const ClaimRecord& record) {
  const std::vector<Failure> found = failures_of(record);
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
                             .on_rows = is_on_rows(claim.kind)});
  }
  return record;
}

const CatalogueRecord& catalogue_of(const Report& report) {
  static const CatalogueRecord paper = record_of(catalogue(), "claims eval");
  return report.catalogue ? *report.catalogue : paper;
}

void complete(Report& report) {
  // What a search in shards lacks shows itself once they are merged.
  if (!report.provenance.shard) {
    for (const Source& source : sources_of(report)) add_missing(report, source);
  }
  const std::vector<CatalogueClaim>& claims = catalogue_of(report).claims;
  const auto rank_of = [&](const std::string& id) {
    return std::ranges::find(claims, id, &CatalogueClaim::id) - claims.begin();
  };
  std::ranges::stable_sort(report.claims, {}, [&](const ClaimRecord& record) {
    return std::tuple(rank_of(record.id), record.id, record.stage);
  });
  std::ranges::stable_sort(report.comparisons, {},
                           [&](const ComparisonRecord& record) { return rank_of(record.sharp); });
}

std::uint64_t applicable_cases(const ClaimRecord& record) {
  return record.cases - record.assumption_not_met;
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
  std::vector<Failure> found;
  for (const ClaimRecord& record : report.claims) {
    if (record.outcome == Outcome::missing) {
      found.push_back(
          failure_of(record, Outcome::missing, "the stage left no record of this claim"));
    } else {
      std::ranges::move(failures_of(record), std::back_inserter(found));
    }
  }
  if (report.claims.empty()) {
    found.push_back({"every claim", {}, Outcome::not_covered, "there is no record of any"});
  }
  std::ranges::stable_partition(found, is_grave, &Failure::outcome);
  return found;
}

std::vector<Failure> survivors_on_rows(const Report& report) {
  std::vector<Failure> survivors;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage == Stage::synthetic) continue;
    std::ranges::move(surviving(record), std::back_inserter(survivors));
  }
  return survivors;
}

int exit_code(const std::vector<Failure>& failures) {
  if (std::ranges::any_of(failures, is_grave, &Failure::outcome)) return kUnexpected;
  return failures.empty() ? kAsExpected : kUndecided;
}

int exit_code(const Report& report) {
  return exit_code(failures(report));
}

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

std::string mutants_in_short(std::uint64_t caught, std::uint64_t mutants) {
  if (mutants == 0) return {};
  return fmt::format("{} of {} caught", grouped(caught), grouped(mutants));
}

std::string classes_in_short(std::uint64_t covered, std::uint64_t classes) {
  if (classes == 0) return {};
  if (covered == classes) return fmt::format("all {} covered", grouped(classes));
  return fmt::format("{} of {} not covered", grouped(classes - covered), grouped(classes));
}

}  // namespace attn::report
