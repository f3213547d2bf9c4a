#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "reports/compare/gate.hpp"
#include "reports/io/report_json.hpp"
#include "reports/record/record_json.hpp"
#include "reports/text/format.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"

namespace attn::report {
namespace {

/// Takes why a record is worse than it was; gives the failure that it becomes.
using Lose = std::function<Failure&(std::string reason)>;

/// How bad an outcome is, in the order of exit codes.
int badness(Outcome outcome) {
  if (outcome == Outcome::as_expected) return 0;
  return outcome == Outcome::unexpected ? 2 : 1;
}

/// How close a bound comes: 0 where nothing is known.
int closeness(const std::optional<TightnessKind>& kind) {
  return kind ? 1 + static_cast<int>(TightnessKind::loose) - static_cast<int>(*kind) : 0;
}

void compare_verdicts(const BaselineRecord& was, const ClaimRecord& is, const Lose& lose) {
  if (is.status != was.status) {
    lose(fmt::format("the status is \"{}\", \"{}\" in the baseline", attn::to_string(is.status),
                     attn::to_string(was.status)));
  }
  if (badness(is.outcome) > badness(was.outcome)) {
    lose(fmt::format("the outcome is \"{}\", \"{}\" in the baseline", to_string(is.outcome),
                     to_string(was.outcome)));
  }
  if (undecided_cases(is) > was.undecided) {
    lose(fmt::format("{} cases undecided, {} in the baseline", grouped(undecided_cases(is)),
                     grouped(was.undecided)));
  }
  if (decided_cases(is) < was.decided) {
    lose(fmt::format("{} cases decided, {} in the baseline", grouped(decided_cases(is)),
                     grouped(was.decided)));
  }
}

void compare_mutants(const BaselineRecord& was, const ClaimRecord& is, const Lose& lose) {
  const auto caught =
      static_cast<std::size_t>(std::ranges::count_if(is.mutants, &MutantRecord::caught));
  if (caught >= was.caught.size()) return;
  std::string lost, replay;
  for (const std::string& before : was.caught) {
    const auto now = std::ranges::find(is.mutants, before, &MutantRecord::id);
    if (now != is.mutants.end() && now->caught) continue;
    lost += fmt::format("{}{}", lost.empty() ? "" : ", ", before);
    if (replay.empty() && now != is.mutants.end()) replay = now->replay;
  }
  Failure& failure = lose(fmt::format("{} of {} mutants caught, {} in the baseline; no longer: {}",
                                      caught, is.mutants.size(), was.caught.size(), lost));
  if (!replay.empty()) failure.replay = replay;
}

void compare_classes(const BaselineRecord& was, const ClaimRecord& is, const Lose& lose) {
  for (const std::string& before : was.covered) {
    const auto now = std::ranges::find(is.classes, before, &ClassRecord::name);
    if (now == is.classes.end()) {
      lose(fmt::format("the input class \"{}\" is gone, covered in the baseline", before));
    } else if (!now->covered) {
      lose(fmt::format(
          "the input class \"{}\" is not covered with {} cases, covered in the baseline", before,
          grouped(now->cases)));
    }
  }
}

void compare_tightness(const BaselineRecord& was, const ClaimRecord& is, const Lose& lose) {
  const auto kind = is.tightness ? std::optional(is.tightness->kind) : std::nullopt;
  if (closeness(kind) >= closeness(was.tightness)) return;
  const std::string now =
      is.tightness ? fmt::format("{} (lhs/rhs {})", to_string(*kind), is.tightness->ratio)
                   : "without a tightness";
  lose(fmt::format("the bound is {}, {} in the baseline", now, to_string(*was.tightness)));
}

void compare_record(const BaselineRecord& was, const Report& report, std::vector<Failure>& found) {
  if (was.outcome == Outcome::missing) return;
  const Source source{.stage = was.stage, .input = was.input};
  const auto is = std::ranges::find_if(report.claims, [&](const ClaimRecord& record) {
    return record.id == was.claim && source_of(record) == source;
  });
  if (is == report.claims.end()) {
    found.push_back({was.claim, source, Outcome::missing,
                     fmt::format("no record, \"{}\" in the baseline", to_string(was.outcome))});
    return;
  }
  if (is->outcome == Outcome::missing) return;
  const Lose lose = [&](std::string reason) -> Failure& {
    return found.emplace_back(failure_of(*is, Outcome::unexpected, std::move(reason)));
  };
  compare_verdicts(was, *is, lose);
  compare_mutants(was, *is, lose);
  compare_classes(was, *is, lose);
  compare_tightness(was, *is, lose);
}

/// What was lost of a comparison; empty where nothing was.
std::string loss_of(const BaselineComparison& was, const Report& report) {
  const auto is = std::ranges::find_if(report.comparisons, [&](const ComparisonRecord& other) {
    return other.sharp == was.sharp && other.printed == was.printed && other.input == was.input;
  });
  if (is == report.comparisons.end()) {
    return fmt::format("no comparison with {}, one in the baseline", was.printed);
  }
  if (was.looser > 0 || is->looser == 0) return {};
  return fmt::format("looser than {} in {} of {} cases, in none in the baseline", was.printed,
                     grouped(is->looser), grouped(is->cases));
}

void compare_comparison(const BaselineComparison& was, const Report& report,
                        std::vector<Failure>& found) {
  std::string reason = loss_of(was, report);
  if (reason.empty()) return;
  const auto record = std::ranges::find_if(report.claims, [&](const ClaimRecord& claim) {
    return claim.id == was.sharp && claim.input == was.input;
  });
  found.push_back(
      record != report.claims.end()
          ? failure_of(*record, Outcome::unexpected, std::move(reason))
          : Failure{was.sharp, Source{.input = was.input}, Outcome::unexpected, std::move(reason)});
}

BaselineRecord kept_of(const ClaimRecord& record) {
  BaselineRecord kept{.claim = record.id,
                      .stage = record.stage,
                      .input = record.input,
                      .status = record.status,
                      .outcome = record.outcome,
                      .decided = decided_cases(record),
                      .undecided = undecided_cases(record)};
  for (const MutantRecord& mutant : record.mutants) {
    if (mutant.caught) kept.caught.push_back(mutant.id);
  }
  for (const ClassRecord& input : record.classes) {
    if (input.covered) kept.covered.push_back(input.name);
  }
  if (record.tightness) kept.tightness = record.tightness->kind;
  return kept;
}

template <class Record>
std::string lines_of(const std::vector<Record>& records) {
  std::string lines;
  for (const Record& record : records) {
    lines += fmt::format("{}\n  {}", lines.empty() ? "" : ",", json_of(record).dump());
  }
  return lines;
}

}  // namespace

Baseline baseline_of(const Report& report) {
  Baseline baseline{.settings = settings_of(report)};
  for (const ClaimRecord& record : report.claims) baseline.records.push_back(kept_of(record));
  for (const ComparisonRecord& record : report.comparisons) {
    baseline.comparisons.push_back({record.sharp, record.printed, record.input, record.looser});
  }
  return baseline;
}

std::string baseline_text(const Baseline& baseline) {
  return fmt::format(
      "{{\n \"baseline\": {},\n \"settings\": {},\n \"records\": [{}\n ],\n \"comparisons\": "
      "[{}\n ]\n}}\n",
      baseline.version, json_of(baseline.settings).dump(), lines_of(baseline.records),
      lines_of(baseline.comparisons));
}

Baseline read_baseline(const std::filesystem::path& path) {
  std::ifstream stream = open_file(path);
  try {
    const nlohmann::json document = read_json(stream, "a baseline or a report.json");
    const Reader in(document);
    if (in.object().contains("schema")) {
      Report report = report_from_json(document);
      expect_whole(report, "");
      complete(report);
      return baseline_of(report);
    }
    Baseline baseline;
    read(in, baseline);
    if (!baseline.records.empty()) return baseline;
    in.at("records").refuse(BadInputKind::missing, "at least one record", "none");
  } catch (const BadInput& error) {
    throw error.within(path.string());
  }
}

std::vector<Failure> worse_than(const Baseline& baseline, const Report& report) {
  check_comparable(baseline.settings, "the baseline", settings_of(report), "the report");
  std::vector<Failure> found;
  for (const BaselineRecord& was : baseline.records) compare_record(was, report, found);
  for (const BaselineComparison& was : baseline.comparisons) {
    compare_comparison(was, report, found);
  }
  return found;
}

}  // namespace attn::report
