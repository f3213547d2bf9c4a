#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

/// Whether (1-A) d1 = -X (A(L-N) - (1-A)) exactly, where all weights are of one kind.
bool cancels(const FixedSet& t, const Form& excess) {
  if (t.scores.basis.size() > 1 || excess.empty()) return false;
  const Rational& e = excess.begin()->second;
  const Rational rest = t.rest.empty() ? Rational(0) : t.rest.begin()->second;
  return e < 0 && rest * rest * t.d1_squared == e * e * t.x_squared;
}

/// A x_ik - s_k, exactly zero where it is.
Arb centred(const FixedSet& t, const Arb& mass, std::size_t i, std::size_t k) {
  const Rational& x = t.x[i][k];
  const bool zero = std::ranges::all_of(t.mass, [&](const auto& entry) {
    const auto place = t.s[k].find(entry.first);
    return x * entry.second == (place == t.s[k].end() ? Rational(0) : place->second);
  });
  return zero ? Arb(0) : Arb(x) * mass - t.s_value[k];
}

/// Whether x_i is a multiple of s, beyond doubt: x_ik s_l = x_il s_k for an l with s_l != 0.
bool is_along(const FixedSet& t, std::size_t i) {
  const auto not_zero =
      std::ranges::find_if(t.s_value, [](const Arb& s) { return abs(s) > Arb(0); });
  if (not_zero == t.s_value.end()) return false;
  const auto l = static_cast<std::size_t>(not_zero - t.s_value.begin());
  const std::vector<Rational>& x = t.x[i];
  for (std::size_t k = 0; k < x.size(); ++k) {
    Form across;
    for (const auto& [kind, coefficient] : t.s[l]) across[kind] += x[k] * coefficient;
    for (const auto& [kind, coefficient] : t.s[k]) across[kind] -= x[l] * coefficient;
    const auto is_nothing = [](const auto& entry) { return entry.second == 0; };
    if (!std::ranges::all_of(across, is_nothing)) return false;
  }
  return true;
}

/// D <= (1-A) d1 + X (A(L-N) - (1-A)), for the top N and for any set.
Sides theorem1_sides(const FixedSet& t) {
  const Form excess = t.excess();
  if (cancels(t, excess)) return {t.distance(), Arb(0)};
  return {t.distance(),
          t.scores.value(t.rest) * sqrt(t.d1_squared) + sqrt(t.x_squared) * t.scores.value(excess)};
}

/// ||c|| (A(L-N) - (1-A)) and sum_{i in O} a_i ||x_i - c||, where c = s/A.
struct Centred {
  Arb core, spread;
  Arb below;  ///< core - spread, zero where it is known to be

  explicit Centred(const FixedSet& t) {
    const Arb mass = t.scores.value(t.mass);
    const Arb length = norm(t.s_value);
    core = length / mass * t.scores.value(t.excess());
    for (const std::size_t i : t.outside) {
      std::vector<Arb> beyond;  // A (x_i - c) = A x_i - s
      for (std::size_t k = 0; k < t.s.size(); ++k) beyond.push_back(centred(t, mass, i, k));
      const Arb share = t.scores.a[i] * norm(beyond) / mass;
      spread += share;
      // On the ray from c away from 0, (A - a_i) ||c|| - a_i ||x_i - c|| = ||s|| - a_i ||x_i||.
      const bool on_ray = is_along(t, i) && dot(beyond, t.s_value) > Arb(0);
      below += on_ray ? -dot(t.offset(i), t.s_value) / length
                      : -t.scores.difference(i, 1, t.mass, mass) * length / mass - share;
    }
  }
};

/// sum_{i in O} |A - a_i|.
Arb mismatch(const FixedSet& t) {
  const Arb mass = t.scores.value(t.mass);
  Arb sum;
  for (const std::size_t i : t.outside) sum += abs(t.scores.difference(i, 1, t.mass, mass));
  return sum;
}

Sides theorem1_fixed_sharp_upper(const FixedSet& t) {
  const Centred c(t);
  return {t.distance(), c.core + c.spread};
}

Sides theorem1_fixed_sharp_lower(const FixedSet& t) {
  return {Centred(t).below, t.distance()};
}

/// D <= (1-A) d1 + X sum_{i in O} |A - a_i|.
Sides theorem1_fixed_any_set_repaired(const FixedSet& t) {
  return {t.distance(),
          t.scores.value(t.rest) * sqrt(t.d1_squared) + sqrt(t.x_squared) * mismatch(t)};
}

/// D <= (||s||/A) sum_{i in O} |A - a_i| + sum_{i in O} a_i ||x_i - s/A||.
Sides theorem1_fixed_any_set_sharp(const FixedSet& t) {
  const Arb radius = norm(t.s_value) / t.scores.value(t.mass);
  return {t.distance(), radius * mismatch(t) + Centred(t).spread};
}

/// Tokens of y_i = 0 stand at ||s|| from s exactly, and are left out on both sides.
Sides distance_linear(const FixedSet& t) {
  const Arb slope = norm(t.s_value);
  Arb off_line;
  Arb contributions;
  for (const std::size_t i : t.outside) {
    const Arb length = t.length(i);
    if (is_zero(length)) continue;
    off_line += norm(t.offset(i)) - slope;
    contributions += length;
  }
  return {abs(off_line), contributions};
}

/// distance.net. Where one token is outside, both sides are its distance.
Sides distance_net(const FixedSet& t) {
  if (t.outside.size() == 1) return {t.distance(), t.distance()};
  std::vector<Arb> net(t.s.size());
  for (const std::size_t i : t.outside) {
    const std::vector<Arb> offset = t.offset(i);
    for (std::size_t k = 0; k < net.size(); ++k) net[k] += offset[k];
  }
  return {norm(net), t.distance()};
}

/// p sum ||m_i|| <= E.
Sides theorem1_random_lower(const RandomSet& t) {
  Arb sum;
  for (const Arb& length : t.mean_lengths()) sum += length;
  return {t.share() * sum, t.expected_distance()};
}

/// E <= p sum of what `bound` makes of ||m_i|| and V_i.
template <class Bound>
Sides below_sum(const RandomSet& t, Bound bound) {
  const std::vector<Arb> m = t.mean_lengths();
  const std::vector<Arb> v = t.variances();
  Arb sum;
  for (std::size_t i = 0; i < t.size(); ++i) sum += bound(m[i], v[i]);
  return {t.expected_distance(), t.share() * sum};
}

/// E <= p sum (||m_i|| + sqrt V_i).
Sides theorem1_random_upper(const RandomSet& t) {
  return below_sum(t, [](const Arb& m, const Arb& v) { return m + sqrt(v); });
}

/// E <= p sum sqrt(||m_i||^2 + V_i).
Sides theorem1_random_sharp(const RandomSet& t) {
  return below_sum(t, [](const Arb& m, const Arb& v) { return sqrt(square(m) + v); });
}

/// A statement about a limit speaks where L is large: beside N, which is fixed, or by itself.
constexpr long kLong = 1000;

/// L tokens that all stand at x. Where each has the weight 1/L, every y_i - s is (1 - N) x / L, so
/// that D = E = (L-N)(N-1) ||x|| / L.
struct FlatFamily {
  Rational length, n, epsilon;
  Arb x;
  Rational distance;  ///< D of equal weights, over ||x||

  explicit FlatFamily(const Input& input)
      : length(input.count("L")), epsilon(input.positive("epsilon")) {
    n = Rational(input.selected(input.count("L")));
    const auto rows = input.rows("embeddings");
    require(rows.size() == 1, BadInputKind::inconsistent, "embeddings", "one row",
            fmt::format("{}", rows.size()));
    const Rational squared = squared_norm(rows.front());
    require(squared > 0, BadInputKind::out_of_range, "embeddings", "a vector other than zero",
            "zero");
    x = sqrt(squared);
    distance = (length - n) * (n - 1) / length;
  }

  /// p sum ||m_i||/||x|| where the y_i are x/L and -x/L, half of them each: those of the others add
  /// up to -y_i, so that m_i = y_i + (N/(L-1)) y_i.
  [[nodiscard]] Rational main_sum_of_halves() const {
    return (length - n) / length * (1 + n / (length - 1));
  }
};

std::string not_much_longer(const FlatFamily& f) {
  return f.length >= kLong * f.n ? "" : "L >= 1000 N";
}

/// E/||x|| where one token has all the weight. It is selected with probability N/L: then the other
/// L - N are ||x|| away, else it alone is.
Rational expected_of_one(const FlatFamily& f) {
  const Rational chance = f.n / f.length;
  return chance * (f.length - f.n) + (1 - chance);
}

/// epsilon L ||x|| <= E.
Sides theorem1_random_linear(const FlatFamily& f) {
  return {Arb(f.epsilon * f.length) * f.x, Arb(expected_of_one(f)) * f.x};
}

std::string not_halved(const FlatFamily& f) {
  if (f.length.get_num() % 2 != 0) return "L even";
  return f.length >= kLong ? "" : "L >= 1000";
}

/// L E/||x|| where y_i is x/L of half of the tokens and -x/L of the others, by how many of `few`
/// tokens are of the first half: the selected, or those that are not, whichever are fewer. The
/// signs selected add up to s; a token outside is |1 - s| or |1 + s| away.
template <class Number>
Number expected_of_halves(long half, long few, bool selected) {
  Number chance = 1;  // C(h, k) C(h, n - k)/C(2h, n), from k = 0
  for (long t = 0; t < few; ++t) chance *= Number(half - t) / Number(2 * half - t);
  Number sum = 0;
  for (long k = std::max(0L, few - half); k <= std::min(few, half); ++k) {
    const long s = selected ? 2 * k - few : few - 2 * k;
    const long first = selected ? half - k : k;
    const long second = selected ? half - few + k : few - k;
    sum += chance * Number(first * std::abs(1 - s) + second * std::abs(1 + s));
    chance *= Number((few - k) * (half - k));
    chance /= Number((k + 1) * (half - few + k + 1));
  }
  return sum;
}

/// E - M <= epsilon ||x||. Few terms are added up exactly.
Sides theorem1_random_gap(const FlatFamily& f) {
  constexpr long kMostExact = 200;
  const long length = f.length.get_num().get_si();
  const long n = f.n.get_num().get_si();
  const long few = std::min(n, length - n);
  const Rational main = f.main_sum_of_halves();
  const Arb gap =
      few <= kMostExact
          ? Arb(expected_of_halves<Rational>(length / 2, few, few == n) / f.length - main)
          : expected_of_halves<Arb>(length / 2, few, few == n) / Arb(f.length) - Arb(main);
  return {gap * f.x, Arb(f.epsilon) * f.x};
}

/// E <= (L - N) max ||x_i||.
Sides corollary2_full_set(const RandomSet& t) {
  return {t.expected_distance(), Arb(t.size() - t.n) * longest(t.x)};
}

/// E <= (N + 1) p sum ||y_i||.
Sides corollary2_full_set_sharp(const RandomSet& t) {
  return {t.expected_distance(), Arb(t.n + 1) * t.share() * t.sum_of_lengths()};
}

std::string long_beside_n(const FlatFamily& f) {
  return f.epsilon * f.length >= kLong * f.n ? "" : "L >= 1000 N/epsilon";
}

/// |E - sum_i ||y_i||| <= epsilon ||x||, where sum_i ||y_i|| = ||x||.
Sides corollary2_long_context(const FlatFamily& f) {
  return {Arb(::abs(expected_of_one(f) - 1)) * f.x, Arb(f.epsilon) * f.x};
}

/// |E - p sum ||y_i||| <= p N sum ||y_i||.
Sides corollary2_long_context_repaired(const RandomSet& t) {
  const Arb weighted = t.share() * t.sum_of_lengths();
  return {abs(t.expected_distance() - weighted), Arb(t.n) * weighted};
}

std::string long_by_itself(const FlatFamily& f) {
  return f.length >= kLong ? "" : "L >= 1000";
}

/// D <= epsilon ||x||.
Sides collapse_proportional(const FlatFamily& f) {
  return {Arb(f.distance) * f.x, Arb(f.epsilon) * f.x};
}

}  // namespace

Checks theorem1_checks() {
  return {
      {"theorem1.fixed", of<theorem1_sides>, no_distribution},
      {"theorem1.fixed.sharp.upper", of<theorem1_fixed_sharp_upper>, some_mass},
      {"theorem1.fixed.sharp.lower", of<theorem1_fixed_sharp_lower>, some_mass},
      {"theorem1.fixed.any_set", of<theorem1_sides>, no_distribution},
      {"theorem1.fixed.any_set.repaired", of<theorem1_fixed_any_set_repaired>, no_distribution},
      {"theorem1.fixed.any_set.sharp", of<theorem1_fixed_any_set_sharp>, some_mass},
      {"distance.linear", of<distance_linear>, lacks_weights},
      {"distance.net", of<distance_net>, lacks_weights},
      {"theorem1.random.lower", of<theorem1_random_lower>, lacks_weights},
      {"theorem1.random.upper", of<theorem1_random_upper>, lacks_weights},
      {"theorem1.random.sharp", of<theorem1_random_sharp>, lacks_weights},
      {"theorem1.random.linear", of<theorem1_random_linear>, of<not_much_longer>},
      {"theorem1.random.gap", of<theorem1_random_gap>, of<not_halved>},
      {"corollary2.full_set", of<corollary2_full_set>, sum_beyond_one},
      {"corollary2.full_set.sharp", of<corollary2_full_set_sharp>, lacks_weights},
      {"corollary2.long_context", of<corollary2_long_context>, of<long_beside_n>},
      {"corollary2.long_context.repaired", of<corollary2_long_context_repaired>, lacks_weights},
      {"collapse.proportional", of<collapse_proportional>, of<long_by_itself>},
  };
}

}  // namespace attn::recheck
