#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>

#include "theory/number/exact.hpp"
#include "theory/number/exact/ball.hpp"
#include "theory/number/exact/expansion.hpp"
#include "theory/number/exact/root_sum.hpp"

namespace attn::symbolic {

enum class Operation {
  sum,
  difference,
  product,
  quotient,
  minus,
  size,
  larger,
  smaller,
  exponential,
  root,
  odd_root,  ///< a^(1/b), b a whole number that is odd
  logarithm,
  norm,
  unknown,
};

/// A number that is an operation on others: what they are is worked out once it is needed.
struct Node {
  Operation operation;
  Exact a, b;  ///< the operands; b of those with two
  /// The norm that the number is; null for any other operation.
  std::shared_ptr<const Norm> norm{};
  Ball about;  ///< encloses the number

  bool has_norm{false};  ///< a norm takes part
  bool has_root{false};  ///< a root is the number, or a factor of it
  /// The number, or a factor of it, is a sum of roots: its square has many.
  bool is_sum_of_roots{false};
  /// The length of the longest chain of operations on each other that ends here.
  std::size_t depth{1};

  mutable std::optional<RootSum> expanded{};
  mutable std::optional<Expansion> leading{};
  mutable std::size_t leading_terms{};  ///< how many `leading` may have

  /// The number that it makes. Throws BeyondExact where it is too deep.
  static Exact make(Operation operation, const Exact& a, const Exact& b = {});
  static Exact make(std::shared_ptr<const Norm> norm);
  static Exact make_unknown();
};

// What Node says of a number.
inline bool has_norm(const Exact& x) {
  return x.node() != nullptr && x.node()->has_norm;
}
inline bool has_root(const Exact& x) {
  return x.node() != nullptr && x.node()->has_root;
}
inline bool is_sum_of_roots(const Exact& x) {
  return x.node() != nullptr && x.node()->is_sum_of_roots;
}

/// Enclosures of numbers, to any precision, by the operations that they are.
class Enclosures {
 public:
  explicit Enclosures(unsigned bits) : bits_(bits), rational_(bits) {}
  /// The enclosure of a number; it stays until the next one is asked for.
  const Ball& of(const Exact& x);

 private:
  unsigned bits_;
  Ball rational_;
  std::map<const Node*, Ball> found_;
};

/// The enclosure of any number: kept, or of a rational made in `room`.
const Ball& about(const Exact& x, std::optional<Ball>& room);

/// The sum of roots that the number is: kept, or of a rational made in `room`. Throws BeyondExact
/// where it is none, or is not known.
const RootSum& expanded(const Exact& x, RootSum& room);

}  // namespace attn::symbolic
