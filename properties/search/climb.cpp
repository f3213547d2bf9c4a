#include "properties/search/climb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "properties/search/witness.hpp"
#include "reports/judge/tally.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/decide.hpp"

namespace attn::properties {

namespace {

constexpr unsigned kDeepest = 30;   // steps of 2^-30 of a number are the smallest
constexpr unsigned kPatience = 12;  // failures before the steps become smaller
const double kBelowOne = std::nextafter(1.0, 0.0);
constexpr double kNearlyAttained = 1 - 1e-10;
constexpr std::size_t kMostSetsToClimb = 300;
constexpr std::size_t kMostSelectedOnSphere = 8;

/// A case and how close it comes; `ratio` 1 means attained.
struct Place {
  Case input;
  double ratio;
};

bool is_cheap(const Case& input) {
  switch (average_of(input.kind)) {
    case Average::none:
      return true;
    case Average::over_sets:
      return sets_of(tokens_of(input), input.top_n) <= kMostSetsToClimb;
    case Average::over_directions:
      return input.top_n <= kMostSelectedOnSphere;
  }
  return false;
}

bool is_valid(const Claim& claim, const Case& input) {
  try {
    validate(claim, input);
    return true;
  } catch (const BadInput&) {
    return false;
  }
}

class Climber {
 public:
  Climber(const Claim& claim, std::size_t decisions, std::uint64_t seed)
      : claim_(claim), left_(decisions), draw_(rc::Random(seed)) {}

  /// lhs/rhs by the filter, and by the whole ladder where the two sides nearly meet. Empty where
  /// there is none, or the case is violated.
  std::optional<double> ratio(const Case& input) {
    if (!is_valid(claim_, input) || !is_cheap(input)) return std::nullopt;
    ++decided_;
    Decision decision = decide(claim_, input, kFilter);
    if (decision.sampled || decision.verdict == Verdict::assumption_not_met) return std::nullopt;
    const bool close = decision.rhs > 0 && decision.lhs >= kNearlyAttained * decision.rhs;
    if (decision.verdict == Verdict::undecided) {
      if (!close) return approximate(decision);
      decision = decide(claim_, input);
    }
    if (decision.verdict == Verdict::violated) {
      violation_ = input;
      return std::nullopt;
    }
    const auto ratio = report::tightness(decision);
    if (!ratio || decision.verdict == Verdict::equal) return ratio;
    return std::min(*ratio, kBelowOne);  // 1 is for attained bounds alone
  }

  /// Climbs from `place` until the bound is attained, or `decisions` cases are spent.
  void improve(Place& place, std::size_t decisions) {
    unsigned depth = 1;
    unsigned failures = 0;
    const std::size_t end = decided_ + decisions;
    // A move that is drawn and can't be made costs nothing to decide, but must not go on for ever.
    for (std::size_t tries = 0; tries < 4 * decisions && decided_ < end; ++tries) {
      if (place.ratio == 1 || violation_) return;
      const auto next = neighbour(place.input, draw_, depth);
      const auto better = next ? ratio(*next) : std::nullopt;
      if (better && *better > place.ratio) {
        place = {*next, *better};
        depth = std::max(depth, 1U) - 1;
        failures = 0;
      } else if (++failures == kPatience) {
        failures = 0;
        depth = (depth + 1) % kDeepest;
      }
    }
  }

  [[nodiscard]] std::size_t left() const { return left_ - std::min(left_, decided_); }
  [[nodiscard]] std::size_t decided() const { return decided_; }
  [[nodiscard]] const std::optional<Case>& violation() const { return violation_; }

 private:
  static std::optional<double> approximate(const Decision& decision) {
    if (!(decision.rhs > 0)) return std::nullopt;
    const double ratio = decision.lhs / decision.rhs;
    return ratio < kNearlyAttained ? std::optional(ratio) : std::nullopt;
  }

  const Claim& claim_;
  std::size_t left_;
  std::size_t decided_{0};
  Draw draw_;
  std::optional<Case> violation_;
};

report::TightnessRecord record_of(const Claim& claim, const Place& best, const std::string& where,
                                  std::size_t climbed) {
  report::TightnessRecord record{.kind = report::TightnessKind::loose,
                                 .ratio = best.ratio,
                                 .climbed = climbed,
                                 .at = certified(claim, best.input, where)};
  if (record.at.verdict == Verdict::equal) {
    record.kind = report::TightnessKind::attained;
    record.ratio = 1;
  } else if (record.ratio >= report::kApproached) {
    record.kind = report::TightnessKind::approached;
  }
  return record;
}

}  // namespace

Climb climb(const Claim& claim, const std::vector<Start>& starts, std::size_t decisions,
            std::uint64_t seed) {
  Climber climber(claim, decisions, seed);
  std::optional<Place> best;
  std::string where;
  for (std::size_t k = 0; k < starts.size() && !climber.violation(); ++k) {
    const auto ratio = climber.ratio(starts[k].input);
    if (!ratio) continue;
    Place place{starts[k].input, *ratio};
    climber.improve(place, climber.left() / (starts.size() - k));
    if (best && place.ratio <= best->ratio) continue;
    best = std::move(place);
    where = fmt::format("climbed from {}", starts[k].where);
    if (best->ratio == 1) break;
  }
  Climb result{.record = {}, .violation = climber.violation()};
  if (best) result.record = record_of(claim, *best, where, climber.decided());
  return result;
}

}  // namespace attn::properties
