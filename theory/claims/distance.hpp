#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "theory/attention.hpp"

namespace attn {

/// What Theorem 1 speaks of, for one set I of N tokens and its complement O (claims, section 2).
template <class S>
struct DistanceTerms {
  S distance;    ///< D = sum_{i in O} ||a_i x_i - s||, s = sum_{j in I} a_j x_j
  S mass;        ///< A = sum_{i in I} a_i
  S outside;     ///< 1 - A, summed over O
  S spread;      ///< d1 = max_{i in O, j in I} ||x_i - x_j||
  S radius;      ///< X = max_{j in I} ||x_j||
  S mismatch;    ///< sum_{i in O} |A - a_i|
  S excess;      ///< A (L - N) - (1 - A) = sum_{i in O} (A - a_i)
  bool cancels;  ///< exactly (1 - A) d1 = -X excess; never claimed where not known exactly
};

/// Theorem 1 (1), right-hand side: (1 - A) d1 + X (A (L - N) - (1 - A)).
template <class S>
S theorem1_bound(const DistanceTerms<S>& t) {
  if (t.cancels) return S(0.0);
  return t.outside * t.spread + t.radius * t.excess;
}

/// The bound that holds for any set: (1 - A) d1 + X sum_{i in O} |A - a_i|.
template <class S>
S theorem1_bound_any_set(const DistanceTerms<S>& t) {
  return t.outside * t.spread + t.radius * t.mismatch;
}

namespace detail {

/// Linear arithmetic is done in W, which is S, or Rational where everything is rational.
template <class S, class W>
S enclose(const W& value) {
  if constexpr (std::is_same_v<W, Rational>) {
    return from<S>(value);
  } else {
    return value;
  }
}

template <class W>
using Rows = std::vector<std::vector<W>>;

template <class S>
Rows<S> embeddings_of(const Case& input) {
  Rows<S> x;
  x.reserve(input.embeddings.size());
  for (const auto& row : input.embeddings) {
    auto& out = x.emplace_back();
    out.reserve(row.size());
    for (const Rational& value : row) out.push_back(from<S>(value));
  }
  return x;
}

template <class W>
W squared(const W& x) {
  if constexpr (std::is_same_v<W, Rational>) {
    return x * x;
  } else {
    return square(x);
  }
}

template <class W>
W larger(const W& x, const W& y) {
  if constexpr (std::is_same_v<W, Rational>) {
    return x < y ? y : x;
  } else {
    return max(x, y);
  }
}

/// ||a u - v||^2.
template <class W>
W squared_distance(const W& a, const std::vector<W>& u, const std::vector<W>& v) {
  W sum(0);
  for (std::size_t k = 0; k < u.size(); ++k) sum += squared(W(a * u[k] - v[k]));
  return sum;
}

template <class W>
W squared_norm(const std::vector<W>& u) {
  W sum(0);
  for (const W& value : u) sum += squared(value);
  return sum;
}

/// The terms from the definitions, for weights a and embeddings x in W.
template <class S, class W>
DistanceTerms<S> distance_terms(const Problem& problem, const std::vector<W>& a, const Rows<W>& x) {
  const auto& selected = problem.selected();
  const auto& others = problem.others();
  DistanceTerms<S> t{};
  W mass(0);
  std::vector<W> s(x.front().size(), W(0));
  W radius_squared(0);
  for (const std::size_t j : selected) {
    mass += a[j];
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += a[j] * x[j][k];
    radius_squared = larger(radius_squared, squared_norm(x[j]));
  }
  W outside(0);
  W mismatch(0);
  W spread_squared(0);
  for (const std::size_t i : others) {
    outside += a[i];
    mismatch += abs(W(mass - a[i]));
    t.distance += sqrt_nonnegative(enclose<S>(squared_distance(a[i], x[i], s)));
    for (const std::size_t j : selected) {
      spread_squared = larger(spread_squared, squared_distance(W(1), x[i], x[j]));
    }
  }
  const W excess = mass * W(static_cast<double>(others.size())) - outside;
  t.mass = enclose<S>(mass);
  t.outside = enclose<S>(outside);
  t.mismatch = enclose<S>(mismatch);
  t.excess = enclose<S>(excess);
  t.radius = sqrt_nonnegative(enclose<S>(radius_squared));
  t.spread = sqrt_nonnegative(enclose<S>(spread_squared));
  if constexpr (std::is_same_v<W, Rational>) {
    t.cancels =
        excess <= 0 && squared(outside) * spread_squared == squared(excess) * radius_squared;
  }
  return t;
}

}  // namespace detail

/// The two parts of D about the selected tokens' centre c = s/A (claims, theorem1.fixed.sharp).
template <class S>
struct CentredTerms {
  S core;    ///< ||c|| (A (L-N) - (1-A))
  S around;  ///< sum_{i in O} a_i ||x_i - c||
  S above;   ///< core + around
  S below;   ///< core - around, which may cancel to nothing: exact where all is rational
};

namespace detail {

/// A (x_i - c) = sum_{j in I} a_j (x_i - x_j) from differences of the embeddings, each exactly zero
/// where two are equal: the difference of two enclosures is not.
template <class W>
std::vector<W> from_centre(const Problem& problem, const std::vector<W>& a, const Rows<W>& x,
                           std::size_t i) {
  const auto& exact = problem.input().embeddings;
  std::vector<W> sum(x[i].size(), W(0));
  for (const std::size_t j : problem.selected()) {
    for (std::size_t k = 0; k < sum.size(); ++k) {
      if constexpr (std::is_same_v<W, Rational> || std::is_same_v<W, ErrorDouble> ||
                    std::is_same_v<W, double>) {
        sum[k] += a[j] * (x[i][k] - x[j][k]);
      } else {
        sum[k] += a[j] * from<W>(Rational(exact[i][k] - exact[j][k]));
      }
    }
  }
  return sum;
}

/// The squares of ||s||, and of A ||x_i - c|| for each token outside; and the sums that go with
/// them.
template <class W>
struct CentreSquares {
  W mass{0};
  W excess{0};
  W centre{0};
  std::vector<W> shares, others;
};

template <class W>
CentreSquares<W> centre_squares(const Problem& problem, const std::vector<W>& a, const Rows<W>& x) {
  CentreSquares<W> t;
  std::vector<W> s(x.front().size(), W(0));
  for (const std::size_t j : problem.selected()) {
    t.mass += a[j];
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += a[j] * x[j][k];
  }
  W outside(0);
  for (const std::size_t i : problem.others()) {
    outside += a[i];
    t.shares.push_back(a[i] / t.mass);
    t.others.push_back(squared_norm(from_centre(problem, a, x, i)));
  }
  t.excess = t.mass * W(static_cast<double>(problem.others().size())) - outside;
  t.centre = squared_norm(s);
  return t;
}

template <class S, class W>
CentredTerms<S> enclosed_parts(const CentreSquares<W>& t) {
  const S core = sqrt_nonnegative(enclose<S>(t.centre)) / enclose<S>(t.mass) * enclose<S>(t.excess);
  S around(0.0);
  for (std::size_t i = 0; i < t.others.size(); ++i) {
    around += enclose<S>(t.shares[i]) * sqrt_nonnegative(enclose<S>(t.others[i]));
  }
  return {core, around, core + around, core - around};
}

/// The parts where every root is rational, as in one dimension: then their difference is exact.
template <class S>
std::optional<CentredTerms<S>> exact_parts(const CentreSquares<Rational>& t) {
  const auto centre = exact_root(t.centre);
  if (!centre) return std::nullopt;
  const Rational core = *centre / t.mass * t.excess;
  Rational around = 0;
  for (std::size_t i = 0; i < t.others.size(); ++i) {
    const auto root = exact_root(t.others[i]);
    if (!root) return std::nullopt;
    around += t.shares[i] * *root;
  }
  return CentredTerms<S>{from<S>(core), from<S>(around), from<S>(Rational(core + around)),
                         from<S>(Rational(core - around))};
}

}  // namespace detail

/// The parts about the centre for the case's set; A > 0, as for the N largest weights.
template <class S>
CentredTerms<S> centred_terms(const Problem& problem) {
  if constexpr (!std::is_same_v<S, ErrorDouble> && !std::is_same_v<S, double>) {
    if (const auto a = rational_weights(problem)) {
      const auto t = detail::centre_squares(problem, *a, problem.input().embeddings);
      if (const auto parts = detail::exact_parts<S>(t)) return *parts;
      return detail::enclosed_parts<S>(t);
    }
  }
  return detail::enclosed_parts<S>(detail::centre_squares(
      problem, attention_weights<S>(problem), detail::embeddings_of<S>(problem.input())));
}

/// The terms of Theorem 1 for the case's set. Where an enclosure would hide an exact zero, the
/// linear parts are computed in rationals; the double filter never needs that.
template <class S>
DistanceTerms<S> distance_terms(const Problem& problem) {
  if constexpr (!std::is_same_v<S, ErrorDouble> && !std::is_same_v<S, double>) {
    if (const auto a = rational_weights(problem)) {
      return detail::distance_terms<S>(problem, *a, problem.input().embeddings);
    }
  }
  return detail::distance_terms<S>(problem, attention_weights<S>(problem),
                                   detail::embeddings_of<S>(problem.input()));
}

}  // namespace attn
