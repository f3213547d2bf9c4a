#include "properties/search/comparison.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "properties/search/stream.hpp"
#include "reports/judge/tally.hpp"
#include "theory/base/quantile.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/scalar.hpp"

namespace attn::properties {

namespace {

/// Beyond doubt |a - b| < 10^-190 of the larger, or the same number.
bool agree(const Interval& a, const Interval& b) {
  if (a.lower() == b.upper() && a.upper() == b.lower()) return true;
  const Interval size = max(abs(a), abs(b));
  return abs(a - b).upper() < size.lower() * pow(Interval::End(10), -190);
}

/// NaN, of which nothing is known, is not less.
bool certainly_less(const Bounds& a, const Bounds& b) {
  return a.upper < b.lower;
}

template <class S>
Relation relation(const Sides<S>& sharp, const Sides<S>& printed) {
  const bool better =
      certainly_less(printed.lhs, sharp.lhs) || certainly_less(sharp.rhs, printed.rhs);
  const bool worse =
      certainly_less(sharp.lhs, printed.lhs) || certainly_less(printed.rhs, sharp.rhs);
  if (better && worse) throw std::logic_error("claims compared that do not share a side");
  if (better) return Relation::tighter;
  return worse ? Relation::looser : Relation::unknown;
}

Sides<Bounds> sides_of(const Decision& decision) {
  return {.lhs = decision.lhs_bounds, .rhs = decision.rhs_bounds};
}

bool is_attained(const Claim& claim, const CaseContext& problem) {
  return claim.attained != nullptr && claim.attained(problem);
}

}  // namespace

Relation compare(const Claim& sharp, const Claim& printed, const CaseContext& problem) {
  const auto level = [&](auto evaluate) {
    return relation((sharp.evaluators->*evaluate)(problem),
                    (printed.evaluators->*evaluate)(problem));
  };
  if (const Relation found = level(&Evaluators::filter); found != Relation::unknown) {
    return found;
  }
  // Both equal to the side that they share.
  if (is_attained(sharp, problem) && is_attained(printed, problem)) return Relation::as_tight;
  if (const Relation found = level(&Evaluators::enclose); found != Relation::unknown) {
    return found;
  }
  const WorkingDigits working(kCapDigits);
  const auto a = sharp.evaluators->enclose(problem);
  const auto b = printed.evaluators->enclose(problem);
  const Relation found = relation(a, b);
  if (found != Relation::unknown) return found;
  return agree(a.lhs, b.lhs) && agree(a.rhs, b.rhs) ? Relation::as_tight : Relation::unknown;
}

report::ComparisonRecord compare_on_drawn(const Claim& sharp, const Claim& printed,
                                          std::uint64_t seed, std::size_t cases) {
  report::ComparisonRecord record{.sharp = std::string(sharp.id),
                                  .printed = std::string(printed.id)};
  std::vector<double> sharp_ratios;
  std::vector<double> printed_ratios;
  Stream stream(sharp, seed, cases);
  while (const auto drawn = stream.next()) {
    const Case& input = drawn->input;
    const CaseContext problem(input);
    const Decision of_sharp = decide(sharp, problem);
    const Decision of_printed = decide(printed, problem);
    const auto sharp_ratio = report::tightness(of_sharp);
    const auto printed_ratio = report::tightness(of_printed);
    if (!sharp_ratio || !printed_ratio) continue;
    ++record.cases;
    sharp_ratios.push_back(*sharp_ratio);
    printed_ratios.push_back(*printed_ratio);
    // What was decided often says it, and no side is computed anew.
    const Relation decided = relation(sides_of(of_sharp), sides_of(of_printed));
    switch (decided == Relation::unknown ? compare(sharp, printed, problem) : decided) {
      case Relation::tighter:
        ++record.tighter;
        break;
      case Relation::as_tight:
        ++record.as_tight;
        break;
      case Relation::looser:
        ++record.looser;
        break;
      case Relation::unknown:
        break;
    }
  }
  if (record.cases == 0) {
    throw std::runtime_error(
        fmt::format("{} and {} share no case with a ratio", sharp.id, printed.id));
  }
  record.median_sharp = median(std::move(sharp_ratios));
  record.median_printed = median(std::move(printed_ratios));
  return record;
}

}  // namespace attn::properties
