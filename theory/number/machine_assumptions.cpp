#include "theory/number/machine_assumptions.hpp"

#include <fmt/format.h>
#include <mpfr.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>

#include "theory/number/elementary.hpp"
#include "theory/number/interval.hpp"

namespace attn {
namespace {

// What no compiler and no processor of another kind may change behind the bounds of ErrorDouble.
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53);
static_assert(FLT_EVAL_METHOD == 0);

using Fine = Real<50>;

/// A function, and where it is sampled: evenly between two arguments, or where these have one sign,
/// evenly in their exponents.
struct Domain {
  std::string_view function;
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  double least, most;
};

/// Where the results are normal numbers. What underflows is within ErrorDouble::kTiny.
constexpr double kLeastExp = -708, kMostExp = 709;
/// Below it expm1 is -1 to the last place.
constexpr double kLeastExpm1 = -37;
constexpr double kSmallest = 0x1p-1022, kLargest = std::numeric_limits<double>::max();

constexpr Domain kDomains[] = {
    {"exp", mpfr_exp, kLeastExp, kMostExp},
    {"exp", mpfr_exp, -1, 1},
    {"exp", mpfr_exp, kSmallest, 1},
    {"expm1", mpfr_expm1, kLeastExpm1, kMostExp},
    {"expm1", mpfr_expm1, -1, 1},
    {"expm1", mpfr_expm1, kSmallest, 1},
    {"expm1", mpfr_expm1, -1, -kSmallest},
    {"log", mpfr_log, kSmallest, kLargest},
    {"log", mpfr_log, 0.5, 2},
    {"log1p", mpfr_log1p, kSmallest, kLargest},
    {"log1p", mpfr_log1p, 0x1p-10, 0x1p10},
};

double sampled(const Domain& domain, std::mt19937_64& random) {
  const double share = static_cast<double>(random() >> 11) * 0x1p-53;
  const auto between = [&](double a, double b) { return a + share * (b - a); };
  if (domain.least < 0 && domain.most > 0) return between(domain.least, domain.most);
  const double sign = domain.least < 0 ? -1 : 1;
  const double power = between(std::log2(std::abs(domain.least)), std::log2(std::abs(domain.most)));
  return std::clamp(sign * std::exp2(power), domain.least, domain.most);
}

/// |computed - exact| in units in the last place of the exact value.
double error_in_ulps(double computed, const Fine& exact) {
  if (!std::isfinite(computed)) return kInfinity;
  const double size = std::abs(exact.convert_to<double>());
  const Fine ulp = std::nextafter(size, kInfinity) - size;
  return Fine(abs(Fine(computed - exact)) / ulp).convert_to<double>();
}

double check_point(const ElementaryFunction& function, const Domain& domain, double x) {
  Fine exact = x;
  domain.exact(exact.backend().data(), exact.backend().data(), MPFR_RNDN);
  const double computed = function.computed(x);
  const double error = error_in_ulps(computed, exact);
  if (!(error <= ErrorDouble::kFunctionUlps)) {
    throw BrokenAssumption(fmt::format(
        "{}({:a}) of this build: expected {:.17g} within {} units in the last place, found "
        "{:.17g}; build without flags that change floating point",
        function.name, x, exact.convert_to<double>(), ErrorDouble::kFunctionUlps, computed));
  }
  return error;
}

constexpr ElementaryFunction kFunctions[] = {{"exp", reproducible::exp},
                                             {"expm1", reproducible::expm1},
                                             {"log", reproducible::log},
                                             {"log1p", reproducible::log1p}};

[[noreturn]] void refuse_thread(const char* expected, const char* found) {
  throw BrokenAssumption(fmt::format(
      "floating point of a thread: expected {}, found {}; a library has switched it: do "
      "not load one that is built with -ffast-math",
      expected, found));
}

}  // namespace

void check_floating_point() {
  // Volatile, so that the processor adds and not the compiler.
  const volatile double one = 1, half_ulp = 0x1p-53, more = 0x1.8p-53;
  const volatile double subnormal = std::numeric_limits<double>::denorm_min();
  if (one + half_ulp > 1 || !(one + more > 1)) {
    refuse_thread("round to nearest", "another rounding");
  }
  if (!(subnormal + subnormal > 0)) {
    refuse_thread("subnormal numbers", "zero in their place");
  }
}

double check_function(const ElementaryFunction& function, std::size_t samples) {
  const auto is_of = [&](const Domain& domain) { return domain.function == function.name; };
  const auto domains = static_cast<std::size_t>(std::ranges::count_if(kDomains, is_of));
  std::mt19937_64 random;  // NOLINT(bugprone-random-generator-seed): the same points in every run
  double largest = 0;
  for (const Domain& domain : kDomains) {
    if (!is_of(domain)) continue;
    for (std::size_t i = 0; i * domains < samples; ++i) {
      largest = std::max(largest, check_point(function, domain, sampled(domain, random)));
    }
  }
  return largest;
}

void check_machine_assumptions(std::size_t times) {
  check_floating_point();
  for (const ElementaryFunction& function : kFunctions) {
    check_function(function, times * kAssumptionSamples);
  }
}

}  // namespace attn
