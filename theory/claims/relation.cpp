#include "theory/claims/relation.hpp"

#include <stdexcept>

#include "theory/attention/case_context.hpp"
#include "theory/claims/exact_order.hpp"
#include "theory/number/exact/work.hpp"
#include "theory/number/scalar.hpp"

namespace attn {
namespace {

/// NaN, of which nothing is known, is not less.
bool certainly_less(const Bounds& a, const Bounds& b) {
  return a.upper < b.lower;
}

/// `otherwise`: where neither is better.
Relation relation_by(bool better, bool worse, Relation otherwise) {
  if (better && worse) throw std::logic_error("claims compared that do not share a side");
  if (better) return Relation::tighter;
  return worse ? Relation::looser : otherwise;
}

template <class S>
Relation relation_of(const Sides<S>& sharp, const Sides<S>& printed) {
  return relation_by(
      certainly_less(printed.lhs, sharp.lhs) || certainly_less(sharp.rhs, printed.rhs),
      certainly_less(sharp.lhs, printed.lhs) || certainly_less(printed.rhs, sharp.rhs),
      Relation::unknown);
}

/// How the bounds of two claims relate by exact arithmetic; unknown where that does not know of
/// both sides.
Relation exact_relation(const Claim& sharp, const Claim& printed, const Case& input) {
  constexpr std::size_t kWork = 4 * kWorkOfSearch;  // few cases come so far, and one decision each
  const CaseContext context(input);
  const symbolic::Work work(context.tables(), kWork);
  try {
    const auto a = sharp.evaluators->exact(context);
    const auto b = printed.evaluators->exact(context);
    const int of_lhs = compare(a.lhs, b.lhs);
    const int of_rhs = compare(a.rhs, b.rhs);
    return relation_by(of_lhs > 0 || of_rhs < 0, of_lhs < 0 || of_rhs > 0, Relation::as_tight);
  } catch (const BeyondExact&) {
    return Relation::unknown;
  }
}

}  // namespace

Relation relation(const Decision& sharp, const Decision& printed) {
  const Relation found = relation_of(Sides{sharp.lhs_bounds, sharp.rhs_bounds},
                                     Sides{printed.lhs_bounds, printed.rhs_bounds});
  const bool attained = sharp.verdict == Verdict::equal && printed.verdict == Verdict::equal;
  return found == Relation::unknown && attained ? Relation::as_tight : found;
}

Relation close_relation(const Claim& sharp, const Claim& printed, const CaseContext& context) {
  const WidestExponents widest;
  for (const unsigned digits : kLadder) {
    const WorkingDigits working(working_digits(digits));
    const Relation found =
        relation_of(sharp.evaluators->enclose(context), printed.evaluators->enclose(context));
    if (found != Relation::unknown) return found;
    if (digits != kLadder[0]) continue;
    const Relation exact = exact_relation(sharp, printed, context.input());
    if (exact != Relation::unknown) return exact;
  }
  return Relation::unknown;
}

}  // namespace attn
