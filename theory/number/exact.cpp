#include "theory/number/exact.hpp"

#include <optional>
#include <utility>

#include "theory/number/exact/node.hpp"

namespace attn {

using symbolic::about;
using symbolic::Node;
using symbolic::Operation;

namespace {

bool is_rational(const Exact& x) {
  return x.node() == nullptr;
}

bool is(const Exact& x, int value) {
  return is_rational(x) && x.rational() == value;
}

bool is_square(const Exact& x) {
  return !is_rational(x) && x.node()->operation == Operation::product &&
         x.node()->a.node() == x.node()->b.node() && !is_rational(x.node()->a);
}

/// 0 takes up a factor only where that is certainly a number.
bool is_number(const Exact& x) {
  return is_rational(x) || x.node()->about.is_bounded();
}

}  // namespace

Exact::Exact(double value) : rational_(exact(value)) {}

Exact Exact::unknown() {
  return Node::make_unknown();
}

Exact Exact::of_norm(std::shared_ptr<const symbolic::Norm> norm) {
  return Node::make(std::move(norm));
}

Exact::operator double() const {
  if (!is_rational(*this)) throw BeyondExact("a double of a number that is not rational");
  return rational_.nearest();
}

bool Exact::may_lie_in(const Interval& x) const {
  std::optional<symbolic::Ball> room;
  return about(*this, room).may_meet(x);
}

Exact operator-(const Exact& x) {
  return is_rational(x) ? Exact(-x.rational()) : Node::make(Operation::minus, x);
}

Exact operator+(const Exact& x, const Exact& y) {
  if (is(x, 0)) return y;
  if (is(y, 0)) return x;
  if (is_rational(x) && is_rational(y)) return Exact(x.rational() + y.rational());
  return Node::make(Operation::sum, x, y);
}

Exact operator-(const Exact& x, const Exact& y) {
  if (is(y, 0)) return x;
  if (is(x, 0)) return -y;
  if (is_rational(x) && is_rational(y)) return Exact(x.rational() - y.rational());
  return Node::make(Operation::difference, x, y);
}

Exact operator*(const Exact& x, const Exact& y) {
  if (is(x, 1)) return y;
  if (is(y, 1)) return x;
  if (is_rational(x) && is_rational(y)) return Exact(x.rational() * y.rational());
  if ((is(x, 0) && is_number(y)) || (is(y, 0) && is_number(x))) return {};
  return Node::make(Operation::product, x, y);
}

Exact operator/(const Exact& x, const Exact& y) {
  if (is(y, 1)) return x;
  if (is(y, 0)) return Exact::unknown();
  if (is_rational(x) && is_rational(y)) return Exact(x.rational() / y.rational());
  return Node::make(Operation::quotient, x, y);
}

Exact exp(const Exact& x) {
  return is(x, 0) ? Exact(1) : Node::make(Operation::exponential, x);
}

Exact sqrt_nonnegative(const Exact& x) {
  if (is_rational(x)) {
    if (x.rational().sign() < 0) return Exact::unknown();
    if (const auto root = exact_root(x.rational())) return Exact(*root);
  }
  if (is_square(x)) return abs(x.node()->a);
  if (!is_rational(x) && x.node()->operation == Operation::larger) {
    return max(sqrt_nonnegative(x.node()->a), sqrt_nonnegative(x.node()->b));
  }
  return Node::make(Operation::root, x);
}

Exact root_of(const Exact& x, std::size_t n) {
  if (n == 1 || is(x, 0) || is(x, 1)) return x;
  if (n % 2 == 0) return sqrt_nonnegative(root_of(x, n / 2));
  return Node::make(Operation::odd_root, x, Exact(n));
}

Exact log_positive(const Exact& x) {
  if (is(x, 1)) return {};
  if (is_rational(x) && x.rational().sign() <= 0) return Exact::unknown();
  return Node::make(Operation::logarithm, x);
}

Exact abs(const Exact& x) {
  return is_rational(x) ? Exact(abs(x.rational())) : Node::make(Operation::size, x);
}

Exact max(const Exact& x, const Exact& y) {
  if (is_rational(x) && is_rational(y)) return x.rational() < y.rational() ? y : x;
  return Node::make(Operation::larger, x, y);
}

Exact min(const Exact& x, const Exact& y) {
  if (is_rational(x) && is_rational(y)) return x.rational() < y.rational() ? x : y;
  return Node::make(Operation::smaller, x, y);
}

Exact floor(const Exact& x) {
  std::optional<symbolic::Ball> room;
  const auto floors = about(x, room).floors();
  if (!floors) throw BeyondExact("an integer part of a number that is not known");
  const auto& [least, most] = *floors;
  if (least == most) return Exact(Rational(least));
  if (most > least + 1) throw BeyondExact("an integer part of a number that is not known");
  return Exact(Rational(x < Exact(Rational(most)) ? least : most));
}

}  // namespace attn
