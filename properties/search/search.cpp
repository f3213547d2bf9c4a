#include "properties/search/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "properties/generators/membership.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/search/climb.hpp"
#include "properties/search/witness.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evidence.hpp"
#include "theory/number/machine_assumptions.hpp"

namespace attn::properties {
namespace {

constexpr unsigned kShrinkDigits = 50;       // a shrink step must be violated beyond doubt by then
constexpr std::size_t kFamiliesToClimb = 3;  // the climb starts from the worst of so many

/// The catalogue's example as a regression: it violates a refuted claim and attains a proved one.
std::optional<Regression> example_of(const Claim& claim) {
  if (claim.example.empty()) return std::nullopt;
  const Case input = read_case(claim, nlohmann::json::parse(claim.example));
  const Verdict verdict = claim.status == Status::refuted ? Verdict::violated : Verdict::equal;
  return Regression{std::string(claim.id), input, verdict, "example"};
}

void decide_regression(const Claim& claim, const Regression& kept, report::Tally& tally) {
  Decision decision = decide(claim, kept.input);
  const bool proved_and_violated =
      claim.status == Status::proved && decision.verdict == Verdict::violated;
  if (decision.verdict != kept.verdict && !proved_and_violated) {
    throw std::runtime_error(fmt::format("regression {} of {} is {}, and must be {}", kept.name,
                                         claim.id, to_string(decision.verdict),
                                         to_string(kept.verdict)));
  }
  settle_ratio(decision, claim, tally.counts().max_ratio, [&] { return kept.input; });
  tally.add(
      decision, [&] { return std::pair(kept.input, kept.name); }, kKeptCases);
}

/// The tally of the regressions, and how many there are.
report::Tally decide_regressions(const Claim& claim, const Search& search) {
  report::Tally tally(claim, report::Stage::synthetic);
  if (const auto example = example_of(claim)) decide_regression(claim, *example, tally);
  for (const Regression& kept : search.regressions) decide_regression(claim, kept, tally);
  return tally;
}

/// The example of a proved claim, then the worst cases of the families that come closest.
std::vector<Start> starts_of(const Claim& claim, const Drawn& drawn) {
  std::vector<Start> starts;
  if (const auto example = example_of(claim)) {
    starts.push_back({example->input, "the catalogue's example"});
  }
  std::vector<std::pair<std::string, Drawn::Worst>> worst(drawn.worst.begin(), drawn.worst.end());
  std::ranges::stable_sort(worst, std::greater<>(), [](const auto& w) { return w.second.ratio; });
  if (worst.size() > kFamiliesToClimb) worst.resize(kFamiliesToClimb);
  for (auto& [family, at] : worst) starts.push_back({std::move(at.input), family});
  return starts;
}

/// Climbs from the drawn cases. A violation on the way is counted like a drawn one.
std::optional<report::TightnessRecord> climb_from(const Claim& claim, const Search& search,
                                                  Drawn& drawn) {
  if (claim.status != Status::proved || search.climb == 0) return std::nullopt;
  const Climb climbed = climb(claim, starts_of(claim, drawn), search.climb, search.seed);
  if (climbed.violation) {
    drawn.tally.add(
        decide_beyond(claim, *climbed.violation, drawn.tally.counts().max_ratio),
        [&] { return std::pair(*climbed.violation, std::string(kClimbedCases)); }, kClimbedCases);
  }
  return climbed.record;
}

/// The smallest violation drawn, shrunk.
struct Witness {
  std::string shrinking;
  report::CaseRecord at;
};

Witness shrunk_witness(const Claim& claim, const Search& search,
                       const Drawn::Violation& violation) {
  const Minimum minimum = shrink(
      shrinkable(violation.input),
      [&](const Case& input) {
        return decide(claim, input, kShrinkDigits).verdict == Verdict::violated;
      },
      search.shrink);
  return {fmt::format("{} steps, {} attempts{}", minimum.steps, minimum.attempts,
                      minimum.stopped_early ? ", stopped by its budget" : ""),
          certified_witness(claim, minimum.input, violation.family)};
}

/// Decides one of the claims that share a case, which an error then names.
Decision decide_shared(const Claim& claim, const CaseContext& context) {
  try {
    // How often one claim draws from an expectation must not matter to the next.
    return context.sampled() ? decide(claim, context.input()) : decide(claim, context);
  } catch (const BrokenAssumption&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", claim.id, error.what()));
  }
}

}  // namespace

std::vector<Drawn> draw(std::span<const Claim> claims, const Property& property, Stream cases) {
  std::vector<Drawn> results;
  for (const Claim& claim : claims) results.emplace_back(claim, property);
  std::vector<std::uint64_t> in_class(property.classes.size());
  while (const auto drawn = cases.next()) {
    const CaseFeatures profile(drawn->input);
    for (std::size_t c = 0; c < in_class.size(); ++c) {
      if (property.classes[c].contains(profile)) ++in_class[c];
    }
    for (std::size_t i = 0; i < claims.size(); ++i) {
      results[i].add(drawn->input, drawn->family, decide_shared(claims[i], profile.context()));
    }
  }
  for (Drawn& result : results) result.in_class = in_class;
  return results;
}

report::ClaimRecord finish(const Claim& claim, const Search& search, Drawn drawn) {
  report::Tally all = decide_regressions(claim, search);
  const std::uint64_t kept = all.counts().cases;
  const std::uint64_t cases = drawn.tally.counts().cases;
  std::vector<report::ClassRecord> classes;
  for (std::size_t c = 0; c < drawn.classes.size(); ++c) {
    classes.push_back(class_record(drawn.classes[c], drawn.in_class[c], cases));
  }
  const auto tightness = climb_from(claim, search, drawn);

  const bool stands_alone = claim.status == Status::refuted && drawn.tally.counts().violated == 0;
  if (!stands_alone) all.merge(drawn.tally);
  // Before the record is made, which decides the kept cases anew.
  std::optional<Witness> witness;
  if (drawn.smallest) witness = shrunk_witness(claim, search, *drawn.smallest);
  const report::Tally& tally = stands_alone ? drawn.tally : all;
  report::ClaimRecord record = tally.record(certify(claim, tally.kept()));
  record.regressions = stands_alone ? 0 : kept;
  if (witness) {
    record.shrinking = witness->shrinking;
    record.smallest_witness = witness->at;
  }
  record.classes = std::move(classes);
  record.tightness = tightness;
  record.seed = fmt::format("{}", search.seed);
  report::rejudge(record);
  return record;
}

}  // namespace attn::properties
