#pragma once

#include <cstddef>
#include <stdexcept>

#include "theory/number/error_double.hpp"

namespace attn {

/// What the error bounds of ErrorDouble assume does not hold on this machine or in this thread. An
/// error of ours, not of the input: no verdict may be had from it.
class BrokenAssumption : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws BrokenAssumption where this thread does not round to nearest, or takes subnormal numbers
/// for zero (flush to zero, denormals are zero). Threads inherit these switches and libraries turn
/// them, so every verdict of the double filter asks again; it costs a few additions.
void check_floating_point();

/// A function of theory/number/elementary.hpp whose error ErrorDouble bounds by kFunctionUlps.
struct ElementaryFunction {
  const char* name;            ///< exp, expm1, log or log1p
  double (*computed)(double);  ///< what is checked
};

/// The largest error found of a function, in units in the last place of the exact value, at
/// `samples` points of all magnitudes for which its result is a normal number, beside MPFR; the
/// same points in every run. Throws BrokenAssumption, naming the point and both values, where it is
/// above ErrorDouble::kFunctionUlps.
double check_function(const ElementaryFunction& function, std::size_t samples);

/// The points that a program checks each function at, before the first verdict.
inline constexpr std::size_t kAssumptionSamples = 2'000;

/// check_floating_point(), and check_function() for each of the four at `times` kAssumptionSamples
/// points.
void check_machine_assumptions(std::size_t times = 1);

}  // namespace attn
