#pragma once

#include <mpfi.h>

#include <optional>
#include <utility>

#include "theory/number/interval.hpp"
#include "theory/number/rational.hpp"

namespace attn::symbolic {

/// A closed interval (MPFI) with a precision of its own. Every operation rounds outwards, to the
/// precision of its left operand; an undefined one gives NaN, which has no sign.
class Ball {
 public:
  explicit Ball(unsigned bits) {
    mpfi_init2(value_, static_cast<mpfr_prec_t>(bits));
    mpfi_set_ui(value_, 0);
  }
  Ball(const Rational& value, unsigned bits);
  Ball(const Ball& other);
  /// Takes the digits of `other`, which can only be assigned to or end afterwards.
  Ball(Ball&& other) noexcept : value_{*other.value_} { other.value_->left._mpfr_d = nullptr; }
  Ball& operator=(Ball other) noexcept {
    mpfi_swap(value_, other.value_);
    return *this;
  }
  ~Ball() {
    if (value_->left._mpfr_d != nullptr) mpfi_clear(value_);
  }

  /// An enclosure of every number, or of every number >= 0.
  static Ball anything(unsigned bits);
  static Ball nonnegative(unsigned bits);

  Ball& operator+=(const Ball& x) { return put(mpfi_add, x); }
  Ball& operator-=(const Ball& x) { return put(mpfi_sub, x); }
  Ball& operator*=(const Ball& x) { return put(mpfi_mul, x); }
  Ball& operator/=(const Ball& x) { return put(mpfi_div, x); }

  // In its own place.
  Ball& negate() { return put(mpfi_neg); }
  Ball& to_size() { return put(mpfi_abs); }
  Ball& to_exp() { return put(mpfi_exp); }
  Ball& to_log() { return put(mpfi_log); }
  Ball& to_square() { return put(mpfi_sqr); }
  /// The square root of an exact value >= 0: the negative part of the interval is cut off.
  Ball& to_root();
  /// x^(1/n) of an exact value >= 0: the negative part of the interval is cut off. n >= 1.
  Ball& to_root(unsigned long n);
  /// The interval of max(this, x), and of min(this, x).
  Ball& to_larger(const Ball& x);
  Ball& to_smaller(const Ball& x);

  /// -1 or 1 where that is certain, else 0.
  [[nodiscard]] int sign() const;
  [[nodiscard]] bool is_bounded() const { return mpfi_bounded_p(value_) != 0; }
  [[nodiscard]] bool is_certainly_below(const Ball& x) const;
  /// Whether the lower end is above that of x.
  [[nodiscard]] bool begins_above(const Ball& x) const {
    return mpfr_greater_p(&value_->left, &x.value_->left) != 0;
  }
  /// False where the two have certainly no number in common.
  [[nodiscard]] bool may_meet(const Interval& x) const;
  /// What of x the number may be, to the digits at work; x where that is not bounded.
  [[nodiscard]] Interval within(const Interval& x) const;
  /// At least the number; infinite where it is not bounded.
  [[nodiscard]] double upper() const;
  /// At least log |the number|, but for a few rounding errors: -infinity where that is 0, infinity
  /// where it is not bounded.
  [[nodiscard]] double log_size() const;
  /// The integer parts of both ends; nothing of one that is not bounded.
  [[nodiscard]] std::optional<std::pair<Integer, Integer>> floors() const;

 private:
  /// MPFI leaves a NaN in one end only where that is undefined; the other then bounds nothing.
  [[nodiscard]] bool is_nan() const { return mpfi_nan_p(value_) != 0; }
  Ball& put(int (*f)(mpfi_ptr, mpfi_srcptr)) {
    f(value_, value_);
    return *this;
  }
  Ball& put(int (*f)(mpfi_ptr, mpfi_srcptr, mpfi_srcptr), const Ball& x) {
    f(value_, value_, x.value_);
    return *this;
  }

  mpfi_t value_;
};

}  // namespace attn::symbolic
