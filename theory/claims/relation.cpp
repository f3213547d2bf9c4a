#include "theory/claims/relation.hpp"

#include <stdexcept>

#include "theory/number/scalar.hpp"

namespace attn {
namespace {

/// NaN, of which nothing is known, is not less.
bool certainly_less(const Bounds& a, const Bounds& b) {
  return a.upper < b.lower;
}

template <class S>
Relation relation_of(const Sides<S>& sharp, const Sides<S>& printed) {
  const bool better =
      certainly_less(printed.lhs, sharp.lhs) || certainly_less(sharp.rhs, printed.rhs);
  const bool worse =
      certainly_less(sharp.lhs, printed.lhs) || certainly_less(printed.rhs, sharp.rhs);
  if (better && worse) throw std::logic_error("claims compared that do not share a side");
  if (better) return Relation::tighter;
  return worse ? Relation::looser : Relation::unknown;
}

}  // namespace

Relation relation(const Decision& sharp, const Decision& printed) {
  const Relation found = relation_of(Sides{sharp.lhs_bounds, sharp.rhs_bounds},
                                     Sides{printed.lhs_bounds, printed.rhs_bounds});
  const bool attained = sharp.verdict == Verdict::equal && printed.verdict == Verdict::equal;
  return found == Relation::unknown && attained ? Relation::as_tight : found;
}

Relation close_relation(const Claim& sharp, const Claim& printed, const CaseContext& problem) {
  const WidestExponents widest;
  const WorkingDigits working(kCapDigits);
  const auto a = sharp.evaluators->enclose(problem);
  const auto b = printed.evaluators->enclose(problem);
  const auto agree = [](const Interval& x, const Interval& y) {
    return (x.lower() == y.upper() && x.upper() == y.lower()) || agree_to(x, y, 190);
  };
  const Relation found = relation_of(a, b);
  if (found != Relation::unknown) return found;
  return agree(a.lhs, b.lhs) && agree(a.rhs, b.rhs) ? Relation::as_tight : Relation::unknown;
}

}  // namespace attn
