#include "theory/number/exact/root_sum.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "theory/number/exact/residues.hpp"
#include "theory/number/exact/tables.hpp"
#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

const Polynomial& radicand_of(const Root& root) {
  return Work::tables().radicands[*root.radicand];
}

/// sqrt(x) as a root and what stands before it.
struct Part {
  Root root;
  Fraction factor;
};

/// |p| of p that is not zero.
Polynomial size_of(const Polynomial& p) {
  return sign_of(p) < 0 ? -p : p;
}

/// sqrt(p), p > 0.
Part root_of_positive(const Polynomial& p) {
  const auto [monic, lead] = normalised(p);
  const auto [square_class, factor] = Work::tables().square_classes.root_of(abs(lead.factor));
  const Fraction outside{{{{times(lead.exponent, Rational(1, 2)), factor}}}, {}};
  const bool negative = lead.factor.sign() < 0;
  if (!negative && monic.terms.size() == 1) return {{square_class, {}}, outside};
  if (!negative) {
    if (const auto h = root(monic)) return {{square_class, {}}, outside * size_of(*h)};
  }
  const std::size_t id = Work::tables().radicands.id_of(negative ? -monic : monic);
  return {{square_class, id}, outside};
}

/// sqrt of the product of two classes or radicands.
Part product_of_roots(const Root& a, const Root& b) {
  SquareClasses& classes = Work::tables().square_classes;
  const auto [square_class, factor] =
      classes.root_of(classes[a.square_class] * classes[b.square_class]);
  const Fraction outside{Polynomial::constant(factor), {}};
  if (!a.radicand || !b.radicand) {
    return {{square_class, a.radicand ? a.radicand : b.radicand}, outside};
  }
  if (a.radicand == b.radicand) return {{square_class, {}}, outside * radicand_of(a)};
  const Part inside = root_of_positive(radicand_of(a) * radicand_of(b));
  return {{square_class, inside.root.radicand}, inside.factor * factor};
}

/// Whether the product of the two may be a square; false is certain.
bool may_merge(const Polynomial& f, const Polynomial& g) {
  return f.lead().factor == g.lead().factor && f.last().factor.sign() == g.last().factor.sign() &&
         exact_root(f.last().factor * g.last().factor);
}

/// Roots that differ by a factor of the field, under one of them.
struct Kind {
  Root root;
  std::uint64_t signature;
  Fraction sum;
};

/// factor * sqrt(g) under sqrt(f), where f g is a square: sqrt(g) = sqrt(f g)/f sqrt(f).
std::optional<Fraction> under(const Polynomial& f, const Polynomial& g, const Fraction& factor) {
  if (!may_merge(f, g)) return std::nullopt;
  const auto h = root(f * g);
  if (!h) return std::nullopt;
  return factor * size_of(*h) * inverse({f, {}});
}

/// The signature of each radicand among the parts; 0 where there is none.
std::vector<std::uint64_t> signatures_of(const RootSum& x) {
  std::vector<const Polynomial*> radicands;
  for (const auto& [root, factor] : x.parts) {
    if (root.radicand) radicands.push_back(&radicand_of(root));
  }
  const auto of_radicands = square_signatures(radicands);
  std::vector<std::uint64_t> signatures;
  std::size_t next = 0;
  for (const auto& [root, factor] : x.parts) {
    signatures.push_back(root.radicand ? of_radicands[next++] : 0);
  }
  return signatures;
}

/// Certainly both ways, but for logarithms, of which true alone is certain: roots of different
/// classes of numbers of the field up to squares are linearly independent over it (Kummer), so that
/// all factors vanish once the roots of each class are under one of them.
bool vanishes(const RootSum& x) {
  const auto signatures = signatures_of(x);
  std::vector<Kind> kinds;
  std::size_t at = 0;
  for (const auto& [root, factor] : x.parts) {
    const std::uint64_t signature = signatures[at++];
    const auto takes = [&](Kind& kind) {
      const bool may_be_same = root.radicand && kind.root.radicand &&
                               kind.root.square_class == root.square_class &&
                               kind.signature == signature;
      if (!may_be_same) return false;
      const auto same = under(radicand_of(kind.root), radicand_of(root), factor);
      if (same) kind.sum = kind.sum + *same;
      return same.has_value();
    };
    if (std::ranges::none_of(kinds, takes)) kinds.push_back({root, signature, factor});
  }
  return std::ranges::all_of(kinds, [](const Kind& kind) { return kind.sum.is_zero(); });
}

Scaled enclosed(const Root& root, const Fraction& factor, unsigned bits) {
  Scaled result = enclosed(factor, bits);
  result.about *= Ball(Work::tables().square_classes[root.square_class], bits).to_root();
  if (root.radicand) {
    Scaled inside = enclosed(radicand_of(root), bits);
    result.about *= inside.about.to_root();
    result.scale = result.scale + times(inside.scale, Rational(1, 2));
  }
  return result;
}

int sign_at(const RootSum& x, unsigned bits) {
  std::vector<Scaled> parts;
  for (const auto& [root, factor] : x.parts) parts.push_back(enclosed(root, factor, bits));
  return sum_over(parts, largest_scale(parts), bits).sign();
}

bool has_logarithms(const Fraction& x) {
  const auto in_factor = [](const auto& of_bottom) {
    return Work::tables().factors[of_bottom.first].has_logarithms();
  };
  return x.top.has_logarithms() || std::ranges::any_of(x.bottom, in_factor);
}

bool has_logarithms(const RootSum& x) {
  return std::ranges::any_of(x.parts, [](const auto& part) {
    const auto& [root, factor] = part;
    return has_logarithms(factor) || (root.radicand && radicand_of(root).has_logarithms());
  });
}

/// How x, which is not known to be zero, is to 0, by more and more digits.
Order order_by_digits(const RootSum& x, bool logarithms) {
  const Order open = logarithms ? Order::unknown : Order::different;
  const unsigned most = logarithms ? kMostBitsOfLogarithms : kMostBits;
  try {
    for (unsigned bits = 2 * kLeastBits; bits <= most; bits *= 2) {
      if (const int sign = sign_at(x, bits)) return order_at(sign);
    }
  } catch (const BeyondExact&) {
    return open;
  }
  return open;
}

/// sqrt(a + b sqrt(r)), which is not negative, where a^2 - b^2 r is the square of a c of the field:
/// the sum of sqrt((a + c)/2) and, with the sign of b, sqrt((a - c)/2). Throws BeyondExact of other
/// sums of roots.
RootSum root_of_roots(const RootSum& x) {
  const BeyondExact beyond("a root of roots");
  if (x.parts.size() != 2 || x.parts.begin()->first != Root{}) throw beyond;
  const Fraction& a = x.parts.begin()->second;
  const auto& [r, b] = *x.parts.rbegin();
  RootSum with_root;
  with_root.add(r, b);
  const auto difference = (RootSum(a) * RootSum(a) - with_root * with_root).as_fraction();
  if (!difference || sign_of(*difference) < 0) throw beyond;
  const auto c = root(RootSum(*difference)).as_fraction();
  if (!c) throw beyond;
  const Rational half(1, 2);
  const RootSum larger = root(RootSum((a + *c) * half));
  const RootSum smaller = root(RootSum((a + *c * Rational(-1)) * half));
  return sign_of(b) < 0 ? larger - smaller : larger + smaller;
}

RootSum inverse(const Root& root, const Fraction& factor) {
  // 1/(c sqrt(n F)) = sqrt(n F)/(c n F)
  Fraction square = factor * Work::tables().square_classes[root.square_class];
  if (root.radicand) square = square * radicand_of(root);
  RootSum inverted;
  inverted.add(root, inverse(square));
  return inverted;
}

}  // namespace

RootSum::RootSum(const Rational& value) : RootSum(Fraction{Polynomial::constant(value), {}}) {}

RootSum::RootSum(const Fraction& value) {
  if (!value.is_zero()) parts.emplace(Root{}, value);
}

std::optional<Fraction> RootSum::as_fraction() const {
  if (parts.empty()) return Fraction{};
  if (parts.size() > 1 || parts.begin()->first != Root{}) return std::nullopt;
  return parts.begin()->second;
}

void RootSum::add(const Root& root, const Fraction& factor) {
  if (factor.is_zero()) return;
  const auto [at, is_new] = parts.try_emplace(root, factor);
  if (is_new) return;
  at->second = at->second + factor;
  if (at->second.is_zero()) parts.erase(at);
}

RootSum operator-(RootSum a) {
  for (auto& [root, factor] : a.parts) factor.top = -factor.top;
  return a;
}

RootSum operator+(RootSum a, const RootSum& b) {
  for (const auto& [root, factor] : b.parts) a.add(root, factor);
  return a;
}

RootSum operator-(const RootSum& a, const RootSum& b) {
  return a + -b;
}

RootSum operator*(const RootSum& a, const RootSum& b) {
  RootSum product;
  for (const auto& [r, c] : a.parts) {
    for (const auto& [s, d] : b.parts) {
      const Part roots = product_of_roots(r, s);
      product.add(roots.root, c * d * roots.factor);
    }
  }
  return product;
}

RootSum operator/(const RootSum& a, const RootSum& b) {
  if (b.parts.size() == 1) {
    return a * inverse(b.parts.begin()->first, b.parts.begin()->second);
  }
  if (b.parts.size() == 2) {
    // a/(r + s) = a (r - s)/(r^2 - s^2)
    RootSum r, s;
    r.parts.insert(*b.parts.begin());
    s.parts.insert(*b.parts.rbegin());
    const RootSum below = r * r - s * s;
    if (below.parts.size() == 1) return a * (r - s) / below;
  }
  throw BeyondExact("a quotient by several roots");
}

RootSum root(const RootSum& x) {
  const auto fraction = x.as_fraction();
  if (!fraction) return root_of_roots(x);
  if (fraction->is_zero()) return {};
  // sqrt(p/q) = sqrt(p q')/q'' where q'' is q and the factors q' that it has an odd number of.
  Polynomial inside = fraction->top;
  Fraction below{Polynomial::constant(1), {}};
  for (const auto& [id, power] : fraction->bottom) {
    if (power % 2 == 1) inside = inside * Work::tables().factors[id];
    const int half = (power + 1) / 2;
    below.bottom[id] = half;
    if (half % 2 == 1 && sign_of_factor(id) < 0) below.top = -below.top;
  }
  const Part part = root_of_positive(inside);
  RootSum result;
  result.add(part.root, part.factor * below);
  return result;
}

Order order_to_zero(const RootSum& x) {
  if (x.parts.empty()) return Order::equal;
  const bool logarithms = has_logarithms(x);
  if (x.parts.size() == 1 && !logarithms) {
    try {
      return order_at(sign_of(x.parts.begin()->second));
    } catch (const BeyondExact&) {
      return Order::different;
    }
  }
  if (const int sign = sign_at(x, kLeastBits)) return order_at(sign);
  if (vanishes(x)) return Order::equal;
  return order_by_digits(x, logarithms);
}

}  // namespace attn::symbolic
