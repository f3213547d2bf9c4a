#include "properties/search/climb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "properties/generators/draw.hpp"
#include "properties/generators/fields.hpp"
#include "properties/generators/numbers.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/search/witness.hpp"
#include "theory/attention/token_sets.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evidence.hpp"

namespace attn::properties {

namespace {

using Neighbour = std::optional<Case>;

Rational signed_unit(Draw& draw) {
  return draw.one_in(2) ? 1 : -1;
}

/// The nearest double: keeps the digits of a long climb in check.
Rational rounded(const Rational& value) {
  return Rational(value.nearest());
}

Neighbour nudge_number(Case c, Draw& draw, unsigned depth) {
  const std::vector<FreeNumber> numbers = numbers_of(c);
  if (numbers.empty()) return std::nullopt;
  const FreeNumber& number = numbers[draw.index(0, numbers.size() - 1)];
  Rational size = abs(*number.value);
  if (size == 0) size = c.temperature;
  *number.value = rounded(*number.value + signed_unit(draw) * size * dyadic(1, depth));
  return number.positive && !(*number.value > 0) ? std::nullopt : Neighbour(std::move(c));
}

Neighbour plain_number(Case c, Draw& draw, unsigned) {
  const std::vector<FreeNumber> numbers = numbers_of(c);
  if (numbers.empty()) return std::nullopt;
  const FreeNumber& number = numbers[draw.index(0, numbers.size() - 1)];
  switch (draw.integer(0, 2)) {
    case 0:
      *number.value = number.positive ? 1 : 0;
      break;
    case 1:
      *number.value = 1;
      break;
    default:
      *number.value = *numbers[draw.index(0, numbers.size() - 1)].value;
  }
  return number.positive && !(*number.value > 0) ? std::nullopt : Neighbour(std::move(c));
}

/// One vector becomes another, or a logit another logit.
Neighbour equal_entries(Case c, Draw& draw, unsigned) {
  const std::size_t tokens = tokens_of(c);
  if (tokens < 2 || counts_tokens(c)) return std::nullopt;
  const std::size_t from = draw.index(0, tokens - 1);
  const std::size_t to = draw.index(0, tokens - 1);
  const bool scores = draw.one_in(2);
  const auto equal = [&](auto& list) {
    if (!list.empty()) list[to] = list[from];
  };
  if (scores) {
    equal(c.logits);
  } else {
    equal(c.keys);
    equal(c.embeddings);
  }
  return c;
}

Neighbour nudge_weight(Case c, Draw& draw, unsigned depth) {
  if (c.weights.empty()) return std::nullopt;
  std::vector<Integer> parts = parts_of(c.weights);
  const std::size_t i = draw.index(0, parts.size() - 1);
  if (draw.one_in(4)) {
    parts[i] = draw.one_in(2) ? Integer(0) : parts[draw.index(0, parts.size() - 1)];
  } else {
    const unsigned bits = std::max(depth, 4U);
    for (Integer& part : parts) part <<= bits;
    const Integer step = (parts[i] >> depth) + 1;
    parts[i] = draw.one_in(2) ? Integer(parts[i] + step) : Integer(parts[i] - step);
    Integer largest = *std::max_element(parts.begin(), parts.end());
    while (largest >> 40 != 0) {
      for (Integer& part : parts) part >>= 1;
      largest >>= 1;
    }
  }
  return set_shares(c.weights, parts) ? Neighbour(std::move(c)) : std::nullopt;
}

Neighbour change_tokens(Case c, Draw& draw, unsigned) {
  const std::size_t tokens = tokens_of(c);
  if (!c.plan.empty() || counts_tokens(c) || tokens < 2 || !c.set.empty()) {
    return std::nullopt;
  }
  const bool drop = draw.one_in(2);
  if (drop ? tokens <= 2 : tokens >= 64) return std::nullopt;
  const std::size_t i = draw.index(0, tokens - 1);
  if (drop) return without_tokens(std::move(c), i, i + 1);
  const auto repeat = [i](auto& list) {
    if (!list.empty()) list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), list[i]);
  };
  std::vector<Integer> parts = parts_of(c.weights);
  repeat(parts);
  set_shares(c.weights, parts);  // of no parts it makes nothing
  for_each_list_of_tokens(c, repeat);
  return c;
}

Neighbour change_count(Case c, Draw& draw, unsigned) {
  const bool up = draw.one_in(2);
  if (c.exponent > 0 && draw.one_in(2)) {
    c.exponent = up ? c.exponent + 1 : std::max<std::size_t>(c.exponent, 2) - 1;
    return c;
  }
  if (c.dimension > 0 && draw.one_in(2)) {
    c.dimension = up ? 1 : 3;
    return c;
  }
  if (c.top_n == 0) return std::nullopt;
  c.top_n = up ? c.top_n + 1 : c.top_n - 1;
  return c;
}

/// Moves a little from two entries to the two that share their rows and columns.
Neighbour change_plan(Case c, Draw& draw, unsigned depth) {
  Plan& plan = c.plan;
  if (plan.size() < 2) return std::nullopt;
  const std::size_t n = plan.size();
  if (draw.one_in(8)) {
    plan = flat_plan(n);
    return c;
  }
  if (n > 2 && draw.one_in(8)) {
    plan = without_token(plan, draw.index(0, n - 1));
    return c;
  }
  const auto rows = draw.subset(2, n);
  const auto columns = draw.subset(2, n);
  const Rational most = std::min(plan[rows[0]][columns[0]], plan[rows[1]][columns[1]]);
  const Rational less = rounded(most * dyadic(1, depth + 1));
  plan[rows[0]][columns[0]] -= less;
  plan[rows[1]][columns[1]] -= less;
  plan[rows[0]][columns[1]] += less;
  plan[rows[1]][columns[0]] += less;
  return c;
}

/// One number changed by a dyadic step of about 2^-depth of it, or set to a plain value or to that
/// of another entry; one vector set to another; a token dropped or doubled; N changed by one. Empty
/// where the move drawn does not apply. It may be invalid.
Neighbour neighbour(const Case& input, Draw& draw, unsigned depth) {
  using Move = Neighbour (*)(Case, Draw&, unsigned);
  constexpr Move kMoves[] = {nudge_number, nudge_number,  plain_number, equal_entries,
                             nudge_weight, change_tokens, change_count, change_plan};
  return kMoves[draw.index(0, std::size(kMoves) - 1)](input, draw, depth);
}

constexpr unsigned kDeepest = 30;   // so many sizes of steps: 1 to 2^-29 of a number
constexpr unsigned kPatience = 12;  // failures before the steps become smaller
const double kBelowOne = std::nextafter(1.0, 0.0);
constexpr unsigned kLastTries = 100;  // for a bound that is attained, where no double is nearer
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
    const auto ratio = tightness(decision);
    if (!ratio || decision.verdict == Verdict::equal) return ratio;
    return std::min(*ratio, kBelowOne);  // 1 is for attained bounds alone
  }

  /// Climbs from `place` until the bound is attained, or `decisions` cases are spent.
  void improve(Place& place, std::size_t decisions) {
    unsigned depth = 1;
    unsigned failures = 0;
    unsigned at_top = 0;
    const std::size_t end = decided_ + decisions;
    // A move that is drawn and can't be made costs nothing to decide, but must not go on for ever.
    for (std::size_t tries = 0; tries < 4 * decisions && decided_ < end; ++tries) {
      if (place.ratio == 1 || violation_) return;
      if (place.ratio == kBelowOne && ++at_top > kLastTries) return;
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
