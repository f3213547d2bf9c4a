#include "theory/number/exact/node.hpp"

#include <algorithm>
#include <utility>

#include "theory/number/exact/elementary.hpp"
#include "theory/number/exact/sign.hpp"

namespace attn::symbolic {
namespace {

/// Operations on each other: what follows them calls itself as often.
constexpr std::size_t kMostDepth = 5'000;

/// A node costs as much work as so many terms, one with a function more.
constexpr std::size_t kOfNode = 32;
constexpr std::size_t kOfFunction = 256;

/// Makes x the product of two enclosures. An unbounded one may be that of no number: then nothing
/// is known, whatever the other is.
Ball& multiply(Ball& x, const Ball& y, bool is_square) {
  if (!x.is_bounded() || !y.is_bounded()) return x = Ball::anything(kLeastBits);
  return is_square ? x.to_square() : x *= y;
}

/// Makes x, which a lies in, an enclosure of what the operation makes of a and b, which lies in y.
Ball& enclose(Operation operation, const Exact& a, const Exact& b, Ball& x, const Ball& y) {
  switch (operation) {
    case Operation::sum:
      return x += y;
    case Operation::difference:
      return x -= y;
    case Operation::product:
      return multiply(x, y, a.node() != nullptr && a.node() == b.node());
    case Operation::quotient:
      return x /= y;
    case Operation::minus:
      return x.negate();
    case Operation::size:
      return x.to_size();
    case Operation::larger:
      return x.to_larger(y);
    case Operation::smaller:
      return x.to_smaller(y);
    case Operation::exponential:
      return x.to_exp();
    case Operation::root:
      return x.to_root();
    case Operation::odd_root:
      return x.to_root(static_cast<unsigned long>(b.rational().nearest()));
    case Operation::logarithm:
      return x.to_log();
    case Operation::norm:
    case Operation::unknown:
      break;
  }
  throw std::logic_error("a number without operands");
}

bool is_unknown(const Exact& x) {
  return x.node() != nullptr && x.node()->operation == Operation::unknown;
}

std::size_t depth_of(const Exact& x) {
  return x.node() == nullptr ? 0 : x.node()->depth;
}

bool is_function(Operation operation) {
  return operation == Operation::exponential || operation == Operation::logarithm ||
         operation == Operation::odd_root;
}

bool adds(Operation operation) {
  return operation == Operation::sum || operation == Operation::difference;
}

bool multiplies(Operation operation) {
  return operation == Operation::product || operation == Operation::quotient;
}

/// -1, 0 or 1; throws BeyondExact where that is not known.
int sign_of(const Exact& x) {
  return compare(x, {});
}

RootSum expand(const Node& node) {
  const auto& [a, b] = std::tie(node.a, node.b);
  RootSum of_a, of_b;
  switch (node.operation) {
    case Operation::sum:
      return expanded(a, of_a) + expanded(b, of_b);
    case Operation::difference:
      return expanded(a, of_a) - expanded(b, of_b);
    case Operation::product:
      return expanded(a, of_a) * expanded(b, of_b);
    case Operation::quotient:
      if (sign_of(b) == 0) throw BeyondExact("a quotient by 0");
      return expanded(a, of_a) / expanded(b, of_b);
    case Operation::minus:
      return -expanded(a, of_a);
    case Operation::size:
      return sign_of(a) < 0 ? -expanded(a, of_a) : expanded(a, of_a);
    case Operation::larger:
      return expanded(compare(a, b) < 0 ? b : a, of_a);
    case Operation::smaller:
      return expanded(compare(a, b) < 0 ? a : b, of_a);
    case Operation::exponential:
      return exponential(expanded(a, of_a));
    case Operation::root:
      return root(expanded(a, of_a));
    case Operation::odd_root:
      return exponential(logarithm(expanded(a, of_a)) * RootSum(1 / b.rational()));
    case Operation::logarithm:
      return logarithm(expanded(a, of_a));
    case Operation::norm:
      throw BeyondExact("a norm in a sum");
    case Operation::unknown:
      break;
  }
  throw BeyondExact("a number that is not known");
}

}  // namespace

Exact Node::make(Operation operation, const Exact& a, const Exact& b) {
  if (is_unknown(a) || is_unknown(b)) return make_unknown();
  Work::spend(is_function(operation) ? kOfFunction : kOfNode);
  std::optional<Ball> of_a, of_b;
  Node node{.operation = operation, .a = a, .b = b, .about = symbolic::about(a, of_a)};
  enclose(operation, a, b, node.about, symbolic::about(b, of_b));
  node.has_norm = symbolic::has_norm(a) || symbolic::has_norm(b);
  const bool on_roots = symbolic::has_root(a) || symbolic::has_root(b);
  const bool on_sums = symbolic::is_sum_of_roots(a) || symbolic::is_sum_of_roots(b);
  const bool is_root = operation == Operation::root || operation == Operation::odd_root;
  node.has_root = is_root || (on_roots && multiplies(operation));
  node.is_sum_of_roots =
      (on_roots && adds(operation)) || (on_sums && (adds(operation) || multiplies(operation)));
  node.depth = 1 + std::max(depth_of(a), depth_of(b));
  if (node.depth > kMostDepth) throw BeyondExact("a formula of too many steps");
  return Exact(std::make_shared<const Node>(std::move(node)));
}

Exact Node::make(std::shared_ptr<const Norm> norm) {
  Node node{.operation = Operation::norm, .a = {}, .b = {}, .about = Ball::nonnegative(kLeastBits)};
  node.norm = std::move(norm);
  node.has_norm = true;
  return Exact(std::make_shared<const Node>(std::move(node)));
}

Exact Node::make_unknown() {
  Node node{.operation = Operation::unknown, .a = {}, .b = {}, .about = Ball::anything(kLeastBits)};
  return Exact(std::make_shared<const Node>(std::move(node)));
}

const Ball& Enclosures::of(const Exact& x) {
  const Node* const node = x.node();
  if (node == nullptr) return rational_ = Ball(x.rational(), bits_);
  if (const auto known = found_.find(node); known != found_.end()) return known->second;
  if (node->operation == Operation::norm || node->operation == Operation::unknown) {
    return found_.emplace(node, node->about).first->second;
  }
  constexpr unsigned kBitsOfUnit = 16;
  Work::spend(kOfNode +
              (is_function(node->operation) ? cost_of_function(bits_) : bits_ / kBitsOfUnit));
  Ball value = of(node->a);
  enclose(node->operation, node->a, node->b, value, of(node->b));
  return found_.emplace(node, std::move(value)).first->second;
}

const Ball& about(const Exact& x, std::optional<Ball>& room) {
  return x.node() == nullptr ? room.emplace(x.rational(), kLeastBits) : x.node()->about;
}

const RootSum& expanded(const Exact& x, RootSum& room) {
  if (x.node() == nullptr) return room = RootSum(x.rational());
  const Node& node = *x.node();
  if (!node.expanded) node.expanded = expand(node);
  return *node.expanded;
}

}  // namespace attn::symbolic
