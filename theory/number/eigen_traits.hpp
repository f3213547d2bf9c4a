#pragma once

#include <Eigen/Core>

#include "theory/number/scalar.hpp"

// Eigen's NumTraits for the project's scalars. Boost 1.74 ships its own in
// boost/multiprecision/eigen.hpp, without infinity() and quiet_NaN() and with a lowest() that is
// the smallest positive number; that header must not be included beside this one.
namespace attn::detail {

template <class S>
struct NumTraitsBase {
  using Real = S;
  using NonInteger = S;
  using Nested = S;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 8,
    AddCost = 16,
    MulCost = 32
  };
};

}  // namespace attn::detail

namespace Eigen {

template <>
struct NumTraits<attn::ErrorDouble> : attn::detail::NumTraitsBase<attn::ErrorDouble> {
  static attn::ErrorDouble epsilon() { return {std::numeric_limits<double>::epsilon()}; }
  static attn::ErrorDouble dummy_precision() { return {1e-12}; }
  static attn::ErrorDouble highest() { return {std::numeric_limits<double>::max()}; }
  static attn::ErrorDouble lowest() { return {std::numeric_limits<double>::lowest()}; }
  static attn::ErrorDouble infinity() { return {std::numeric_limits<double>::infinity()}; }
  static attn::ErrorDouble quiet_NaN() { return {std::numeric_limits<double>::quiet_NaN()}; }
  static int digits10() { return std::numeric_limits<double>::digits10; }
};

template <unsigned D>
struct NumTraits<attn::Real<D>> : attn::detail::NumTraitsBase<attn::Real<D>> {
  using Limits = std::numeric_limits<attn::Real<D>>;
  static attn::Real<D> epsilon() { return Limits::epsilon(); }
  static attn::Real<D> dummy_precision() { return 1000 * Limits::epsilon(); }
  static attn::Real<D> highest() { return (Limits::max)(); }
  static attn::Real<D> lowest() { return -(Limits::max)(); }
  static attn::Real<D> infinity() { return Limits::infinity(); }
  static attn::Real<D> quiet_NaN() { return Limits::quiet_NaN(); }
  static int digits10() { return Limits::digits10; }
};

template <>
struct NumTraits<attn::Interval> : attn::detail::NumTraitsBase<attn::Interval> {
  using Ends = NumTraits<attn::Interval::End>;
  static attn::Interval point(const attn::Interval::End& x) {
    return attn::ScalarTraits<attn::Interval>::from_point(x);
  }
  static attn::Interval epsilon() { return point(Ends::epsilon()); }
  static attn::Interval dummy_precision() { return point(Ends::dummy_precision()); }
  static attn::Interval highest() { return point(Ends::highest()); }
  static attn::Interval lowest() { return point(Ends::lowest()); }
  static attn::Interval infinity() { return point(Ends::infinity()); }
  static attn::Interval quiet_NaN() { return point(Ends::quiet_NaN()); }
  static int digits10() { return Ends::digits10(); }
};

}  // namespace Eigen

namespace attn {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

}  // namespace attn
