#include "theory/claims/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "theory/attention/case_json.hpp"
#include "theory/attention/kind.hpp"

namespace attn {
namespace {

/// A ratio that no double holds is counted as the largest double.
constexpr double kMostRatio = std::numeric_limits<double>::max();

bool is_counted_as(Verdict verdict, Verdict recheck) {
  const bool one_violated = verdict == Verdict::violated || recheck == Verdict::violated;
  const bool one_open = verdict == Verdict::undecided || recheck == Verdict::undecided;
  const bool one_outside =
      verdict == Verdict::assumption_not_met || recheck == Verdict::assumption_not_met;
  return verdict == recheck || one_open || (!one_violated && !one_outside);
}

Certified certify_one(const Claim& claim, const DecidedCase& decided, SharedCase& cases) {
  const Case input = decided.input();
  Certified result = certified(input, cases.certify(claim, input), decided.where);
  const Verdict anew = result.certificate.decision.verdict;
  if (is_counted_as(decided.verdict, anew)) return result;
  throw std::logic_error(fmt::format("{}: a case counted as {} is {} when decided anew ({})",
                                     claim.id, to_string(decided.verdict), to_string(anew),
                                     decided.where));
}

/// Throws where the ratio as counted and as certified have no number in common. No tolerance: both
/// are bounds of one exact number, so that they meet.
void expect_ratio(const Claim& claim, const DecidedCase& worst, const Decision& certified) {
  const Bounds& counted = worst.bounds;
  const Bounds exact = ratio_bounds(certified);
  if (counted.lower <= exact.upper && exact.lower <= counted.upper) return;
  throw std::logic_error(fmt::format(
      "{}: the largest ratio was counted from {} to {}, but the sides of its case are certified to "
      "give one from {} to {} ({})",
      claim.id, counted.lower, counted.upper, exact.lower, exact.upper, worst.where));
}

}  // namespace

std::optional<double> tightness(const Decision& decision) {
  const bool decided = decision.verdict == Verdict::holds || decision.verdict == Verdict::equal ||
                       decision.verdict == Verdict::violated;
  const bool is_beyond_multiples = decision.verdict == Verdict::violated &&
                                   decision.lhs_bounds.lower > 0 && decision.rhs_bounds.upper <= 0;
  if (is_beyond_multiples) return std::numeric_limits<double>::infinity();
  if (!decided || !(decision.rhs > 0)) return std::nullopt;
  if (decision.verdict == Verdict::equal) return 1.0;
  const Bounds bounds = ratio_bounds(decision);
  const double least = bounds.lower < 0 && bounds.upper > 0 ? 0 : bounds.lower;
  const double quotient = is_known_ratio(bounds) ? decision.lhs / decision.rhs : least;
  const double ratio = std::min(quotient, kMostRatio);
  if (!std::isfinite(ratio)) return std::nullopt;
  if (decision.verdict == Verdict::holds) return std::min(ratio, 1.0);
  return std::max(ratio, std::nextafter(1.0, 2.0));
}

std::optional<double> finite_tightness(const Decision& decision) {
  const std::optional<double> ratio = tightness(decision);
  return ratio && std::isfinite(*ratio) ? ratio : std::nullopt;
}

bool is_known_ratio(const Bounds& ratio) {
  const double most = std::max(std::abs(ratio.lower), std::abs(ratio.upper));
  return std::isfinite(most) && ratio.upper - ratio.lower <= 1e-9 * most;
}

bool is_rough_beyond(const Decision& decision, std::optional<double> largest) {
  const bool is_strict =
      decision.verdict == Verdict::holds || decision.verdict == Verdict::violated;
  if (!is_strict || decision.sampled || !(decision.rhs_bounds.upper > 0)) return false;
  // Most are far below: the upper bound of a ratio >= 0, before it is rounded outwards.
  const double top = decision.lhs_bounds.upper, bottom = decision.rhs_bounds.lower;
  if (top >= 0 && bottom > 0 && top / bottom < largest) return false;
  const Bounds bounds = ratio_bounds(decision);
  const double most = std::min(bounds.upper, decision.verdict == Verdict::holds ? 1.0 : kMostRatio);
  return !is_known_ratio(bounds) && most > largest;
}

Decision decide_beyond(const Claim& claim, const Case& input, std::optional<double> largest) {
  Decision decision = decide(claim, input);
  settle_ratio(decision, claim, largest, [&] { return input; });
  return decision;
}

DecidedCase decided_case(const Decision& decision, Case input, std::string where) {
  return decided_case(decision, MakeCase([made = std::move(input)] { return made; }),
                      std::move(where));
}

DecidedCase decided_case(const Decision& decision, MakeCase input, std::string where) {
  return {std::move(input), std::move(where), decision.verdict, ratio_bounds(decision),
          tightness(decision)};
}

nlohmann::json input_json(const DecidedCase& decided) {
  return to_json(decided.input());
}

MakeCase made_from(const nlohmann::json& json, const Claim& claim) {
  return [input = case_from_json(json, claim.kind, claim.id)] { return input; };
}

Certified certified(Case input, Certificate certificate, std::string where) {
  const std::size_t numbers = numbers_of(input);
  return {std::move(input), std::move(where), numbers, std::move(certificate)};
}

void prefer_worst(KeptCases& kept, std::size_t most_numbers) {
  if (!kept.worst || kept.worst->verdict != Verdict::violated) return;
  if (numbers_of(kept.worst->input()) <= most_numbers) kept.violation = kept.worst;
}

CertifiedCases certify(const Claim& claim, const KeptCases& kept, SharedCase& cases) {
  const auto anew = [&](const DecidedCase& decided) {
    return std::make_shared<const Certified>(certify_one(claim, decided, cases));
  };
  CertifiedCases result;
  if (kept.worst) {
    result.worst = anew(*kept.worst);
    expect_ratio(claim, *kept.worst, result.worst->certificate.decision);
  }
  if (kept.violation) {
    result.violation = kept.violation == kept.worst ? result.worst : anew(*kept.violation);
  }
  if (kept.undecided) result.undecided = anew(*kept.undecided);
  return result;
}

CertifiedCases certify(const Claim& claim, const KeptCases& kept) {
  SharedCase cases;
  return certify(claim, kept, cases);
}

}  // namespace attn
