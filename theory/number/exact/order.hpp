#pragma once

namespace attn::symbolic {

/// How a number is to another.
enum class Order {
  less,
  equal,
  greater,
  different,  ///< which is larger is not known
  unknown,
};

/// The order the other way round.
constexpr Order reversed(Order order) {
  if (order == Order::less) return Order::greater;
  return order == Order::greater ? Order::less : order;
}

/// The order of a number to 0 by its sign, -1, 0 or 1.
constexpr Order order_at(int sign) {
  if (sign == 0) return Order::equal;
  return sign < 0 ? Order::less : Order::greater;
}

}  // namespace attn::symbolic
