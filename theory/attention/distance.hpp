#pragma once

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <vector>

#include "theory/attention/weights.hpp"
#include "theory/number/rationals.hpp"
#include "theory/number/sums.hpp"

namespace attn {

/// What Theorem 1 speaks of, for one set I of N tokens and its complement O (claim theorem1.fixed).
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

/// Names the hypothesis that a set does not meet which leaves so few tokens out; else empty.
inline std::string_view few_outside(std::size_t others) {
  return others >= 2 ? std::string_view{} : "N <= L - 2";
}

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

// Linear arithmetic is done in W, which is S, or Rational where everything is rational.

template <class W>
using Rows = std::vector<std::vector<W>>;

template <class S>
Rows<S> embeddings_of(const CaseContext& context) {
  Rows<S> x;
  x.reserve(context.embeddings().size());
  for (const auto& row : context.embeddings()) x.push_back(enclosed<S>(row));
  return x;
}

/// s = sum_{j in I} a_j x_j.
template <class W>
std::vector<W> selected_sum(const CaseContext& context, const std::vector<W>& a, const Rows<W>& x) {
  std::vector<W> s(x.front().size(), W(0));
  for (const std::size_t j : context.selected()) {
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += a[j] * x[j][k];
  }
  return s;
}

/// D = sum_{i in O} ||a_i x_i - s||.
template <class S, class W>
S distance_from(const CaseContext& context, const std::vector<W>& a, const Rows<W>& x) {
  const std::vector<W> s = selected_sum(context, a, x);
  S distance(0.0);
  for (const std::size_t i : context.others()) {
    distance += sqrt_nonnegative(from<S>(squared_distance(a[i], x[i], s)));
  }
  return distance;
}

/// The terms from the definitions, for weights a and embeddings x in W.
template <class S, class W>
DistanceTerms<S> distance_terms(const CaseContext& context, const std::vector<W>& a,
                                const Rows<W>& x) {
  const auto& selected = context.selected();
  const auto& others = context.others();
  DistanceTerms<S> t{};
  t.distance = distance_from<S>(context, a, x);
  W mass(0);
  W radius_squared(0);
  for (const std::size_t j : selected) {
    mass += a[j];
    radius_squared = max(radius_squared, squared_norm(x[j]));
  }
  W outside(0);
  W mismatch(0);
  W spread_squared(0);
  for (const std::size_t i : others) {
    outside += a[i];
    mismatch += abs(W(mass - a[i]));
    for (const std::size_t j : selected) {
      spread_squared = max(spread_squared, squared_distance(x[i], x[j]));
    }
  }
  const W excess = mass * W(static_cast<double>(others.size())) - outside;
  t.mass = from<S>(mass);
  t.outside = from<S>(outside);
  t.mismatch = from<S>(mismatch);
  t.excess = from<S>(excess);
  t.radius = sqrt_nonnegative(from<S>(radius_squared));
  t.spread = sqrt_nonnegative(from<S>(spread_squared));
  if constexpr (std::is_same_v<W, Rational>) {
    t.cancels = excess <= 0 && square(outside) * spread_squared == square(excess) * radius_squared;
  }
  return t;
}

/// D, and its two parts about the selected tokens' centre c = s/A (claims
/// theorem1.fixed.sharp.lower and theorem1.fixed.sharp.upper).
template <class S>
struct CentredTerms {
  S distance{};    ///< D = sum_{i in O} ||a_i x_i - s||
  S core;          ///< ||c|| (A (L-N) - (1-A))
  S around;        ///< sum_{i in O} a_i ||x_i - c||
  S above;         ///< core + around
  S below;         ///< core - around, which may cancel to nothing: exact where all is rational
  S core_any_set;  ///< ||c|| sum_{i in O} |A - a_i|: the core where I is not the top N
};

/// ||y_i - s||^2 - ||s||^2 = y_i . (y_i - 2 s), y_i = a_i x_i: small y_i keep their digits.
template <class W>
W offset_square(const W& a, const std::vector<W>& x, const std::vector<W>& s) {
  W sum(0);
  for (std::size_t k = 0; k < s.size(); ++k) sum += x[k] * W(a * x[k] - W(2) * s[k]);
  return a * sum;
}

/// Calls visit(||y_i - s|| - ||s||), the difference of the squares over the sum, for the tokens
/// outside but those with y_i = 0, of which it is exactly 0. `length`: ||s||.
template <class S, class W, class Visit>
void visit_offsets(const CaseContext& context, const std::vector<W>& a, const Rows<W>& x,
                   const std::vector<W>& s, const S& length, Visit visit) {
  for (const std::size_t i : context.others()) {
    const bool no_weight = ScalarTraits<S>::upper(from<S>(a[i])) <= 0;
    if (no_weight || is_zero(context.embeddings()[i])) continue;
    const S distance = sqrt_nonnegative(from<S>(squared_distance(a[i], x[i], s)));
    visit(S(from<S>(offset_square(a[i], x[i], s)) / S(distance + length)));
  }
}

/// Whether all selected tokens have the same k-th coordinate, for each k.
inline std::vector<bool> common_coordinates(const CaseContext& context) {
  const auto& x = context.embeddings();
  std::vector<bool> common(x.front().size(), true);
  for (const std::size_t j : context.selected()) {
    for (std::size_t k = 0; k < common.size(); ++k) {
      if (common[k]) common[k] = x[j][k] == x[context.selected().front()][k];
    }
  }
  return common;
}

/// The squares of ||s||, and of A ||x_i - c|| for each token outside; and the sums that go with
/// them.
template <class W>
struct CentreSquares {
  W mass{0};
  W excess{0};
  W mismatch{0};
  W centre{0};
  std::vector<W> shares, others;
};

template <class W>
CentreSquares<W> centre_squares(const CaseContext& context, const std::vector<W>& a,
                                const Rows<W>& x) {
  CentreSquares<W> t;
  const std::vector<W> s = selected_sum(context, a, x);
  for (const std::size_t j : context.selected()) t.mass += a[j];
  // A (x_i - c) = A x_i - s; where c_k is a coordinate that the selected tokens share, from the
  // exact difference, so that it is zero where it should be.
  const auto& exact = context.embeddings();
  const std::vector<bool> common = common_coordinates(context);
  const std::size_t first = context.selected().front();
  W outside(0);
  for (const std::size_t i : context.others()) {
    outside += a[i];
    t.mismatch += abs(W(t.mass - a[i]));
    t.shares.push_back(a[i] / t.mass);
    W squares(0);
    for (std::size_t k = 0; k < s.size(); ++k) {
      const W offset = common[k] ? W(t.mass * from<W>(exact[i][k] - exact[first][k]))
                                 : W(t.mass * x[i][k] - s[k]);
      squares += square(offset);
    }
    t.others.push_back(squares);
  }
  t.excess = t.mass * W(static_cast<double>(context.others().size())) - outside;
  t.centre = squared_norm(s);
  return t;
}

/// `root`: of a square, in S.
template <class S, class W, class Root>
CentredTerms<S> parts_of(const CentreSquares<W>& t, const Root& root) {
  const S centre = root(t.centre) / from<S>(t.mass);
  const S core = centre * from<S>(t.excess);
  S around(0);
  for (std::size_t i = 0; i < t.others.size(); ++i) {
    around += from<S>(t.shares[i]) * root(t.others[i]);
  }
  return {.core = core,
          .around = around,
          .above = core + around,
          .below = core - around,
          .core_any_set = centre * from<S>(t.mismatch)};
}

/// Whether every root is rational, as in one dimension: then their difference is exact.
inline bool has_rational_roots(const CentreSquares<Rational>& t) {
  const auto is_square = [](const Rational& value) { return exact_root(value).has_value(); };
  return is_square(t.centre) && std::ranges::all_of(t.others, is_square);
}

/// Calls use(a, x) with the weights and the embeddings of the case: in rationals where an enclosure
/// would hide an exact zero, else in S. The double filter never needs rationals.
template <class S, class Use>
auto with_weights(const CaseContext& context, Use use) {
  if constexpr (!std::is_same_v<S, ErrorDouble>) {
    if (const auto a = rational_weights(context)) return use(*a, context.embeddings());
  }
  return use(attention_weights<S>(context), embeddings_of<S>(context));
}

/// Calls use(x) with the embeddings: exact, but for the double filter, which never needs rationals.
template <class S, class Use>
auto with_embeddings(const CaseContext& context, Use use) {
  if constexpr (std::is_same_v<S, ErrorDouble>) {
    return use(embeddings_of<S>(context));
  } else {
    return use(context.embeddings());
  }
}

/// Whether A > 0, exactly: false only where all weights of the set are zero.
inline bool has_mass(const CaseContext& context) {
  const std::vector<bool> has_weight = known_support(context);
  return has_weight.empty() ||
         std::ranges::any_of(context.selected(), [&](std::size_t j) { return has_weight[j]; });
}

/// The parts about the centre for the case's set, and D; A > 0, as for the N largest weights.
template <class S>
CentredTerms<S> centred_terms(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    const auto t = centre_squares(context, a, x);
    auto parts = parts_of<S>(t, [](const W& x) { return sqrt_nonnegative(from<S>(x)); });
    if constexpr (std::is_same_v<W, Rational>) {
      if (has_rational_roots(t)) {
        const auto exact = parts_of<W>(t, [](const W& x) { return *exact_root(x); });
        parts = {.core = from<S>(exact.core),
                 .around = from<S>(exact.around),
                 .above = from<S>(exact.above),
                 .below = from<S>(exact.below),
                 .core_any_set = from<S>(exact.core_any_set)};
      }
    }
    parts.distance = distance_from<S>(context, a, x);
    return parts;
  });
}

/// The terms of Theorem 1 for the case's set.
template <class S>
DistanceTerms<S> distance_terms(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    return distance_terms<S>(context, a, x);
  });
}

}  // namespace attn
