#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "theory/base/lanes.hpp"
#include "theory/number/rationals.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

// Sums and norms: the same code in exact rationals, where no rounding may hide a zero, and in the
// scalars of the ladder.

/// A sum of `count` < 2^25 terms that in_lanes adds, each to its lane.
template <class W>
class LaneSum {
 public:
  explicit LaneSum(std::size_t /*count*/) {}
  void add(std::size_t lane, W x) { sum_.at[lane] += x; }
  [[nodiscard]] W total() const { return sum_.sum(); }

 private:
  Lanes sum_;
};

/// In ErrorDouble the numbers and their bounds are summed apart. Where no number takes part in more
/// than m additions that round, the sum errs by at most m u of the computed sum of their sizes
/// (Higham, section 4.2), and so does that of the bounds: m is 3 for the lanes and one less than a
/// lane has terms.
template <>
class LaneSum<ErrorDouble> {
 public:
  explicit LaneSum(std::size_t count) : additions_((count + kLanes - 1) / kLanes + 2) {}
  void add(std::size_t lane, const ErrorDouble& x) {
    sum_.at[lane] += x.value();
    size_.at[lane] += std::abs(x.value());
    bound_.at[lane] += x.error();
  }
  [[nodiscard]] ErrorDouble total() const {
    const double rounding =
        static_cast<double>(additions_) * ErrorDouble::kUnit * (size_.sum() + bound_.sum());
    return {sum_.sum(), (bound_.sum() + rounding) * ErrorDouble::kSlack + ErrorDouble::kTiny};
  }

 private:
  std::size_t additions_;
  Lanes sum_, size_, bound_;
};

/// The largest of 0 and of terms that in_lanes adds, each to its lane. It errs by no more than the
/// term that errs most; where that is not finite, by NaN.
class LaneMost {
 public:
  void add(std::size_t lane, const ErrorDouble& x) {
    most_.at[lane] = x.value() > most_.at[lane] ? x.value() : most_.at[lane];
    error_.at[lane] = x.error() > error_.at[lane] ? x.error() : error_.at[lane];
    not_finite_.at[lane] += x.error() - x.error();
  }
  [[nodiscard]] ErrorDouble total() const {
    return {most_.most(), error_.most() + not_finite_.sum()};
  }

 private:
  Lanes most_, error_, not_finite_;
};

/// sum_k term(k) over `count` < 2^25 terms.
template <class W>
W sum_of(std::size_t count, const auto& term) {
  if (count == 0) return W(0);
  if constexpr (std::is_same_v<W, ErrorDouble>) {
    LaneSum<W> sum(count);
    in_lanes(count, [&](std::size_t k, std::size_t lane) ATTN_INLINED { sum.add(lane, term(k)); });
    return sum.total();
  } else {
    W sum(0);
    for (std::size_t k = 0; k < count; ++k) sum += term(k);
    return sum;
  }
}

/// The sum of all values.
template <class W>
W sum_of(const std::vector<W>& values) {
  return sum_of<W>(values.size(), [&](std::size_t k) -> const W& { return values[k]; });
}

/// max_k term(k), count >= 1. In ErrorDouble it is at least the largest of all lower bounds and at
/// most the largest of all upper ones; one infinity or NaN among the errors makes NaN of its own.
template <class W>
W max_of(std::size_t count, const auto& term) {
  if constexpr (std::is_same_v<W, ErrorDouble>) {
    constexpr Lanes kNone = Lanes::all(-kInfinity);
    Lanes most = kNone, lower = kNone, upper = kNone, not_finite;
    in_lanes(count, [&](std::size_t k, std::size_t lane) ATTN_INLINED {
      const ErrorDouble x = term(k);
      most.at[lane] = std::max(most.at[lane], x.value());
      lower.at[lane] = std::max(lower.at[lane], x.value() - x.error());
      const double most_of_x = x.value() + x.error();
      upper.at[lane] = std::max(upper.at[lane], most_of_x);
      not_finite.at[lane] += most_of_x - most_of_x;
    });
    const double value = most.most();
    const double rounding = 2 * ErrorDouble::kUnit * std::abs(value);  // of lower and upper
    const double reach = std::max(value - lower.most(), upper.most() - value) + not_finite.sum();
    return {value, (reach + rounding) * ErrorDouble::kSlack + ErrorDouble::kTiny};
  } else {
    W most = term(0);
    for (std::size_t k = 1; k < count; ++k) most = max(most, W(term(k)));
    return most;
  }
}

/// sum_k term(k)^2 over `count` < 2^25 terms.
template <class W>
W sum_of_squares(std::size_t count, const auto& term) {
  return sum_of<W>(count, [&](std::size_t k) {
    const W& x = term(k);
    return W(square(x));
  });
}

/// ||u||^2 = sum_k u_k^2. u: [d], d >= 0.
template <class W>
W squared_norm(const std::vector<W>& u) {
  if constexpr (std::is_same_v<W, Rational>) {
    return dot(u, u);
  } else {
    return sum_of_squares<W>(u.size(), [&](std::size_t k) -> const W& { return u[k]; });
  }
}

/// ||u - v||^2.
template <class W>
W squared_distance(const std::vector<W>& u, const std::vector<W>& v) {
  return sum_of_squares<W>(u.size(), [&](std::size_t k) { return u[k] - v[k]; });
}

/// ||a u - v||^2.
template <class W>
W squared_distance(const W& a, const std::vector<W>& u, const std::vector<W>& v) {
  return sum_of_squares<W>(u.size(), [&](std::size_t k) { return a * u[k] - v[k]; });
}

/// ||u||. u: [d], d >= 1. In ErrorDouble over a power of 2 near the largest entry, so that no
/// square underflows: doubles hold what is divided by it, but for less than their least.
template <class S>
S length_of(const std::vector<S>& u) {
  if constexpr (std::is_same_v<S, ErrorDouble>) {
    double largest = 0;
    for (const ErrorDouble& x : u) largest = std::max(largest, std::abs(x.value()));
    constexpr int kMost = 1000;
    const bool has_exponent = largest > 0 && std::isfinite(largest);
    const int exponent = has_exponent ? std::clamp(std::ilogb(largest), -kMost, kMost) : 0;
    const double inverse = std::ldexp(1.0, -exponent);
    const auto scaled = [&](std::size_t k) {
      return ErrorDouble(u[k].value() * inverse, u[k].error() * inverse);
    };
    return sqrt_nonnegative(sum_of_squares<S>(u.size(), scaled)) *
           ErrorDouble(std::ldexp(1.0, exponent));
  } else {
    return sqrt_nonnegative(squared_norm(u));
  }
}

}  // namespace attn
