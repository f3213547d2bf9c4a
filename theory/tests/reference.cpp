#include "theory/tests/reference.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "theory/tests/support.hpp"

namespace attn::test {
namespace {

using R = Real<50>;
using Row = std::vector<R>;
using Rows = std::vector<Row>;

R real(const Rational& value) {
  return R(numerator(value).str()) / R(denominator(value).str());
}

// ---- weights, gradients, norms ----

R f_of(Normalizer normalizer, const R& z) {
  switch (normalizer) {
    case Normalizer::softmax:
      return exp(z);
    case Normalizer::sigmoid:
      return 1 / (1 + exp(-z));
    case Normalizer::softplus:
      return log(1 + exp(z));
    case Normalizer::taylor:
      return 1 + z + z * z / 2;
  }
  throw std::logic_error("no such normalizer");
}

Row logits_of(const Case& input) {
  Row logits;
  for (const Rational& logit : input.logits) logits.push_back(real(logit));
  return logits;
}

Row values_at(const Case& input, const Row& logits) {
  Row f;
  for (const R& logit : logits)
    f.push_back(f_of(input.normalizer, logit / real(input.temperature)));
  return f;
}

Row weights_at(const Case& input, const Row& logits) {
  Row f = values_at(input, logits);
  R sum = 0;
  for (const R& value : f) sum += value;
  for (R& value : f) value /= sum;
  return f;
}

Row weights_of_case(const Case& input) {
  if (!input.logits.empty()) return weights_at(input, logits_of(input));
  Row weights;
  for (const Rational& weight : input.weights) weights.push_back(real(weight));
  return weights;
}

/// d(function)/d(logit j) by a central difference, for every j: [j][i].
Rows derivative(const Case& input, Row (*function)(const Case&, const Row&)) {
  const R h("1e-17");
  Rows columns;
  for (std::size_t j = 0; j < input.logits.size(); ++j) {
    Row up = logits_of(input);
    Row down = up;
    up[j] += h;
    down[j] -= h;
    Row column = function(input, up);
    const Row below = function(input, down);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = (column[i] - below[i]) / (2 * h);
    columns.push_back(std::move(column));
  }
  return columns;
}

R dot(const Row& u, const Row& v) {
  R sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) sum += u[k] * v[k];
  return sum;
}

R length(const Row& u) {
  return sqrt(dot(u, u));
}

/// The largest eigenvalue of a symmetric matrix by cyclic Jacobi rotations.
R largest_eigenvalue(Rows m) {
  const std::size_t n = m.size();
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (m[p][q] == 0) continue;
        const R theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const R t = (theta >= 0 ? 1 : -1) / (abs(theta) + sqrt(theta * theta + 1));
        const R c = 1 / sqrt(t * t + 1);
        const R s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const R a = m[k][p];
          const R b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const R a = m[p][k];
          const R b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
      }
    }
  }
  R largest = m[0][0];
  for (std::size_t p = 1; p < n; ++p) largest = std::max(largest, m[p][p]);
  return largest;
}

/// The spectral norm of a matrix given by its columns.
R spectral_norm_of(const Rows& columns) {
  Rows gram;
  for (const Row& u : columns) {
    Row row;
    for (const Row& v : columns) row.push_back(dot(u, v));
    gram.push_back(std::move(row));
  }
  return sqrt(largest_eigenvalue(gram));
}

// ---- Theorem 1 ----

/// The N largest weights, ties to the lower index, as a mask.
std::vector<bool> top_mask(const Row& a, std::size_t n) {
  const R tie("1e-40");
  std::vector<bool> mask(a.size());
  for (std::size_t round = 0; round < n; ++round) {
    std::size_t best = a.size();
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!mask[i] && (best == a.size() || a[i] > a[best] + tie)) best = i;
    }
    mask[best] = true;
  }
  return mask;
}

std::vector<bool> mask_of(const Case& input, const Row& a) {
  if (input.top_n) return top_mask(a, *input.top_n);
  std::vector<bool> mask(a.size());
  for (const std::size_t i : input.set) mask[i] = true;
  return mask;
}

Reference theorem1(const Case& input, bool repaired) {
  const Row a = weights_of_case(input);
  const std::vector<bool> chosen = mask_of(input, a);
  Rows x;
  for (const auto& row : input.embeddings) {
    x.emplace_back();
    for (const Rational& value : row) x.back().push_back(real(value));
  }
  R mass = 0;
  Row s(x[0].size(), R(0));
  R count_outside = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!chosen[i]) {
      count_outside += 1;
      continue;
    }
    mass += a[i];
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += a[i] * x[i][k];
  }
  R distance = 0;
  R gaps = 0;
  R d1 = 0;
  R longest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (chosen[i]) {
      longest = std::max(longest, length(x[i]));
      continue;
    }
    Row offset = s;
    for (std::size_t k = 0; k < s.size(); ++k) offset[k] -= a[i] * x[i][k];
    distance += length(offset);
    gaps += abs(mass - a[i]);
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (!chosen[j]) continue;
      Row between = x[i];
      for (std::size_t k = 0; k < s.size(); ++k) between[k] -= x[j][k];
      d1 = std::max(d1, length(between));
    }
  }
  const R tail = repaired ? gaps : R(mass * count_outside - (1 - mass));
  return {distance, (1 - mass) * d1 + longest * tail};
}

// ---- Theorem 2 ----

struct Sphere {
  R radius, r, delta;
  std::vector<Rational> exact;  // the selected weights
  Row a;

  explicit Sphere(const Case& input)
      : radius(real(*input.sphere_radius)), r(real(*input.r)), delta(real(*input.delta)) {
    const Row all = weights_of_case(input);
    const std::vector<bool> chosen = mask_of(input, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!chosen[i]) continue;
      exact.push_back(input.weights[i]);
      a.push_back(all[i]);
    }
  }

  [[nodiscard]] R xi(std::size_t i) const {
    R sum = 0;
    R cross = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (j == i) continue;
      sum += a[j];
      for (std::size_t k = 0; k < a.size(); ++k) {
        if (k != i && k != j) cross += a[j] * a[k];
      }
    }
    return sqrt(R(radius * radius * sum * sum - delta * delta / 2 * cross));
  }

  /// sum over j != i of (R a_j)^power.
  [[nodiscard]] R moment(std::size_t i, int power) const {
    R sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (j != i) sum += pow(R(radius * a[j]), power);
    }
    return sum;
  }

  [[nodiscard]] R mean(const std::function<R(std::size_t)>& term) const {
    R sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += term(i);
    return sum / a.size();
  }
};

/// E[N_s]/N; with delta > 0 the middle of [p - q, p/(1 - q)], cut to [0, 1].
R share(const Case& input, const Sphere& sphere) {
  Rational p = 0;
  for (std::size_t i = 0; i < sphere.exact.size(); ++i) {
    std::vector<Rational> radii;
    for (std::size_t j = 0; j < sphere.exact.size(); ++j) {
      if (j != i) radii.emplace_back(*input.sphere_radius * sphere.exact[j]);
    }
    p += plain_probability(radii, *input.r, *input.dimension);
  }
  p /= sphere.exact.size();
  if (p == 0 || p == 1) return real(p);  // certain, whatever it is conditioned on
  const Rational ratio = *input.delta / (2 * *input.sphere_radius);
  Rational q = 0;
  for (std::size_t pair = 0; pair < input.tokens() * (input.tokens() - 1) / 2; ++pair) {
    q += ratio * ratio;
  }
  const Rational low = std::max(Rational(p - q), Rational(0));
  const Rational high = std::min(Rational(p / (1 - q)), Rational(1));
  return real((low + high) / 2);
}

Reference theorem2_lower(const Case& input) {
  const Sphere sphere(input);
  const R mean = sphere.mean([&](std::size_t i) { return sphere.xi(i); });
  return {1 - mean / sphere.r, share(input, sphere)};
}

Reference theorem2_upper(const Case& input) {
  const Sphere sphere(input);
  R least = sphere.xi(0);
  for (std::size_t i = 1; i < sphere.a.size(); ++i) least = std::min(least, sphere.xi(i));
  const R mean = sphere.mean([&](std::size_t i) {
    const R gap = sphere.xi(i) - sphere.r;
    return R(exp(-gap * gap / (2 * sphere.radius * sphere.radius)));
  });
  return {share(input, sphere), mean, sphere.r <= least};
}

Reference theorem2_lower_sharp(const Case& input) {
  const Sphere sphere(input);
  const R mean = sphere.mean([&](std::size_t i) { return sphere.moment(i, 2); });
  return {1 - mean / (sphere.r * sphere.r), share(input, sphere), sphere.delta == 0};
}

Reference theorem2_upper_repaired(const Case& input) {
  const Sphere sphere(input);
  const R mean = sphere.mean([&](std::size_t i) -> R {
    const R s2 = sphere.moment(i, 2);
    const R s4 = sphere.moment(i, 4);
    if (s2 == 0) return 1;
    const R mu = s2 * sqrt(s2) / sqrt(R(s2 * s2 + 2 * (s2 * s2 - s4) / *input.dimension));
    if (mu <= sphere.r) return 1;
    return exp(-(mu - sphere.r) * (mu - sphere.r) / (2 * s2));
  });
  return {share(input, sphere), mean, sphere.delta == 0};
}

// ---- Lemma 2 and Corollary 3 ----

R jacobian_norm(const Case& input) {
  return spectral_norm_of(derivative(input, &weights_at));
}

/// F'(l_j), j = 1..L, by differences of F itself.
Row slopes(const Case& input) {
  const Rows columns = derivative(input, &values_at);
  Row diagonal;
  for (std::size_t j = 0; j < columns.size(); ++j) diagonal.push_back(columns[j][j]);
  return diagonal;
}

Reference lemma2(const Case& input) {
  const Row f = values_at(input, logits_of(input));
  R steepest = 0;
  for (const R& slope : slopes(input)) steepest = std::max(steepest, R(abs(slope)));
  const R least = *std::min_element(f.begin(), f.end());
  const R most = *std::max_element(f.begin(), f.end());
  const R count = f.size();
  return {jacobian_norm(input), steepest * (1 / (count * least) + most / (count * least * least))};
}

Reference lemma2_sharp(const Case& input) {
  const Row f = values_at(input, logits_of(input));
  const Row slope = slopes(input);
  R steepest = 0;
  for (std::size_t j = 0; j < f.size(); ++j) {
    steepest = std::max(steepest, R(abs(slope[j] / f[j])));
  }
  return {jacobian_norm(input), steepest / 2};
}

Reference corollary3(const Case& input) {
  return {jacobian_norm(input), std::min(R(1 / (4 * real(input.temperature))), R(sqrt(R(2))))};
}

Reference corollary3_entrywise(const Case& input) {
  R largest = 0;
  for (const Row& column : derivative(input, &weights_at)) {
    for (const R& entry : column) largest = std::max(largest, R(abs(entry)));
  }
  return {largest, 1 / (4 * real(input.temperature))};
}

Reference corollary3_sharp(const Case& input) {
  return {jacobian_norm(input), 1 / (2 * real(input.temperature))};
}

Reference corollary3_local_lower(const Case& input) {
  Row a = weights_of_case(input);
  std::sort(a.begin(), a.end(), std::greater<>());
  return {a[1] / real(input.temperature), jacobian_norm(input)};
}

Reference corollary3_local_upper(const Case& input) {
  const Row a = weights_of_case(input);
  R gershgorin = 0;
  for (const R& weight : a) gershgorin = std::max(gershgorin, R(2 * weight * (1 - weight)));
  const R least = std::min(*std::max_element(a.begin(), a.end()), gershgorin);
  return {jacobian_norm(input), least / real(input.temperature)};
}

}  // namespace

Reference reference_sides(std::string_view id, const Case& input) {
  static const std::map<std::string_view, std::function<Reference(const Case&)>> known = {
      {"theorem1.fixed", [](const Case& c) { return theorem1(c, false); }},
      {"theorem1.fixed.any_set", [](const Case& c) { return theorem1(c, false); }},
      {"theorem1.fixed.any_set.repaired", [](const Case& c) { return theorem1(c, true); }},
      {"theorem2.lower", theorem2_lower},
      {"theorem2.upper", theorem2_upper},
      {"theorem2.lower.sharp", theorem2_lower_sharp},
      {"theorem2.upper.repaired", theorem2_upper_repaired},
      {"lemma2", lemma2},
      {"lemma2.sharp", lemma2_sharp},
      {"corollary3", corollary3},
      {"corollary3.entrywise", corollary3_entrywise},
      {"corollary3.sharp", corollary3_sharp},
      {"corollary3.local.lower", corollary3_local_lower},
      {"corollary3.local.upper", corollary3_local_upper}};
  const auto found = known.find(id);
  if (found == known.end()) {
    throw std::logic_error("no reference implementation of " + std::string(id));
  }
  return found->second(input);
}

}  // namespace attn::test
