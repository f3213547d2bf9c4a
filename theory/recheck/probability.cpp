// Both probabilities meet in the middle: the law of each half of the radii is built step by step,
// and the two are joined at r alone.
#include "theory/recheck/probability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "theory/base/bad_input.hpp"

namespace attn::recheck {
namespace {

/// The law of a signed sum: value -> number of sign patterns.
using Counts = std::map<Rational, mpz_class>;

Counts signed_sums(const std::vector<Rational>& radii) {
  constexpr std::size_t kMaxSums = 1 << 18;
  Counts counts{{Rational(0), mpz_class(1)}};
  for (const Rational& b : radii) {
    Counts next;
    for (const auto& [sum, ways] : counts) {
      next[sum + b] += ways;
      next[sum - b] += ways;
    }
    if (next.size() > kMaxSums) {
      throw BadInput({.kind = BadInputKind::too_large,
                      .where = "case field 'weights'",
                      .expected = fmt::format("an expectation that at most {} sums make", kMaxSums),
                      .found = "one that needs more",
                      .advice = "lower N or let weights be equal"});
    }
    counts = std::move(next);
  }
  return counts;
}

/// A polynomial, lowest power first.
using Polynomial = std::vector<Rational>;

Rational at(const Polynomial& p, const Rational& t) {
  Rational value = 0;
  for (auto c = p.rbegin(); c != p.rend(); ++c) value = value * t + *c;
  return value;
}

/// p(t + shift).
Polynomial shifted(Polynomial p, const Rational& shift) {
  for (std::size_t from = 0; from + 1 < p.size(); ++from) {
    for (std::size_t k = p.size() - 1; k > from; --k) p[k - 1] += shift * p[k];
  }
  return p;
}

/// The antiderivative that is zero at 0.
Polynomial integrated(const Polynomial& p) {
  Polynomial integral{Rational(0)};
  for (std::size_t k = 0; k < p.size(); ++k) integral.emplace_back(p[k] / (k + 1));
  return integral;
}

Polynomial product(const Polynomial& p, const Polynomial& q) {
  Polynomial result(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) result[i + j] += p[i] * q[j];
  }
  return result;
}

/// A function that is a polynomial between neighbouring knots, zero below the first and constant
/// above the last.
struct Piecewise {
  std::vector<Rational> knots;     ///< increasing
  std::vector<Polynomial> pieces;  ///< pieces[k] on [knots[k], knots[k + 1]]
  Rational above;                  ///< the value beyond the last knot

  /// The polynomial that holds around t, which is no knot.
  [[nodiscard]] Polynomial around(const Rational& t) const {
    if (t < knots.front()) return {Rational(0)};
    if (t > knots.back()) return {above};
    const auto next = std::ranges::upper_bound(knots, t);
    return pieces[static_cast<std::size_t>(next - knots.begin()) - 1];
  }
};

Piecewise antiderivative(const Piecewise& f) {
  Piecewise result{f.knots, {}, 0};
  for (std::size_t k = 0; k < f.pieces.size(); ++k) {
    Polynomial integral = integrated(f.pieces[k]);
    integral[0] = result.above - at(integral, f.knots[k]);
    result.above = at(integral, f.knots[k + 1]);
    result.pieces.push_back(std::move(integral));
  }
  return result;
}

/// Sorted, without repeats.
std::vector<Rational> distinct(std::vector<Rational> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The density of t + b u, where t has density f and u is uniform on [-1, 1]:
/// (F(t + b) - F(t - b)) / (2 b).
Piecewise smeared(const Piecewise& f, const Rational& b) {
  const Piecewise big_f = antiderivative(f);
  Piecewise result{{}, {}, 0};
  for (const Rational& knot : f.knots) {
    result.knots.emplace_back(knot - b);
    result.knots.emplace_back(knot + b);
  }
  result.knots = distinct(std::move(result.knots));
  for (std::size_t k = 0; k + 1 < result.knots.size(); ++k) {
    const Rational middle = (result.knots[k] + result.knots[k + 1]) / 2;
    Polynomial piece = shifted(big_f.around(middle + b), b);
    const Polynomial minus = shifted(big_f.around(middle - b), -b);
    piece.resize(std::max(piece.size(), minus.size()));
    for (std::size_t i = 0; i < minus.size(); ++i) piece[i] -= minus[i];
    for (Rational& c : piece) c /= 2 * b;
    result.pieces.push_back(std::move(piece));
  }
  return result;
}

/// The density of one coordinate of sum_j b_j u_j, u_j uniform on the sphere of R^3: each b_j u_j
/// has one that is uniform on [-b_j, b_j].
Piecewise coordinate_density(const std::vector<Rational>& radii) {
  const Rational& b = radii.front();
  Piecewise f{{-b, b}, {{Rational(1 / (2 * b))}}, 0};
  for (std::size_t j = 1; j < radii.size(); ++j) f = smeared(f, radii[j]);
  return f;
}

/// The integral of f(t) g(t - shift) over the support of f.
Rational correlation(const Piecewise& f, const Piecewise& g, const Rational& shift) {
  std::vector<Rational> knots = f.knots;
  for (const Rational& knot : g.knots) {
    const Rational moved = knot + shift;
    if (f.knots.front() < moved && moved < f.knots.back()) knots.push_back(moved);
  }
  knots = distinct(std::move(knots));
  Rational sum = 0;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    const Rational middle = (knots[k] + knots[k + 1]) / 2;
    const Polynomial integral =
        integrated(product(f.around(middle), shifted(g.around(middle - shift), -shift)));
    sum += at(integral, knots[k + 1]) - at(integral, knots[k]);
  }
  return sum;
}

/// Drops zeros, sorts, and splits in two: equal radii stay together, which keeps the laws small.
std::pair<std::vector<Rational>, std::vector<Rational>> halves(std::vector<Rational> radii) {
  std::erase(radii, Rational(0));
  std::ranges::sort(radii);
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  return {{radii.begin(), middle}, {middle, radii.end()}};
}

/// P(no +-c is within r of s).
Rational all_keep_away(const std::vector<Rational>& outside, const Rational& s, const Rational& r) {
  const auto is_away = [&](const Rational& y) { return ::abs(Rational(y - s)) > r; };
  Rational probability = 1;
  for (const Rational& c : outside) {
    const int away = (is_away(c) ? 1 : 0) + (is_away(-c) ? 1 : 0);
    if (away == 0) return 0;
    if (away == 1) probability /= 2;
  }
  return probability;
}

}  // namespace

Rational mean_over_radii(const std::vector<Rational>& radii, const OfRadius& of_radius) {
  std::map<Rational, Rational> known;
  Rational sum = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto [place, is_new] = known.emplace(radii[i], 0);
    if (is_new) {
      std::vector<Rational> others = radii;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      place->second = of_radius(radii[i], others);
    }
    sum += place->second;
  }
  return sum / Rational(radii.size());
}

Rational probability_on_line(std::vector<Rational> radii, const Rational& r) {
  const auto [first, second] = halves(std::move(radii));
  const Counts left = signed_sums(first);
  std::vector<std::pair<Rational, mpz_class>> up_to{};  // sums of the second half, ways up to each
  mpz_class ways = 0;
  for (const auto& [sum, count] : signed_sums(second)) {
    ways += count;
    up_to.emplace_back(sum, ways);
  }
  const auto ways_before = [&](auto place) {
    return place == up_to.begin() ? mpz_class(0) : std::prev(place)->second;
  };
  mpz_class inside = 0;
  for (const auto& [sum, count] : left) {
    const auto end = std::ranges::upper_bound(up_to, Rational(r - sum), {},
                                              &std::pair<Rational, mpz_class>::first);
    const auto begin = std::ranges::lower_bound(up_to, Rational(-r - sum), {},
                                                &std::pair<Rational, mpz_class>::first);
    inside += count * (ways_before(end) - ways_before(begin));
  }
  Rational probability(inside, mpz_class(1) << (first.size() + second.size()));
  probability.canonicalize();
  return probability;
}

Rational exclusive_share_on_line(const std::vector<Rational>& radii,
                                 const std::vector<Rational>& outside, const Rational& r) {
  const auto ways_of = [&](const Rational& b, const std::vector<Rational>& others) {
    Rational sum = 0;
    for (const auto& [offset, ways] : signed_sums(others)) {
      if (::abs(offset) > r) continue;
      sum += ways * (all_keep_away(outside, offset + b, r) + all_keep_away(outside, offset - b, r));
    }
    return sum;
  };
  return mean_over_radii(radii, ways_of) / Rational(mpz_class(1) << radii.size());
}

Rational probability_in_space(std::vector<Rational> radii, const Rational& r) {
  constexpr std::size_t kMaxRadii = 30;
  const auto [first, second] = halves(std::move(radii));
  if (first.size() + second.size() > kMaxRadii) {
    throw BadInput(
        {.kind = BadInputKind::too_large,
         .where = "case field 'N'",
         .expected = fmt::format(
             "at most {} other tokens of positive weight for the exact expectation in d = 3",
             kMaxRadii),
         .found = fmt::format("{}", first.size() + second.size())});
  }
  if (second.empty()) return 1;
  if (first.empty()) return second.front() <= r ? 1 : 0;
  // The sum's coordinate has density f(t) = int left(s) right(t - s) ds, which is even, and
  // P = 2 int_0^r f - 2 r f(r).
  const Piecewise left = coordinate_density(first);
  const Piecewise right = coordinate_density(second);
  const Rational beyond = correlation(left, antiderivative(right), r);  // P(coordinate > r)
  return 1 - 2 * beyond - 2 * r * correlation(left, right, r);
}

}  // namespace attn::recheck
