#pragma once

#include <gmpxx.h>

// FLINT declares what takes numbers of GMP only where GMP was read before.
#include <flint/fmpq.h>

// Arb's ball arithmetic: part of FLINT from version 3 on, a library of its own before.
#if __has_include(<flint/arb_mat.h>)
#include <flint/arb.h>
#include <flint/arb_mat.h>
#else
#include <arb.h>
#include <arb_mat.h>
#endif

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "theory/recheck/exact/tape.hpp"

namespace attn::recheck {

/// The bits to which ball arithmetic on this thread rounds.
inline thread_local slong working_bits = 192;

/// Sets the working bits for a scope.
class Precision {
 public:
  explicit Precision(slong bits) : before_(std::exchange(working_bits, bits)) {}
  ~Precision() { working_bits = before_; }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

 private:
  slong before_;
};

/// A real number known to lie in a ball: Arb's arb_t with an owner and operators. Every operation
/// rounds to `working_bits` and encloses. While a tape is set, it records what the number is made
/// of; comparisons that the balls leave open are then exact.
class Arb {
 public:
  Arb() : Arb(0) {}
  Arb(std::integral auto value)  // NOLINT: integers are exact
      : step_(tape == nullptr ? kNoStep : tape->rational(Rational(value))) {
    arb_init(x_);
    arb_set_si(x_, static_cast<slong>(value));
  }
  template <class T, class U>
  explicit Arb(const __gmp_expr<T, U>& value) : Arb(Rational(value)) {}
  explicit Arb(const Rational& value) : step_(recorded(value)) {
    arb_init(x_);
    fmpq_t exact;
    fmpq_init(exact);
    fmpq_set_mpq(exact, value.get_mpq_t());
    arb_set_fmpq(x_, exact, working_bits);
    fmpq_clear(exact);
  }
  Arb(const Arb& other) : step_(other.step_) {
    arb_init(x_);
    arb_set(x_, other.x_);
  }
  Arb(Arb&& other) noexcept : step_(other.step_) {
    arb_init(x_);
    arb_swap(x_, other.x_);
  }
  Arb& operator=(Arb other) noexcept {
    arb_swap(x_, other.x_);
    step_ = other.step_;
    return *this;
  }
  ~Arb() { arb_clear(x_); }

  /// What is written there is not recorded.
  [[nodiscard]] arb_ptr get() {
    step_ = kNoStep;
    return x_;
  }
  [[nodiscard]] arb_srcptr get() const { return x_; }
  /// Where the number stands on the tape.
  [[nodiscard]] Step step() const { return step_; }
  /// This ball, as the number at `step` of the tape.
  [[nodiscard]] Arb at(Step step) && {
    step_ = step;
    return std::move(*this);
  }

  Arb& operator+=(const Arb& y) {
    arb_add(x_, x_, y.x_, working_bits);
    step_ = recorded(Operation::sum, step_, y.step_);
    return *this;
  }
  Arb& operator-=(const Arb& y) {
    arb_sub(x_, x_, y.x_, working_bits);
    step_ = recorded(Operation::difference, step_, y.step_);
    return *this;
  }
  Arb& operator*=(const Arb& y) {
    arb_mul(x_, x_, y.x_, working_bits);
    step_ = recorded(Operation::product, step_, y.step_);
    return *this;
  }
  Arb& operator/=(const Arb& y) {
    arb_div(x_, x_, y.x_, working_bits);
    step_ = recorded(Operation::quotient, step_, y.step_);
    return *this;
  }
  friend Arb operator+(Arb x, const Arb& y) { return x += y; }
  friend Arb operator-(Arb x, const Arb& y) { return x -= y; }
  friend Arb operator*(Arb x, const Arb& y) { return x *= y; }
  friend Arb operator/(Arb x, const Arb& y) { return x /= y; }
  friend Arb operator-(Arb x) {
    arb_neg(x.x_, x.x_);
    x.step_ = recorded(Operation::difference, recorded(Rational(0)), x.step_);
    return x;
  }

  /// Certainly less; false where the balls overlap or are not numbers, and no exact comparison
  /// tells.
  friend bool operator<(const Arb& x, const Arb& y) {
    if (arb_lt(x.x_, y.x_) != 0) return true;
    return arb_gt(x.x_, y.x_) == 0 && recorded_order(x.step_, y.step_) == -1;
  }
  friend bool operator>(const Arb& x, const Arb& y) { return y < x; }

  friend Arb exp(const Arb& x) { return unary(arb_exp, x, recorded_exp(x.step_)); }
  friend Arb expm1(const Arb& x) {
    return unary(arb_expm1, x, recorded(Operation::difference, recorded_exp(x.step_), one()));
  }
  friend Arb log(const Arb& x) {
    return unary(arb_log, x, recorded(Operation::logarithm, x.step_));
  }
  friend Arb log1p(const Arb& x) {
    const Step inside = recorded(Operation::sum, one(), x.step_);
    return unary(arb_log1p, x, recorded(Operation::logarithm, inside));
  }
  /// (e^2x - 1)/(e^2x + 1).
  friend Arb tanh(const Arb& x) {
    const Step e = recorded_exp(recorded(Operation::sum, x.step_, x.step_));
    return unary(arb_tanh, x,
                 recorded(Operation::quotient, recorded(Operation::difference, e, one()),
                          recorded(Operation::sum, e, one())));
  }
  friend Arb square(const Arb& x) {
    return unary(arb_sqr, x, recorded(Operation::product, x.step_, x.step_));
  }
  /// The root of a number that is not negative; what the ball holds below zero is ignored.
  friend Arb sqrt(const Arb& x) {
    return unary(arb_sqrtpos, x, recorded(Operation::root, x.step_));
  }
  friend Arb abs(const Arb& x) {
    const Step step = tape == nullptr ? kNoStep : larger(x, -x);
    return unary([](arb_ptr y, arb_srcptr of, slong) { arb_abs(y, of); }, x, step);
  }
  friend Arb min(const Arb& x, const Arb& y) {
    const Step other = larger(x, y);
    const bool is_known = other != kNoStep;
    return binary(arb_min, x, y, is_known ? (other == x.step_ ? y.step_ : x.step_) : kNoStep);
  }
  friend Arb max(const Arb& x, const Arb& y) { return binary(arb_max, x, y, larger(x, y)); }
  /// The smallest ball around both.
  friend Arb hull(const Arb& x, const Arb& y) { return binary(arb_union, x, y, kNoStep); }

 private:
  static Arb unary(const auto& operation, const Arb& x, Step step) {
    Arb z;
    operation(z.x_, x.x_, working_bits);
    z.step_ = step;
    return z;
  }
  static Arb binary(const auto& operation, const Arb& x, const Arb& y, Step step) {
    Arb z;
    operation(z.x_, x.x_, y.x_, working_bits);
    z.step_ = step;
    return z;
  }
  static Step one() { return recorded(Rational(1)); }
  static Step recorded_exp(Step x) { return recorded(Operation::exponential, x); }
  /// The step of the larger one; kNoStep where that is not known.
  static Step larger(const Arb& x, const Arb& y) {
    if (x.step_ == kNoStep || y.step_ == kNoStep) return kNoStep;
    if (arb_lt(x.x_, y.x_) != 0) return y.step_;
    if (arb_gt(x.x_, y.x_) != 0) return x.step_;
    const std::optional<int> order = recorded_order(x.step_, y.step_);
    if (!order) return kNoStep;
    return *order < 0 ? y.step_ : x.step_;
  }

  arb_t x_;
  Step step_;
};

/// -1, 0 or 1 as x is certainly below, at or above y; nothing where that is not told.
inline std::optional<int> order_of(const Arb& x, const Arb& y) {
  if (arb_lt(x.get(), y.get()) != 0) return -1;
  if (arb_gt(x.get(), y.get()) != 0) return 1;
  return recorded_order(x.step(), y.step());
}

inline Arb sqrt(const Rational& x) {
  return sqrt(Arb(x));
}

/// The ends of the ball and its middle, as exact numbers.
inline Arb lower(const Arb& x) {
  Arb end;
  arb_get_lbound_arf(arb_midref(end.get()), x.get(), working_bits);
  return end;
}
inline Arb upper(const Arb& x) {
  Arb end;
  arb_get_ubound_arf(arb_midref(end.get()), x.get(), working_bits);
  return end;
}
inline Arb middle(Arb x) {
  mag_zero(arb_radref(x.get()));  // which is not x any more, and not recorded
  return x;
}
inline bool is_exact(const Arb& x) {
  return arb_is_exact(x.get()) != 0;
}
inline bool is_zero(const Arb& x) {
  return arb_is_zero(x.get()) != 0;
}

/// min_i and max_i of values; not empty.
inline Arb least(const std::vector<Arb>& values) {
  Arb result = values.front();
  for (const Arb& value : values) result = min(result, value);
  return result;
}
inline Arb largest(const std::vector<Arb>& values) {
  Arb result = values.front();
  for (const Arb& value : values) result = max(result, value);
  return result;
}

/// sum_{j != i} v_j for every i, by sums from both ends: no digits cancel. [L]
inline std::vector<Arb> sums_of_others(const std::vector<Arb>& v) {
  std::vector<Arb> others(v.size());
  Arb before;
  Arb after;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const std::size_t back = v.size() - 1 - i;
    others[i] += before;
    others[back] += after;
    before += v[i];
    after += v[back];
  }
  return others;
}

/// H = -sum_i a_i log a_i of weights in decreasing order, of sum 1: log a_i is log1p(-the others)
/// for the largest, which may be next to 1.
inline Arb entropy_of(const std::vector<Arb>& a) {
  const std::vector<Arb> others = sums_of_others(a);
  Arb sum = a[0] * log1p(-others[0]);
  for (std::size_t i = 1; i < a.size(); ++i) sum += a[i] * log(a[i]);
  return -sum;
}

/// The Euclidean length. On a line it has no root, which would cost an exact decision the square.
inline Arb norm(const std::vector<Arb>& v) {
  if (v.size() == 1) return abs(v.front());
  Arb sum;
  for (const Arb& x : v) sum += square(x);
  return sqrt(sum);
}

/// u . v, exactly where they are rational.
template <class Number>
Number dot(const std::vector<Number>& u, const std::vector<Number>& v) {
  Number sum;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v[i];
  return sum;
}

/// v . v, exactly.
inline Rational squared_norm(const std::vector<Rational>& v) {
  return dot(v, v);
}

/// ||u - v||^2, exactly.
inline Rational squared_distance(const std::vector<Rational>& u, const std::vector<Rational>& v) {
  Rational sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) sum += (u[k] - v[k]) * (u[k] - v[k]);
  return sum;
}

/// max_i |v_i|; 0 where there is none.
inline Rational largest_size(const std::vector<Rational>& v) {
  Rational largest = 0;
  for (const Rational& x : v) {
    if (const Rational size = ::abs(x); size > largest) largest = size;
  }
  return largest;
}

}  // namespace attn::recheck
