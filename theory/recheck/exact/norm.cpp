#include "theory/recheck/exact/norm.hpp"

#include <algorithm>

namespace attn::recheck::exact {
namespace {

/// For x between the two largest weights a number of the sign of a_1/(a_1 - x) - sum of a_j/(x -
/// a_j) over the others, which grows with x and is 0 at the norm, with its denominators multiplied
/// out.
template <class Number>
Number balance(const std::vector<Number>& a, const Number& x) {
  const Number to_largest = a.front() - x;
  Number product = x - a[1];
  Number sum = a[1];  // of a_j/(x - a_j), times the product
  for (std::size_t j = 2; j < a.size(); ++j) {
    const Number gap = x - a[j];
    sum = sum * gap + a[j] * product;
    product = product * gap;
  }
  return a.front() * product - to_largest * sum;
}

/// The sign of the balance by enclosures of what it is made of; 0 where they do not show it.
int enclosed_balance(const std::vector<Surd>& a, const Surd& x) {
  for (const slong bits : {128, 1024, 8192}) {
    const Precision precision(bits);
    std::vector<Arb> weights;
    for (const Surd& weight : a) weights.push_back(weight.enclosure());
    const Arb value = balance(weights, x.enclosure());
    if (Arb(0) < value) return 1;
    if (value < Arb(0)) return -1;
  }
  return 0;
}

using Square = std::vector<std::vector<Surd>>;

/// x^2 I - m^T m.
Square below_bound(const std::vector<std::vector<Surd>>& m, const Surd& x) {
  const std::size_t n = m.front().size();
  const Surd zero(x.ring(), 0);
  Square a(n, std::vector<Surd>(n, zero));
  for (std::size_t i = 0; i < n; ++i) {
    a[i][i] += x * x;
    for (std::size_t j = 0; j < n; ++j) {
      for (const auto& row : m) a[i][j] -= row[i] * row[j];
    }
  }
  return a;
}

/// Takes the pivot's row and column away: what is left is definite as the whole is, up to a
/// positive factor.
void eliminate(Square& a, std::size_t pivot) {
  const Surd p = a[pivot][pivot];
  const std::vector<Surd> row = a[pivot];
  a.erase(a.begin() + static_cast<std::ptrdiff_t>(pivot));
  for (auto& other : a) {
    const Surd factor = other[pivot];
    for (std::size_t j = 0; j < row.size(); ++j) {
      Surd change = factor * row[j];
      if (const auto number = p.rational()) {
        change *= Rational(1 / *number);
      } else {
        other[j] *= p;
      }
      other[j] -= change;
    }
    other.erase(other.begin() + static_cast<std::ptrdiff_t>(pivot));
  }
}

bool is_zero_matrix(const Square& a) {
  return std::ranges::all_of(a, [](const std::vector<Surd>& row) {
    return std::ranges::all_of(row, [](const Surd& x) { return known_sign_of(x) == 0; });
  });
}

/// 1 where it is positive definite, 0 where it is semidefinite and singular, else -1.
int definiteness(Square a) {
  while (!a.empty()) {
    std::size_t pivot = a.size();
    for (std::size_t i = 0; i < a.size(); ++i) {
      const int sign = known_sign_of(a[i][i]);
      if (sign < 0) return -1;
      if (sign > 0) pivot = i;
    }
    if (pivot == a.size()) return is_zero_matrix(a) ? 0 : -1;
    eliminate(a, pivot);
  }
  return 1;
}

}  // namespace

std::optional<Surd> softmax_norm_as_surd(const std::vector<Surd>& a) {
  if (a.size() == 1) return Surd(a.front().ring(), 0);
  if (a.size() == 2) {
    Surd norm = a[0] * a[1];
    norm *= Rational(2);
    return norm;
  }
  if (known_sign_of(a[0] - a[1]) == 0) return a[0];
  return std::nullopt;
}

int compare_softmax_norm(const std::vector<Surd>& a, const Surd& x) {
  if (known_sign_of(x - a[1]) <= 0) return 1;
  if (known_sign_of(x - a[0]) >= 0) return -1;
  if (const int sign = enclosed_balance(a, x); sign != 0) return -sign;
  return -known_sign_of(balance(a, x));
}

int compare_spectral_norm(const std::vector<std::vector<Surd>>& m, const Surd& x) {
  if (known_sign_of(x) < 0) return 1;
  return -definiteness(below_bound(m, x));
}

}  // namespace attn::recheck::exact
