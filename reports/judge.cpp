#include "reports/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "reports/format.hpp"
#include "theory/bad_input.hpp"
#include "theory/catalogue.hpp"
#include "theory/cli/run_main.hpp"

namespace attn::report {
namespace {

constexpr Outcome kOutcomes[] = {Outcome::as_expected, Outcome::unexpected, Outcome::undecided,
                                 Outcome::not_covered, Outcome::missing};

/// Position of `id` in the catalogue; its size for an id that is not there.
std::size_t rank_of_claim(std::string_view id) {
  const auto claims = catalogue();
  const auto at = std::find_if(claims.begin(), claims.end(),
                               [&](const Claim& claim) { return claim.id == id; });
  return static_cast<std::size_t>(at - claims.begin());
}

std::size_t rank_of_stage(std::string_view stage) {
  return static_cast<std::size_t>(std::find(std::begin(kStages), std::end(kStages), stage) -
                                  std::begin(kStages));
}

/// Search covers every claim. Attention gives the logits, weights and vectors of a row, so real
/// input must cover every claim but those about random embeddings.
bool must_have(std::string_view stage, const Claim& claim) {
  if (stage == kSynthetic) return true;
  return claim.shape != Shape::random_embeddings;
}

ClaimRecord missing_record(const Claim& claim, std::string_view stage) {
  ClaimRecord record;
  record.id = claim.id;
  record.title = claim.title;
  record.status = attn::to_string(claim.status);
  record.provenance = attn::to_string(claim.provenance);
  record.statement = claim.statement;
  record.paper = claim.paper;
  record.argument = claim.argument;
  record.stage = stage;
  record.outcome = to_string(Outcome::missing);
  return record;
}

std::string reason(const ClaimRecord& record, Outcome outcome) {
  switch (outcome) {
    case Outcome::unexpected:
      if (record.status == attn::to_string(Status::proved)) {
        return fmt::format("proved, yet violated in {} of {} cases", grouped(record.violated),
                           grouped(record.cases));
      }
      return fmt::format("false as written, yet no counterexample was found in {} cases",
                         grouped(record.cases));
    case Outcome::undecided:
      return fmt::format("{} of {} cases stayed undecided even at 200 digits",
                         grouped(record.undecided), grouped(record.cases));
    case Outcome::not_covered:
      if (record.cases == 0) return "no case was run";
      return fmt::format("none of {} cases met the claim's hypotheses", grouped(record.cases));
    case Outcome::missing:
      return "the stage left no record of this claim";
    case Outcome::as_expected:
      break;
  }
  return {};
}

std::string replay(const ClaimRecord& record, const Provenance& provenance) {
  if (!record.replay.empty()) return record.replay;
  const std::string effort = provenance.effort == "quick" || provenance.effort == "thorough"
                                 ? "--" + provenance.effort + " "
                                 : "";
  return fmt::format("./verify {}--seed {}", effort, provenance.seed);
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::as_expected:
      return "as expected";
    case Outcome::unexpected:
      return "unexpected";
    case Outcome::undecided:
      return "undecided";
    case Outcome::not_covered:
      return "not covered";
    case Outcome::missing:
      return "missing";
  }
  return {};
}

Outcome outcome_from(std::string_view word) {
  for (const Outcome outcome : kOutcomes) {
    if (to_string(outcome) == word) return outcome;
  }
  throw BadInput(
      fmt::format("expected an outcome (as expected, unexpected, undecided, not covered, missing), "
                  "found \"{}\"",
                  word));
}

Counts counts_of(const ClaimRecord& record) {
  return {.cases = record.cases,
          .holds = record.holds,
          .equal = record.equal,
          .violated = record.violated,
          .undecided = record.undecided,
          .assumption_not_met = record.assumption_not_met};
}

Outcome judge(Status status, std::string_view stage, const Counts& counts) {
  if (counts.cases == counts.assumption_not_met) return Outcome::not_covered;
  if (status == Status::proved && counts.violated > 0) return Outcome::unexpected;
  if (status == Status::refuted && stage == kSynthetic && counts.violated == 0) {
    return Outcome::unexpected;
  }
  return counts.undecided > 0 ? Outcome::undecided : Outcome::as_expected;
}

void complete(Report& report) {
  auto& records = report.claims;
  for (const std::string_view stage : kStages) {
    const auto in_stage = [&](const ClaimRecord& record) { return record.stage == stage; };
    if (std::none_of(records.begin(), records.end(), in_stage)) continue;
    for (const Claim& claim : catalogue()) {
      const auto of_claim = [&](const ClaimRecord& record) {
        return record.stage == stage && record.id == claim.id;
      };
      if (must_have(stage, claim) && std::none_of(records.begin(), records.end(), of_claim)) {
        records.push_back(missing_record(claim, stage));
      }
    }
  }
  std::stable_sort(records.begin(), records.end(), [](const ClaimRecord& a, const ClaimRecord& b) {
    return std::tuple(rank_of_claim(a.id), std::string_view(a.id), rank_of_stage(a.stage)) <
           std::tuple(rank_of_claim(b.id), std::string_view(b.id), rank_of_stage(b.stage));
  });
}

std::vector<Failure> failures(const Report& report) {
  std::vector<Failure> grave, open;
  for (const ClaimRecord& record : report.claims) {
    const Outcome outcome = outcome_from(record.outcome);
    if (outcome == Outcome::as_expected) continue;
    const bool is_grave = outcome == Outcome::unexpected || outcome == Outcome::missing;
    (is_grave ? grave : open)
        .push_back({record.id, record.stage, record.outcome, reason(record, outcome),
                    replay(record, report.provenance)});
  }
  grave.insert(grave.end(), open.begin(), open.end());
  return grave;
}

int exit_code(const Report& report) {
  if (report.claims.empty()) return kUndecided;
  int code = kAsExpected;
  for (const ClaimRecord& record : report.claims) {
    switch (outcome_from(record.outcome)) {
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
