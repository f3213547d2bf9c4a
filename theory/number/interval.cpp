#include "theory/number/interval.hpp"

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attn {
namespace {

namespace mp = boost::multiprecision;
using Number = mp::mpfi_float_backend<0>;

thread_local unsigned working_digits = 50;

const Number& zero() {
  static const Number kZero = [] {
    Number number;
    number = 0UL;
    return number;
  }();
  return kZero;
}

/// How many numbers that are gone a thread keeps for the next ones.
constexpr std::size_t kMostSpares = 1024;

/// Whether the thread ends, and its spare numbers are gone.
thread_local bool spares_are_gone = false;

/// Numbers that are gone, whose memory the next ones of as many digits take: a formula makes and
/// drops one for each operation.
struct Spares {
  Spares() { numbers.reserve(kMostSpares); }
  Spares(const Spares&) = delete;
  Spares& operator=(const Spares&) = delete;
  ~Spares() { spares_are_gone = true; }

  std::vector<Number> numbers;
};

thread_local Spares spares;

/// Any number of so many bits.
Number number_of(mpfr_prec_t bits) {
  while (!spares_are_gone && !spares.numbers.empty()) {
    Number number = std::move(spares.numbers.back());
    spares.numbers.pop_back();
    if (mpfr_get_prec(&number.data()->left) == bits) return number;
  }
  Number number = zero();
  mpfi_set_prec(number.data(), bits);
  return number;
}

bool has_memory(const Interval& x) {
  return x.data()->left._mpfr_d != nullptr;  // none once it was moved from
}

/// MPFI leaves a NaN in one end only where one end is undefined (the root of [-1, 1]); such an
/// interval bounds nothing on the other side either.
Interval::End end_of(const Interval& x, const __mpfr_struct& end) {
  Interval::End result;
  if (mpfi_nan_p(x.data()) == 0) {
    mpfr_set(result.backend().data(), &end, MPFR_RNDN);
  } else {
    mpfr_set_nan(result.backend().data());
  }
  return result;
}

/// f, which increases, of every number in x: by `of_interval`, which evaluates `of_number` at both
/// ends. A single number is evaluated once: what is rounded down there, and is not exact, lies
/// below f and the number after it above.
Interval increasing(const Interval& x, int (*of_interval)(mpfi_ptr, mpfi_srcptr),
                    int (*of_number)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  Interval result;
  const mpfi_ptr r = result.data();
  const mpfi_srcptr a = x.data();
  const bool is_number = mpfr_equal_p(&a->left, &a->right) != 0;
  if (is_number && of_number(&r->left, &a->left, MPFR_RNDD) != 0) {
    mpfr_set(&r->right, &r->left, MPFR_RNDU);
    mpfr_nextabove(&r->right);
  } else {
    of_interval(r, a);
  }
  return result;
}

/// What MPFR keeps for a thread: constants, and memory to use again.
struct CachesOfThread {
  ~CachesOfThread() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

}  // namespace

WorkingDigits::WorkingDigits(unsigned digits) : before_(working_digits) {
  thread_local const CachesOfThread freed_at_its_end;
  if (digits == 0 || digits > kCapDigits) throw std::logic_error("no such working digits");
  working_digits = digits;
}

WorkingDigits::~WorkingDigits() {
  working_digits = before_;
}

unsigned WorkingDigits::now() {
  return working_digits;
}

Interval::Interval() : value_(number_of(mp::detail::digits10_2_2(working_digits))) {
  mpfi_set_ui(data(), 0);
}

Interval::Interval(double value) : Interval() {
  mpfi_set_d(data(), value);
}

Interval::Interval(const Interval& other) : value_(number_of(mpfr_get_prec(&other.data()->left))) {
  if (has_memory(other)) mpfi_set(data(), other.data());
}

Interval::Interval(Interval&& other) noexcept = default;

Interval& Interval::operator=(const Interval& other) {
  if (this != &other) value_ = other.value_;  // Boost's own loses a number assigned to itself
  return *this;
}

Interval& Interval::operator=(Interval&& other) noexcept = default;

Interval::~Interval() {
  if (!has_memory(*this) || spares_are_gone || spares.numbers.size() == kMostSpares) return;
  spares.numbers.push_back(std::move(value_));
}

Interval Interval::of(mpq_srcptr value) {
  Interval result;
  mpfi_set_q(result.data(), value);
  return result;
}

Interval Interval::enclose(const End& lower, const End& upper) {
  Interval result;
  if (lower <= upper) {
    mpfi_interv_fr(result.data(), lower.backend().data(), upper.backend().data());
  } else {
    mpfr_set_nan(&result.data()->left);  // MPFI itself would swap the two
    mpfr_set_nan(&result.data()->right);
  }
  return result;
}

Interval::End Interval::lower() const {
  return end_of(*this, data()->left);
}

Interval::End Interval::upper() const {
  return end_of(*this, data()->right);
}

Interval::End Interval::middle() const {
  End result;
  mpfi_mid(result.backend().data(), data());
  return result;
}

Interval& Interval::operator+=(const Interval& x) {
  eval_add(value_, x.value_);
  return *this;
}

Interval& Interval::operator-=(const Interval& x) {
  eval_subtract(value_, x.value_);
  return *this;
}

Interval& Interval::operator*=(const Interval& x) {
  eval_multiply(value_, x.value_);
  return *this;
}

Interval& Interval::operator/=(const Interval& x) {
  eval_divide(value_, x.value_);
  return *this;
}

Interval operator-(Interval x) {
  mpfi_neg(x.data(), x.data());
  return x;
}

Interval operator+(Interval x, const Interval& y) {
  x += y;
  return x;
}

Interval operator-(Interval x, const Interval& y) {
  x -= y;
  return x;
}

Interval operator*(Interval x, const Interval& y) {
  x *= y;
  return x;
}

Interval operator/(Interval x, const Interval& y) {
  x /= y;
  return x;
}

Interval abs(const Interval& x) {
  Interval result;
  mpfi_abs(result.data(), x.data());
  return result;
}

Interval exp(const Interval& x) {
  return increasing(x, &mpfi_exp, &mpfr_exp);
}

Interval expm1(const Interval& x) {
  return increasing(x, &mpfi_expm1, &mpfr_expm1);
}

Interval log_positive(const Interval& x) {
  return increasing(x, &mpfi_log, &mpfr_log);
}

Interval log1p(const Interval& x) {
  return increasing(x, &mpfi_log1p, &mpfr_log1p);
}

Interval square(const Interval& x) {
  Interval result;
  mpfi_sqr(result.data(), x.data());
  return result;
}

Interval sqrt_nonnegative(const Interval& x) {
  Interval result(x);
  const mpfi_ptr r = result.data();
  if (mpfr_sgn(&r->left) < 0) mpfr_set_zero(&r->left, +1);
  mpfi_sqrt(r, r);
  return result;
}

Interval max(const Interval& x, const Interval& y) {
  Interval result;
  const mpfi_ptr r = result.data();
  const mpfi_srcptr a = x.data();
  const mpfi_srcptr b = y.data();
  mpfr_max(&r->left, &a->left, &b->left, MPFR_RNDD);
  mpfr_max(&r->right, &a->right, &b->right, MPFR_RNDU);
  if (mpfi_nan_p(a) || mpfi_nan_p(b)) mpfr_set_nan(&r->left);
  return result;
}

Interval min(const Interval& x, const Interval& y) {
  return -max(-x, -y);
}

}  // namespace attn
