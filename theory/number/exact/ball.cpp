#include "theory/number/exact/ball.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "theory/number/elementary.hpp"

namespace attn::symbolic {

Ball::Ball(const Rational& value, unsigned bits) : Ball(bits) {
  if (value.is_double()) {
    mpfi_set_d(value_, value.nearest());
  } else {
    mpfi_set_q(value_, value.to_long().backend().data());
  }
}

Ball::Ball(const Ball& other) {
  mpfi_init2(value_, mpfi_get_prec(other.value_));
  mpfi_set(value_, other.value_);
}

Ball Ball::anything(unsigned bits) {
  Ball ball = nonnegative(bits);
  mpfr_set_inf(&ball.value_->left, -1);
  return ball;
}

Ball Ball::nonnegative(unsigned bits) {
  Ball ball(bits);
  mpfr_set_inf(&ball.value_->right, 1);
  return ball;
}

Ball& Ball::to_root() {
  if (mpfr_sgn(&value_->left) < 0) mpfr_set_zero(&value_->left, 1);
  return put(mpfi_sqrt);
}

Ball& Ball::to_root(unsigned long n) {
  if (mpfr_sgn(&value_->left) < 0) mpfr_set_zero(&value_->left, 1);
  mpfr_rootn_ui(&value_->left, &value_->left, n, MPFR_RNDD);
  mpfr_rootn_ui(&value_->right, &value_->right, n, MPFR_RNDU);
  return *this;
}

// MPFR takes the other number for a NaN.
Ball& Ball::to_larger(const Ball& x) {
  if (is_nan() || x.is_nan()) return put(mpfi_add, x);
  mpfr_max(&value_->left, &value_->left, &x.value_->left, MPFR_RNDD);
  mpfr_max(&value_->right, &value_->right, &x.value_->right, MPFR_RNDU);
  return *this;
}

Ball& Ball::to_smaller(const Ball& x) {
  if (is_nan() || x.is_nan()) return put(mpfi_add, x);
  mpfr_min(&value_->left, &value_->left, &x.value_->left, MPFR_RNDD);
  mpfr_min(&value_->right, &value_->right, &x.value_->right, MPFR_RNDU);
  return *this;
}

int Ball::sign() const {
  if (mpfi_is_strictly_pos(value_) > 0) return 1;
  return mpfi_is_strictly_neg(value_) > 0 ? -1 : 0;
}

bool Ball::is_certainly_below(const Ball& x) const {
  return !is_nan() && !x.is_nan() && mpfr_less_p(&value_->right, &x.value_->left) != 0;
}

Interval Ball::within(const Interval& x) const {
  if (!is_bounded()) return x;
  Interval rounded(0.0);
  mpfi_set(rounded.data(), value_);
  return Interval::enclose(std::max(x.lower(), rounded.lower()),
                           std::min(x.upper(), rounded.upper()));
}

double Ball::upper() const {
  return is_bounded() ? mpfr_get_d(&value_->right, MPFR_RNDU) : kInfinity;
}

double Ball::log_size() const {
  if (!is_bounded()) return kInfinity;
  const bool is_left = mpfr_cmpabs(&value_->left, &value_->right) > 0;
  const mpfr_srcptr largest = is_left ? &value_->left : &value_->right;
  if (mpfr_zero_p(largest) != 0) return -kInfinity;
  long power = 0;
  const double digits = std::abs(mpfr_get_d_2exp(&power, largest, MPFR_RNDA));
  return std::log(digits) + static_cast<double>(power) * std::numbers::ln2;
}

std::optional<std::pair<Integer, Integer>> Ball::floors() const {
  if (!is_bounded()) return std::nullopt;
  std::pair<Integer, Integer> floors;
  mpfr_get_z(floors.first.backend().data(), &value_->left, MPFR_RNDD);
  mpfr_get_z(floors.second.backend().data(), &value_->right, MPFR_RNDD);
  return floors;
}

bool Ball::may_meet(const Interval& x) const {
  if (is_nan() || mpfi_nan_p(x.data()) != 0) return true;
  const bool below = mpfr_less_p(&value_->right, &x.data()->left) != 0;
  const bool above = mpfr_greater_p(&value_->left, &x.data()->right) != 0;
  return !below && !above;
}

}  // namespace attn::symbolic
