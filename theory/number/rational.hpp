#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// An exact rational number: what every input is, before any arithmetic.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;

/// Reads a decimal ("-0.377166", "1e-3") or a quotient of integers ("3/7"), exactly.
/// Throws BadInput for anything else, for a zero denominator, for more than 20,000 characters and
/// for exponents beyond +-10,000.
Rational parse_rational(std::string_view text);

/// The exact value of a finite double (and, by widening, of a float). Throws BadInput for NaN and
/// infinities.
Rational exact(double value);

/// The square root of a rational >= 0 where that is rational.
std::optional<Rational> exact_root(const Rational& value);

/// The shortest exact form: a decimal where it ends within 30 places, else "p/q".
std::string to_string(const Rational& value);

}  // namespace attn
