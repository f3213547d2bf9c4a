#include "theory/number/exact/tables.hpp"

#include <algorithm>

#include "theory/number/exact/work.hpp"

namespace attn::symbolic {

bool PolynomialTable::Before::operator()(const Polynomial& a, const Polynomial& b) const {
  if (a.terms.size() != b.terms.size()) return a.terms.size() < b.terms.size();
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    if (const int by = order(a.terms[i].exponent, b.terms[i].exponent)) return by < 0;
    if (a.terms[i].factor != b.terms[i].factor) return a.terms[i].factor < b.terms[i].factor;
  }
  return false;
}

std::size_t PolynomialTable::id_of(const Polynomial& p) {
  Work::spend(p.terms.size());
  const auto [at, is_new] = ids_.emplace(p, entries_.size());
  if (is_new) entries_.emplace_back(p, 0);
  return at->second;
}

RootOfRational SquareClasses::root_of(const Rational& n) {
  if (const auto known = found_.find(n); known != found_.end()) return known->second;
  Work::spend(4 * classes_.size());
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if (const auto factor = exact_root(n / classes_[k])) {
      return found_[n] = {static_cast<int>(k), *factor};
    }
  }
  // An integer: sqrt(p/q) = sqrt(p q)/q.
  const Rational bottom(denominator(n));
  classes_.push_back(n * bottom * bottom);
  return found_[n] = {static_cast<int>(classes_.size()) - 1, 1 / bottom};
}

}  // namespace attn::symbolic
