#pragma once

#include <mpfr.h>

namespace attn {

/// Gives MPFR its widest exponents on this thread, so that exp(-10^9) is a number like any other,
/// and puts the thread's own range back.
class WidestExponents {
 public:
  WidestExponents() {
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
  }
  ~WidestExponents() {
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
  }
  WidestExponents(const WidestExponents&) = delete;
  WidestExponents& operator=(const WidestExponents&) = delete;

 private:
  mpfr_exp_t emin_ = mpfr_get_emin();
  mpfr_exp_t emax_ = mpfr_get_emax();
};

}  // namespace attn
