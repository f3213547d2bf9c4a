#include "theory/claims/exact_order.hpp"

#include <stdexcept>
#include <utility>

#include "theory/claims/decimal.hpp"
#include "theory/number/exact/node.hpp"
#include "theory/number/exact/sign.hpp"
#include "theory/number/exact/tables.hpp"
#include "theory/number/exact/work.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

using symbolic::Order;
using symbolic::Work;

namespace {

bool contradicts(Order order, const Sides<Interval>& enclosures) {
  if (order == Order::unknown || order == Order::different) return false;
  return (certainly_less(enclosures.lhs, enclosures.rhs) && order != Order::less) ||
         (certainly_less(enclosures.rhs, enclosures.lhs) && order != Order::greater);
}

}  // namespace

ExactOrder::ExactOrder(const Claim& claim, const Case& input, std::size_t budget)
    : context_(std::make_unique<const CaseContext>(input)),
      tables_(context_->tables()),
      make_([this, &claim] { return claim.evaluators->exact(*context_); }),
      budget_(budget) {}

ExactOrder::ExactOrder(std::function<Sides<Exact>()> make, std::size_t budget)
    : own_(std::make_unique<symbolic::Tables>()),
      tables_(*own_),
      make_(std::move(make)),
      budget_(budget) {}

ExactOrder::~ExactOrder() = default;

void ExactOrder::find() {
  Work work(tables_, budget_);
  try {
    sides_ = make_();
    order_ = order_of(sides_->lhs, sides_->rhs);
  } catch (const BeyondExact&) {
    order_ = Order::unknown;
  }
  budget_ = work.left();
}

Order ExactOrder::order(const Sides<Interval>& enclosures) {
  if (!order_) find();
  const bool outside =
      sides_ && !(sides_->lhs.may_lie_in(enclosures.lhs) && sides_->rhs.may_lie_in(enclosures.rhs));
  if (outside || contradicts(*order_, enclosures)) {
    throw std::logic_error("exact arithmetic contradicts an enclosure");
  }
  return *order_;
}

Sides<Interval> ExactOrder::narrowed(Sides<Interval> enclosures) {
  if (!order_) find();
  if (!sides_) return enclosures;
  const Work work(tables_, budget_);
  try {
    for (unsigned bits = 1U << 10; bits <= symbolic::kMostBits; bits *= 4) {
      if (is_known(enclosures.lhs) && is_known(enclosures.rhs)) break;
      symbolic::Enclosures of_bits(bits);
      enclosures.lhs = of_bits.of(sides_->lhs).within(enclosures.lhs);
      enclosures.rhs = of_bits.of(sides_->rhs).within(enclosures.rhs);
    }
  } catch (const BeyondExact&) {
    return enclosures;
  }
  return enclosures;
}

bool ExactOrder::is_zero(Exact Sides<Exact>::*side) {
  if (!order_) find();
  if (!sides_) return false;
  const Work work(tables_, budget_);
  return order_of(*sides_.*side, {}) == Order::equal;
}

}  // namespace attn
