#include "theory/claims/decimal.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace attn {
namespace {

constexpr int kShownDigits = 50;
constexpr int kKnownDigits = 46;

std::string decimal(mpfr_srcptr x, mpfr_rnd_t rounding) {
  char* text = nullptr;
  if (mpfr_zero_p(x) != 0) return "0";
  const bool finite = mpfr_number_p(x) != 0;
  constexpr double kLog10Of2 = 0.30102999566398120;
  // Only numbers near 1 are written positionally; the others' exponents may be beyond an int.
  constexpr double kFarOut = 1e6;
  const double power = finite ? static_cast<double>(mpfr_get_exp(x) - 1) * kLog10Of2 : 0;
  const int magnitude = static_cast<int>(std::floor(std::clamp(power, -kFarOut, kFarOut)));
  if (finite && magnitude > -20 && magnitude < kShownDigits - 2) {
    mpfr_asprintf(&text, "%.*R*f", kShownDigits - 1 - magnitude, rounding, x);
  } else {
    mpfr_asprintf(&text, "%.*R*e", kShownDigits - 1, rounding, x);
  }
  const std::unique_ptr<char, decltype(&mpfr_free_str)> owner(text, &mpfr_free_str);
  return text;
}

}  // namespace

bool is_known(const Interval& x) {
  return x.upper() - x.lower() <= abs(x.middle()) * pow(Interval::End(10), -kKnownDigits);
}

std::string middle_of(const Interval& x) {
  return decimal(x.middle().backend().data(), MPFR_RNDN);
}

std::string lower_of(const Interval& x) {
  return decimal(&x.data()->left, MPFR_RNDD);
}

std::string upper_of(const Interval& x) {
  return decimal(&x.data()->right, MPFR_RNDU);
}

}  // namespace attn
