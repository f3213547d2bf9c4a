#include "theory/recheck/fixed_set.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attn::recheck {

std::vector<std::size_t> chosen_tokens(const Input& input, const Scores& scores) {
  require(!input.has("N") || !input.has("set"), BadInputKind::inconsistent, "set", "N or set",
          "both");
  if (input.has("set")) return input.indices("set", scores.size());
  const auto n = static_cast<std::ptrdiff_t>(input.selected(scores.size()));
  return {scores.order.begin(), scores.order.begin() + n};
}

FixedSet::FixedSet(const Input& input) : scores(weights_of(input)), x(input.rows("embeddings")) {
  const std::size_t tokens = scores.size();
  require(x.size() == tokens, BadInputKind::inconsistent, "embeddings",
          fmt::format("{} rows, one a token", tokens), fmt::format("{}", x.size()));
  inside = chosen_tokens(input, scores);
  for (std::size_t i = 0; i < tokens; ++i) {
    if (std::ranges::find(inside, i) == inside.end()) outside.push_back(i);
  }
  sum_up();
  measure();
}

Arb FixedSet::distance() const {
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

Form FixedSet::excess() const {
  Form form;
  const auto count = Rational(outside.size());
  for (const std::size_t j : inside) scores.add(form, j, count);
  for (const std::size_t i : outside) scores.add(form, i, -1);
  return form;
}

void FixedSet::sum_up() {
  s.resize(x.front().size());
  for (const std::size_t j : inside) {
    scores.add(mass, j, 1);
    for (std::size_t k = 0; k < s.size(); ++k) scores.add(s[k], j, x[j][k]);
  }
  for (const std::size_t i : outside) scores.add(rest, i, 1);
  for (const Form& coordinate : s) s_value.push_back(scores.value(coordinate));
}

void FixedSet::measure() {
  for (const std::size_t j : inside) {
    x_squared = std::max(x_squared, squared_norm(x[j]));
    for (const std::size_t i : outside) {
      std::vector<Rational> gap;
      for (std::size_t k = 0; k < s.size(); ++k) gap.emplace_back(x[i][k] - x[j][k]);
      d1_squared = std::max(d1_squared, squared_norm(gap));
    }
  }
}

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

}  // namespace

Sides theorem1_sides(const Input& input) {
  const FixedSet t(input);
  const Form excess = t.excess();
  if (cancels(t, excess)) return {t.distance(), Arb(0)};
  return {t.distance(),
          t.scores.value(t.rest) * sqrt(t.d1_squared) + sqrt(t.x_squared) * t.scores.value(excess)};
}

Centred::Centred(const FixedSet& t) {
  const Arb mass = t.scores.value(t.mass);
  const Arb length = norm(t.s_value);
  core = length / mass * t.scores.value(t.excess());
  for (const std::size_t i : t.outside) {
    std::vector<Arb> beyond;  // A (x_i - c) = A x_i - s
    std::vector<Arb> offset;  // a_i x_i - s
    for (std::size_t k = 0; k < t.s.size(); ++k) {
      beyond.push_back(centred(t, mass, i, k));
      offset.push_back(t.scores.difference(i, t.x[i][k], t.s[k], t.s_value[k]));
    }
    const Arb share = t.scores.a[i] * norm(beyond) / mass;
    spread += share;
    // On the ray from c away from 0, (A - a_i) ||c|| - a_i ||x_i - c|| = ||s|| - a_i ||x_i||.
    const bool on_ray = is_along(t, i) && dot(beyond, t.s_value) > Arb(0);
    below += on_ray ? -dot(offset, t.s_value) / length
                    : -t.scores.difference(i, 1, t.mass, mass) * length / mass - share;
  }
}

std::string positive_mass(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  return FixedSet(input).mass.empty() ? "A > 0" : "";
}

}  // namespace attn::recheck
