// Theorem 1 for one fixed set, and the two limits that a flat family refutes.
#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

/// What Theorem 1 speaks of, for a set I of N tokens and its complement O.
struct Terms {
  Scores scores;
  std::vector<std::vector<Rational>> x;  ///< embeddings [L][d]
  std::vector<std::size_t> inside, outside;
  Form mass, rest;           ///< A = sum_{i in I} a_i and 1 - A = sum_{i in O} a_i
  std::vector<Form> s;       ///< sum_{j in I} a_j x_j [d]
  std::vector<Arb> s_value;  ///< [d]
  Rational d1_squared, x_squared;

  explicit Terms(const Input& input) : scores(scores_of(input)), x(input.rows("embeddings")) {
    const std::size_t tokens = scores.size();
    require(x.size() == tokens, "embeddings", fmt::format("{} rows, one a token", tokens),
            fmt::format("{}", x.size()));
    require(!input.has("N") || !input.has("set"), "set", "N or set", "both");
    if (input.has("set")) {
      inside = input.indices("set", tokens);
    } else {
      const auto n = static_cast<std::ptrdiff_t>(input.selected(tokens));
      inside.assign(scores.order.begin(), scores.order.begin() + n);
    }
    for (std::size_t i = 0; i < tokens; ++i) {
      if (std::ranges::find(inside, i) == inside.end()) outside.push_back(i);
    }
    sum_up();
    measure();
  }

  /// D = sum_{i in O} ||a_i x_i - s||.
  [[nodiscard]] Arb distance() const {
    Arb sum;
    for (const std::size_t i : outside) {
      std::vector<Arb> offset;
      for (std::size_t k = 0; k < s.size(); ++k) {
        offset.push_back(scores.difference(i, x[i][k], s[k], s_value[k]));
      }
      sum += norm(offset);
    }
    return sum;
  }

  /// A (L - N) - (1 - A).
  [[nodiscard]] Form excess() const {
    Form form;
    const auto count = Rational(outside.size());
    for (const std::size_t j : inside) scores.add(form, j, count);
    for (const std::size_t i : outside) scores.add(form, i, -1);
    return form;
  }

 private:
  void sum_up() {
    s.resize(x.front().size());
    for (const std::size_t j : inside) {
      scores.add(mass, j, 1);
      for (std::size_t k = 0; k < s.size(); ++k) scores.add(s[k], j, x[j][k]);
    }
    for (const std::size_t i : outside) scores.add(rest, i, 1);
    for (const Form& coordinate : s) s_value.push_back(scores.value(coordinate));
  }

  void measure() {
    for (const std::size_t j : inside) {
      x_squared = std::max(x_squared, squared_norm(x[j]));
      for (const std::size_t i : outside) {
        std::vector<Rational> gap;
        for (std::size_t k = 0; k < s.size(); ++k) gap.emplace_back(x[i][k] - x[j][k]);
        d1_squared = std::max(d1_squared, squared_norm(gap));
      }
    }
  }
};

/// Whether (1-A) d1 = -X (A(L-N) - (1-A)) exactly, where all weights are of one kind.
bool cancels(const Terms& t, const Form& excess) {
  if (t.scores.basis.size() > 1 || excess.empty()) return false;
  const Rational& e = excess.begin()->second;
  const Rational rest = t.rest.empty() ? Rational(0) : t.rest.begin()->second;
  return e < 0 && rest * rest * t.d1_squared == e * e * t.x_squared;
}

/// D <= (1-A) d1 + X (A(L-N) - (1-A)), for the top N and for any set.
Sides fixed(const Input& input) {
  const Terms t(input);
  const Form excess = t.excess();
  if (cancels(t, excess)) return {t.distance(), Arb(0)};
  return {t.distance(),
          t.scores.value(t.rest) * sqrt(t.d1_squared) + sqrt(t.x_squared) * t.scores.value(excess)};
}

/// D <= (1-A) d1 + X sum_{i in O} |A - a_i|.
Sides any_set_repaired(const Input& input) {
  const Terms t(input);
  const Arb mass = t.scores.value(t.mass);
  Arb mismatch;
  for (const std::size_t i : t.outside) mismatch += abs(t.scores.difference(i, 1, t.mass, mass));
  return {t.distance(), t.scores.value(t.rest) * sqrt(t.d1_squared) + sqrt(t.x_squared) * mismatch};
}

/// ||c|| (A(L-N) - (1-A)) and sum_{i in O} a_i ||x_i - c||, where c = s/A.
struct Centred {
  Arb core, spread;

  explicit Centred(const Terms& t) {
    const Arb mass = t.scores.value(t.mass);
    core = norm(t.s_value) / mass * t.scores.value(t.excess());
    for (const std::size_t i : t.outside) {
      std::vector<Arb> offset;  // A (x_i - c) = A x_i - s
      for (std::size_t k = 0; k < t.s.size(); ++k) offset.push_back(centred(t, mass, i, k));
      spread += t.scores.a[i] * norm(offset) / mass;
    }
  }

 private:
  /// A x_ik - s_k, exactly zero where it is.
  static Arb centred(const Terms& t, const Arb& mass, std::size_t i, std::size_t k) {
    const Rational& x = t.x[i][k];
    const bool zero = std::ranges::all_of(t.mass, [&](const auto& entry) {
      const auto place = t.s[k].find(entry.first);
      return x * entry.second == (place == t.s[k].end() ? Rational(0) : place->second);
    });
    return zero ? Arb(0) : Arb(x) * mass - t.s_value[k];
  }
};

Sides fixed_sharp_upper(const Input& input) {
  const Terms t(input);
  const Centred c(t);
  return {t.distance(), c.core + c.spread};
}

Sides fixed_sharp_lower(const Input& input) {
  const Terms t(input);
  const Centred c(t);
  return {c.core - c.spread, t.distance()};
}

/// The sharp bounds divide by A, which is zero only for a set of weights that all are.
std::string positive_mass(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  return Terms(input).mass.empty() ? "A > 0" : "";
}

/// L tokens of weight 1/L that all stand at x. Every y_i - s is (1 - N) x / L, so that D = E =
/// (L-N)(N-1) ||x|| / L.
struct FlatFamily {
  Rational length, n, epsilon;
  Arb x;
  Rational distance;  ///< over ||x||

  explicit FlatFamily(const Input& input)
      : length(input.count("L")), epsilon(input.positive("epsilon")) {
    n = Rational(input.selected(input.count("L")));
    const auto rows = input.rows("embeddings");
    require(rows.size() == 1, "embeddings", "one row", fmt::format("{}", rows.size()));
    x = sqrt(squared_norm(rows.front()));
    distance = (length - n) * (n - 1) / length;
  }
};

/// |E - sum_i ||y_i||| <= epsilon ||x||, where sum_i ||y_i|| = ||x||.
Sides long_context(const Input& input) {
  const FlatFamily f(input);
  return {Arb(Rational(::abs(f.distance - 1))) * f.x, Arb(f.epsilon) * f.x};
}

/// D <= epsilon ||x||.
Sides proportional(const Input& input) {
  const FlatFamily f(input);
  return {Arb(f.distance) * f.x, Arb(f.epsilon) * f.x};
}

/// A statement about a limit speaks where L is large: beside N, which is fixed, or by itself.
constexpr long kLong = 1000;

std::string long_beside_n(const Input& input) {
  const FlatFamily f(input);
  return f.epsilon * f.length >= kLong * f.n ? "" : "L >= 1000 N/epsilon";
}

std::string long_by_itself(const Input& input) {
  return FlatFamily(input).length >= kLong ? "" : "L >= 1000";
}

constexpr Check kChecks[] = {
    {"theorem1.fixed", fixed, no_distribution},
    {"theorem1.fixed.any_set", fixed, no_distribution},
    {"theorem1.fixed.any_set.repaired", any_set_repaired, no_distribution},
    {"theorem1.fixed.sharp.upper", fixed_sharp_upper, positive_mass},
    {"theorem1.fixed.sharp.lower", fixed_sharp_lower, positive_mass},
    {"corollary2.long_context", long_context, long_beside_n},
    {"collapse.proportional", proportional, long_by_itself},
};

}  // namespace

std::span<const Check> distance_checks() {
  return kChecks;
}

}  // namespace attn::recheck
