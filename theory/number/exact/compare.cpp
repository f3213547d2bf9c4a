#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "theory/number/exact/expansion.hpp"
#include "theory/number/exact/node.hpp"
#include "theory/number/exact/sign.hpp"
#include "theory/number/power.hpp"

namespace attn {

using symbolic::about;
using symbolic::expanded;
using symbolic::has_norm;
using symbolic::has_root;
using symbolic::is_sum_of_roots;
using symbolic::Node;
using symbolic::Operation;
using symbolic::Order;
using symbolic::order_at;
using symbolic::order_by_expansions;
using symbolic::order_to_zero;

namespace {

/// The order of max(a, b) to y, by those of a and b to y.
Order order_of_larger(Order a, Order b) {
  if (a == Order::greater || b == Order::greater) return Order::greater;
  if (a == Order::unknown || b == Order::unknown) return Order::unknown;
  if (a == Order::different || b == Order::different) {
    // Where the other is equal, the larger may be either.
    return a == Order::equal || b == Order::equal ? Order::unknown : Order::different;
  }
  return a == Order::equal ? a : b;
}

Order order_of_smaller(Order a, Order b) {
  return reversed(order_of_larger(reversed(a), reversed(b)));
}

bool has(const Exact& x, Operation operation) {
  return x.node() != nullptr && x.node()->operation == operation;
}

/// A norm times a number.
struct Multiple {
  std::shared_ptr<const symbolic::Norm> norm;
  Exact by;
};

/// Throws BeyondExact where a norm takes part in anything else.
Multiple multiple_of_norm(const Exact& x) {
  if (!has_norm(x)) return {nullptr, x};
  const Node& node = *x.node();
  if (node.operation == Operation::norm) return {node.norm, 1};
  if (node.operation == Operation::minus) {
    const Multiple of_a = multiple_of_norm(node.a);
    return {of_a.norm, -of_a.by};
  }
  const bool is_product = node.operation == Operation::product;
  if (!is_product && node.operation != Operation::quotient) {
    throw BeyondExact("a norm in a sum");
  }
  const Multiple of_a = multiple_of_norm(node.a);
  const Multiple of_b = multiple_of_norm(node.b);
  if (of_b.norm != nullptr && (of_a.norm != nullptr || !is_product)) {
    throw BeyondExact("a product of norms");
  }
  return {of_a.norm != nullptr ? of_a.norm : of_b.norm,
          is_product ? of_a.by * of_b.by : of_a.by / of_b.by};
}

/// The order of two multiples of norms, both by more than 0, by a rational number between them.
/// Halves where both may lie as long as both are on one side; unknown where that tells nothing.
Order order_by_halving(const Multiple& a, const Multiple& b) {
  constexpr int kMostSteps = 1 << 12;
  Rational low = 0, high = 1;
  bool is_bounded = false;
  for (int step = 0; step < kMostSteps; ++step) {
    const Rational middle = is_bounded ? Rational((low + high) / 2) : high;
    const int of_a = a.norm->compare(Exact(middle) / a.by);
    const int of_b = b.norm->compare(Exact(middle) / b.by);
    if (of_a != of_b) return of_a < of_b ? Order::less : Order::greater;
    if (of_a == 0) return Order::equal;
    if (of_a < 0) {
      high = middle;
      is_bounded = true;
    } else {
      low = middle;
      if (!is_bounded) high = 2 * middle;
    }
  }
  return Order::unknown;
}

Order order_of_norms(const Exact& x, const Exact& y) {
  const Multiple a = multiple_of_norm(x);
  const Multiple b = multiple_of_norm(y);
  if (a.norm == nullptr) return reversed(order_of_norms(y, x));
  if (b.norm == a.norm) return order_at(compare(a.by, b.by) * a.norm->compare({}));
  const int sign = compare(a.by, {});
  if (b.norm != nullptr) {
    if (sign <= 0 || compare(b.by, {}) <= 0) throw BeyondExact("a norm below zero");
    return order_by_halving(a, b);
  }
  if (sign == 0) return order_of({}, y);
  return order_at(sign * a.norm->compare(y / a.by));
}

/// The least n for which x^n has none of the roots that x is a product of.
unsigned degree_of(const Exact& x) {
  if (!has_root(x)) return 1;
  const Node& node = *x.node();
  if (node.operation == Operation::root) return 2;
  if (node.operation == Operation::odd_root)
    return static_cast<unsigned>(node.b.rational().nearest());
  return std::lcm(degree_of(node.a), degree_of(node.b));
}

/// x^n without the roots that x is a product of, n a multiple of degree_of(x).
Exact power_without_roots(const Exact& x, unsigned n) {
  if (!has_root(x)) return power_of(x, n);
  const Node& node = *x.node();
  if (node.operation == Operation::product) {
    return power_without_roots(node.a, n) * power_without_roots(node.b, n);
  }
  if (node.operation == Operation::quotient) {
    return power_without_roots(node.a, n) / power_without_roots(node.b, n);
  }
  return power_of(node.a, n / degree_of(x));
}

bool is_zero(const Exact& x) {
  return x.node() == nullptr && x.rational() == 0;
}

/// By powers, which have fewer roots, where both are > 0; else nothing, as of sums of square roots,
/// whose squares have more of them.
std::optional<Order> order_by_powers(const Exact& x, const Exact& y) {
  if (is_zero(x) || is_zero(y)) return std::nullopt;
  const unsigned n = std::lcm(degree_of(x), degree_of(y));
  if (n == 1 || (n == 2 && (is_sum_of_roots(x) || is_sum_of_roots(y)))) return std::nullopt;
  if (order_of(x, {}) != Order::greater || order_of(y, {}) != Order::greater) return std::nullopt;
  return order_of(power_without_roots(x, n), power_without_roots(y, n));
}

/// The order of two numbers of which one is the larger or the smaller of two, a size, or a multiple
/// of a norm, by those of what it is made of; nothing of other numbers. Throws BeyondExact where a
/// norm is not only compared.
std::optional<Order> order_by_operands(const Exact& x, const Exact& y) {
  if (has(x, Operation::larger)) {
    return order_of_larger(order_of(x.node()->a, y), order_of(x.node()->b, y));
  }
  if (has(x, Operation::smaller)) {
    return order_of_smaller(order_of(x.node()->a, y), order_of(x.node()->b, y));
  }
  if (has(x, Operation::size)) {
    return order_of_larger(order_of(x.node()->a, y), order_of(-x.node()->a, y));
  }
  const bool other_first =
      has(y, Operation::larger) || has(y, Operation::smaller) || has(y, Operation::size);
  if (other_first) return reversed(*order_by_operands(y, x));
  if (has_norm(x) || has_norm(y)) return order_of_norms(x, y);
  return std::nullopt;
}

/// The order of two numbers that are not both rational, with so much of the work at hand.
Order order_by_algebra(const Exact& x, const Exact& y, symbolic::Work::Part most) {
  const symbolic::Work part(most);
  try {
    if (const auto order = order_by_powers(x, y)) return *order;
    symbolic::RootSum of_x, of_y;
    return order_to_zero(expanded(x, of_x) - expanded(y, of_y));
  } catch (const BeyondExact&) {
    return Order::unknown;
  }
}

/// By so many of the largest terms of each, with so much of the work at hand.
Order order_by_terms(const Exact& x, const Exact& y, std::size_t most_terms,
                     symbolic::Work::Part most) {
  const symbolic::Work part(most);
  return order_by_expansions(x, y, most_terms);
}

/// By enclosures of so many bits, of a part of the work that is kept apart: one over `parts`.
Order order_by_digits(const Exact& x, const Exact& y, unsigned bits, std::size_t parts = 1) {
  const symbolic::Work apart(symbolic::Work::Apart::yes);
  const symbolic::Work part(symbolic::Work::Part{apart.left() / parts});
  try {
    symbolic::Enclosures enclosures(bits);
    const symbolic::Ball of_x = enclosures.of(x);
    const symbolic::Ball of_y = enclosures.of(y);
    if (of_x.is_certainly_below(of_y)) return Order::less;
    if (of_y.is_certainly_below(of_x)) return Order::greater;
  } catch (const BeyondExact&) {
    return Order::unknown;
  }
  return Order::unknown;
}

bool is_known(Order order) {
  return order != Order::unknown && order != Order::different;
}

/// The order of two numbers whose enclosures overlap. What is cheap comes first: algebra alone
/// finds that two numbers are equal, most of them at once, and where they are not it takes the
/// longest.
Order order_by_values(const Exact& x, const Exact& y) {
  using symbolic::Work;
  constexpr std::size_t kFewTerms = 4, kManyTerms = 32;
  constexpr unsigned kFewBits = 1U << 10, kMoreBits = 1U << 12, kManyBits = 1U << 14,
                     kMostBits = 1U << 15;
  constexpr Work::Part kLeast{std::size_t{1} << 12}, kLittle{std::size_t{1} << 17},
      kAll{std::numeric_limits<std::size_t>::max()};
  if (const Order order = order_by_terms(x, y, kFewTerms, kLittle); is_known(order)) return order;
  if (const Order order = order_by_algebra(x, y, kLeast); is_known(order)) return order;
  if (const Order order = order_by_digits(x, y, kFewBits); is_known(order)) return order;
  if (const Order order = order_by_algebra(x, y, kLittle); is_known(order)) return order;
  if (const Order order = order_by_digits(x, y, kMoreBits); is_known(order)) return order;
  if (const Order order = order_by_digits(x, y, kManyBits); is_known(order)) return order;
  // Half of the work is left for expansions, to which no digits come near.
  if (const Order order = order_by_digits(x, y, kMostBits, 2); is_known(order)) return order;
  {
    const Work apart(Work::Apart::yes);
    if (const Order order = order_by_expansions(x, y, kFewTerms); is_known(order)) return order;
    if (const Order order = order_by_expansions(x, y, kManyTerms); is_known(order)) return order;
  }
  return order_by_algebra(x, y, kAll);
}

}  // namespace

symbolic::Order order_of(const Exact& x, const Exact& y) {
  if (x.node() == nullptr && y.node() == nullptr) {
    if (x.rational() == y.rational()) return Order::equal;
    return x.rational() < y.rational() ? Order::less : Order::greater;
  }
  std::optional<symbolic::Ball> room_of_x, room_of_y;
  const symbolic::Ball& of_x = about(x, room_of_x);
  const symbolic::Ball& of_y = about(y, room_of_y);
  if (x.node() == y.node() && of_x.is_bounded()) return Order::equal;
  if (of_x.is_certainly_below(of_y)) return Order::less;
  if (of_y.is_certainly_below(of_x)) return Order::greater;
  try {
    if (const auto order = order_by_operands(x, y)) return *order;
  } catch (const BeyondExact&) {
    return Order::unknown;
  }
  return order_by_values(x, y);
}

int compare(const Exact& x, const Exact& y) {
  switch (order_of(x, y)) {
    case Order::less:
      return -1;
    case Order::equal:
      return 0;
    case Order::greater:
      return 1;
    case Order::different:
    case Order::unknown:
      break;
  }
  throw BeyondExact("two numbers of which the larger is not known");
}

}  // namespace attn
