#include "theory/number/exact/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "theory/number/exact/elementary.hpp"
#include "theory/number/exact/node.hpp"
#include "theory/number/exact/sign.hpp"
#include "theory/number/exact/tables.hpp"
#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

// ---- bounds: logarithms of sizes, rounded up ----

constexpr double kNothing = -kInfinity;

/// At least what a logarithm stands for that has a few rounding errors, as has what it is of. That
/// of 0 is exact.
double above(double x) {
  constexpr double kErrors = 0x1p-48;
  if (std::isinf(x)) return x;
  return x + (std::abs(x) + 1) * kErrors;
}

/// log(e^a + e^b).
double log_of_sum(double a, double b) {
  const double larger = std::max(a, b);
  const double smaller = std::min(a, b);
  if (smaller == kNothing || larger == kInfinity) return larger;
  return above(larger + above(std::log1p(std::exp(smaller - larger))));
}

/// log(e^a e^b). Where nothing is known of one of them, it may be no number.
double log_of_product(double a, double b) {
  if (a == kInfinity || b == kInfinity) return kInfinity;
  return a == kNothing || b == kNothing ? kNothing : above(a + b);
}

/// Within ln 2, for a logarithm costs more than a term otherwise.
double log_size(const Rational& value) {
  constexpr double kLogOfLeast = -708.0;  // of the least normal double, and a little more
  const double size = std::abs(value.nearest());
  if (std::isnormal(size)) return above((std::ilogb(size) + 1) * std::numbers::ln2);
  return size < 1 ? kLogOfLeast : kInfinity;
}

double log_size(const Monomial& term) {
  const double size = above(term.value + log_size(term.factor));
  if (term.square_class == 0) return size;
  return above(size + log_size(Work::tables().square_classes[term.square_class]) / 2);
}

double log_size(const Expansion& x) {
  double size = x.rest;
  for (const Monomial& term : x.terms) size = log_of_sum(size, log_size(term));
  return size;
}

double value_above(const Exponent& exponent) {
  if (exponent.others.empty()) {
    return above(std::max(exponent.plain.nearest(), std::numeric_limits<double>::lowest()));
  }
  return value_of(exponent, kLeastBits).upper();
}

// ---- terms ----

Monomial monomial(Exponent exponent, int square_class, Rational factor) {
  const double value = value_above(exponent);
  return {std::move(exponent), square_class, std::move(factor), value};
}

Monomial operator*(const Monomial& a, const Monomial& b) {
  Monomial product = monomial(a.exponent + b.exponent, 0, a.factor * b.factor);
  if (a.square_class == 0 || b.square_class == 0) {
    product.square_class = std::max(a.square_class, b.square_class);
    return product;
  }
  SquareClasses& classes = Work::tables().square_classes;
  const auto [square_class, factor] =
      classes.root_of(classes[a.square_class] * classes[b.square_class]);
  product.square_class = square_class;
  product.factor *= factor;
  return product;
}

Monomial over_one(const Monomial& a) {
  const Rational& n = Work::tables().square_classes[a.square_class];
  return monomial(-a.exponent, a.square_class, 1 / (a.factor * n));
}

/// The square root of a term > 0 of a rational factor.
Monomial root_of_term(const Monomial& a) {
  const auto [square_class, factor] = Work::tables().square_classes.root_of(a.factor);
  return monomial(times(a.exponent, Rational(1, 2)), square_class, factor);
}

/// The larger first, as far as that is known.
bool comes_before(const Monomial& a, const Monomial& b) {
  if (a.value != b.value) return a.value > b.value;
  if (const int by = order(a.exponent, b.exponent)) return by > 0;
  return a.square_class < b.square_class;
}

bool are_alike(const Monomial& a, const Monomial& b) {
  return a.value == b.value && a.square_class == b.square_class && a.exponent == b.exponent;
}

std::size_t cost_of_lengths(const std::vector<Monomial>& terms) {
  std::size_t cost = 0;
  for (const Monomial& term : terms) cost += cost_of_length(term.factor);
  return cost;
}

/// The sum of any terms, in any order, and of a rest.
Expansion collected(std::vector<Monomial> terms, double rest, std::size_t most) {
  constexpr std::size_t kOfTerm = 16;
  Work::spend(kOfTerm * terms.size() + cost_of_lengths(terms));
  std::ranges::sort(terms, comes_before);
  Expansion sum{{}, rest};
  double largest = kNothing;  // of those that are left
  std::size_t left = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Monomial term = std::move(terms[i]);
    for (++i; i < terms.size() && are_alike(terms[i], term); ++i) term.factor += terms[i].factor;
    if (term.factor == 0) continue;
    if (sum.terms.size() < most) {
      sum.terms.push_back(std::move(term));
    } else {
      largest = std::max(largest, log_size(term));
      ++left;
    }
  }
  if (left == 0) return sum;
  const double all = above(largest + std::log(static_cast<double>(left)));
  sum.rest = log_of_sum(sum.rest, all);
  return sum;
}

Expansion constant(const Rational& value) {
  if (value == 0) return {{}, kNothing};
  return {{monomial({}, 0, value)}, kNothing};
}

/// Where nothing is known but an enclosure.
Expansion bounded(const Ball& about) {
  return {{}, above(about.log_size())};
}

Expansion operator-(Expansion x) {
  for (Monomial& term : x.terms) term.factor = -term.factor;
  return x;
}

Expansion sum(Expansion a, const Expansion& b, std::size_t most) {
  a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
  return collected(std::move(a.terms), log_of_sum(a.rest, b.rest), most);
}

Expansion product(const Expansion& a, const Expansion& b, std::size_t most) {
  Work::spend(cost_of_lengths(a.terms) * b.terms.size() +
              cost_of_lengths(b.terms) * a.terms.size());
  std::vector<Monomial> terms;
  terms.reserve(a.terms.size() * b.terms.size());
  for (const Monomial& x : a.terms) {
    for (const Monomial& y : b.terms) terms.push_back(x * y);
  }
  const Expansion of_a{a.terms, kNothing};
  const double rest =
      log_of_sum(log_of_product(a.rest, log_size(b)), log_of_product(log_size(of_a), b.rest));
  return collected(std::move(terms), rest, most);
}

// ---- power series ----

/// x = lead (1 + u).
struct Split {
  Monomial lead;
  Expansion u;
};

/// Nothing where |u| is not known to be small.
std::optional<Split> split(const Expansion& x, std::size_t most) {
  if (x.terms.empty()) return std::nullopt;
  const Monomial& lead = x.terms.front();
  const Expansion others{{x.terms.begin() + 1, x.terms.end()}, x.rest};
  Expansion u = product(others, {{over_one(lead)}, kNothing}, most);
  if (log_size(u) > -std::numbers::ln2) return std::nullopt;
  return Split{lead, std::move(u)};
}

/// sum_k c_k u^k of coefficients `c(k)` of size 1 at most, |u| <= 1/2. What is left after u^n is at
/// most 2 |u|^(n+1).
template <class Coefficient>
Expansion series(const Expansion& u, const Coefficient& c, std::size_t most) {
  if (u.terms.empty() && u.rest == kNothing) return constant(c(0));
  int k = static_cast<int>(most);
  Expansion result = constant(c(k));
  result.rest = above(std::numbers::ln2 + log_size(u));
  while (k-- > 0) result = sum(product(u, result, most), constant(c(k)), most);
  return result;
}

Rational of_quotient(int k) {
  return k % 2 == 0 ? 1 : -1;
}

/// (1/n over k).
Rational of_root(const Rational& n, int k) {
  Rational result(1);
  for (int j = 0; j < k; ++j) result *= Rational((1 - n * j) / (n * (j + 1)));
  return result;
}

Rational of_logarithm(int k) {
  return k == 0 ? Rational(0) : Rational(k % 2 == 1 ? 1 : -1, k);
}

// ---- functions ----

std::optional<Expansion> expansion_of(const RootSum& x, std::size_t most) {
  std::vector<Monomial> terms;
  for (const auto& [root, factor] : x.parts) {
    if (root.radicand || !factor.bottom.empty()) return std::nullopt;
    for (const Term& term : factor.top.terms) {
      terms.push_back(monomial(term.exponent, root.square_class, term.factor));
    }
  }
  return collected(std::move(terms), kNothing, most);
}

RootSum root_sum_of(const std::vector<Monomial>& terms) {
  RootSum sum;
  for (const auto& [exponent, square_class, factor, value] : terms) {
    sum.add(Root{square_class, {}}, Fraction{{{{exponent, factor}}}, {}});
  }
  return sum;
}

std::optional<Expansion> exponential_of(const Expansion& x, std::size_t most) {
  if (x.rest != kNothing) return std::nullopt;
  return expansion_of(exponential(root_sum_of(x.terms)), most);
}

std::optional<Expansion> inverse_of(const Expansion& x, std::size_t most) {
  const auto parts = split(x, most);
  if (!parts) return std::nullopt;
  return product(series(parts->u, of_quotient, most), {{over_one(parts->lead)}, kNothing}, most);
}

std::optional<Expansion> root_of(const Expansion& x, std::size_t most) {
  if (x.terms.empty() && x.rest == kNothing) return x;
  const auto parts = split(x, most);
  if (!parts || parts->lead.square_class != 0 || parts->lead.factor.sign() < 0) return std::nullopt;
  const auto of_square_root = [](int k) { return of_root(2, k); };
  const Expansion lead{{root_of_term(parts->lead)}, kNothing};
  return product(series(parts->u, of_square_root, most), lead, most);
}

/// x^(1/n).
std::optional<Expansion> odd_root_of(const Expansion& x, const Rational& n, std::size_t most) {
  const auto parts = split(x, most);
  if (!parts || parts->lead.square_class != 0 || parts->lead.factor.sign() < 0) return std::nullopt;
  const RootSum logarithm_of_lead = logarithm(root_sum_of({parts->lead}));
  const auto lead = expansion_of(exponential(logarithm_of_lead * RootSum(1 / n)), most);
  if (!lead) return std::nullopt;
  const auto of_odd_root = [&](int k) { return of_root(n, k); };
  return product(series(parts->u, of_odd_root, most), *lead, most);
}

std::optional<Expansion> logarithm_of(const Expansion& x, std::size_t most) {
  const auto parts = split(x, most);
  if (!parts || parts->lead.square_class != 0 || parts->lead.factor.sign() < 0) return std::nullopt;
  const auto of_lead = expansion_of(logarithm(root_sum_of({parts->lead})), most);
  if (!of_lead) return std::nullopt;
  return sum(series(parts->u, of_logarithm, most), *of_lead, most);
}

// ---- signs ----

/// -1 or 1 where that is certain, else 0.
int sign_of(const Expansion& x) {
  if (x.terms.empty() || !(x.rest < kInfinity)) return 0;
  std::vector<Scaled> terms;
  for (const Monomial& term : x.terms) {
    Ball about(term.factor, kLeastBits);
    about *= Ball(Work::tables().square_classes[term.square_class], kLeastBits).to_root();
    terms.push_back({term.exponent, std::move(about)});
  }
  const Exponent& scale = largest_scale(terms);
  const Ball sum = sum_over(terms, scale, kLeastBits);
  if (x.rest == kNothing) return sum.sign();
  Ball rest(Rational(x.rest), kLeastBits);
  (rest -= value_of(scale, kLeastBits)).to_exp();
  return rest.is_certainly_below(Ball(sum).to_size()) ? sum.sign() : 0;
}

std::optional<Expansion> larger(const Node& node, std::size_t most) {
  Expansion a = expansion(node.a, most);
  Expansion b = expansion(node.b, most);
  const int sign = sign_of(sum(a, -b, most));
  if (sign == 0) return std::nullopt;
  return (sign > 0) == (node.operation == Operation::larger) ? a : b;
}

std::optional<Expansion> size(const Node& node, std::size_t most) {
  Expansion a = expansion(node.a, most);
  const int sign = sign_of(a);
  if (sign == 0) return std::nullopt;
  return sign > 0 ? a : -a;
}

std::optional<Expansion> quotient(const Node& node, std::size_t most) {
  const auto below = inverse_of(expansion(node.b, most), most);
  if (!below) return std::nullopt;
  return product(expansion(node.a, most), *below, most);
}

/// Nothing where no terms of the number are known.
std::optional<Expansion> found(const Node& node, std::size_t most) {
  switch (node.operation) {
    case Operation::sum:
      return sum(expansion(node.a, most), expansion(node.b, most), most);
    case Operation::difference:
      return sum(expansion(node.a, most), -expansion(node.b, most), most);
    case Operation::product:
      return product(expansion(node.a, most), expansion(node.b, most), most);
    case Operation::quotient:
      return quotient(node, most);
    case Operation::minus:
      return -expansion(node.a, most);
    case Operation::size:
      return size(node, most);
    case Operation::larger:
    case Operation::smaller:
      return larger(node, most);
    case Operation::exponential:
      return exponential_of(expansion(node.a, most), most);
    case Operation::root:
      return root_of(expansion(node.a, most), most);
    case Operation::odd_root:
      return odd_root_of(expansion(node.a, most), node.b.rational(), most);
    case Operation::logarithm:
      return logarithm_of(expansion(node.a, most), most);
    case Operation::norm:
    case Operation::unknown:
      break;
  }
  return std::nullopt;
}

}  // namespace

Expansion expansion(const Exact& x, std::size_t most_terms) {
  if (x.node() == nullptr) return constant(x.rational());
  const Node& node = *x.node();
  const bool is_enough =
      node.leading && (node.leading_terms >= most_terms || node.leading->rest == kNothing);
  if (is_enough) return *node.leading;
  constexpr std::size_t kOfNode = 32;
  Work::spend(kOfNode);
  auto terms = found(node, most_terms);
  node.leading = terms ? *std::move(terms) : bounded(node.about);
  node.leading_terms = most_terms;
  return *node.leading;
}

Order order_by_expansions(const Exact& x, const Exact& y, std::size_t most_terms) {
  try {
    const int sign = sign_of(sum(expansion(x, most_terms), -expansion(y, most_terms), most_terms));
    return sign == 0 ? Order::unknown : order_at(sign);
  } catch (const BeyondExact&) {
    return Order::unknown;
  }
}

}  // namespace attn::symbolic
