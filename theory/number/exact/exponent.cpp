#include "theory/number/exact/exponent.hpp"

namespace attn::symbolic {
namespace {

int sign_of(std::strong_ordering ordering) {
  return static_cast<int>(ordering > 0) - static_cast<int>(ordering < 0);
}

using Powers = std::vector<Exponent::Power>;

Powers sum(const Powers& a, const Powers& b) {
  if (a.empty()) return b;
  Powers result;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->first < j->first)) {
      result.push_back(*i++);
    } else if (i == a.end() || j->first < i->first) {
      result.push_back(*j++);
    } else {
      const Rational power = i->second + j->second;
      if (power != 0) result.emplace_back(i->first, power);
      ++i, ++j;
    }
  }
  return result;
}

}  // namespace

int order(const Exponent& a, const Exponent& b) {
  if (const int of_plain = sign_of(a.plain <=> b.plain)) return of_plain;
  auto i = a.others.begin();
  auto j = b.others.begin();
  for (; i != a.others.end() && j != b.others.end(); ++i, ++j) {
    if (i->first < j->first) return i->second.sign();
    if (j->first < i->first) return -j->second.sign();
    if (const int of_power = sign_of(i->second <=> j->second)) return of_power;
  }
  if (i != a.others.end()) return i->second.sign();
  return j != b.others.end() ? -j->second.sign() : 0;
}

Exponent operator-(const Exponent& a) {
  Exponent minus{-a.plain, a.others};
  for (auto& [generator, power] : minus.others) power = -power;
  return minus;
}

Exponent operator+(const Exponent& a, const Exponent& b) {
  return {a.plain + b.plain, b.others.empty() ? a.others : sum(a.others, b.others)};
}

Exponent operator-(const Exponent& a, const Exponent& b) {
  return {a.plain - b.plain, b.others.empty() ? a.others : sum(a.others, (-b).others)};
}

Exponent times(const Exponent& a, const Rational& factor) {
  if (factor == 0) return {};
  Exponent product{a.plain * factor, a.others};
  for (auto& [generator, power] : product.others) power *= factor;
  return product;
}

}  // namespace attn::symbolic
