#include <algorithm>
#include <map>
#include <utility>

#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

using Set = std::vector<std::size_t>;

/// A set of tokens and the others.
struct Split {
  Set inside, outside;
};

Split own_split(const FixedSet& t) {
  return {t.inside, t.outside};
}

/// The n tokens of the largest weights.
Split largest_split(const FixedSet& t, std::size_t n) {
  const auto middle = t.scores.order.begin() + static_cast<std::ptrdiff_t>(n);
  return {{t.scores.order.begin(), middle}, {middle, t.scores.order.end()}};
}

/// ||o - s/A|| = ||sum_{i in O, j in I} a_i a_j (x_i - x_j)||/A, in terms of products of two
/// weights: what cancels among equal ones is exactly 0.
Arb renormalised_error(const FixedSet& t, const Split& split) {
  const Scores& scores = t.scores;
  std::vector<Arb> error;
  for (std::size_t k = 0; k < t.width(); ++k) {
    std::map<std::pair<std::size_t, std::size_t>, Rational> products;
    for (const std::size_t i : split.outside) {
      for (const std::size_t j : split.inside) {
        products[std::minmax(scores.kind[i], scores.kind[j])] +=
            scores.factor[i] * scores.factor[j] * (t.x[i][k] - t.x[j][k]);
      }
    }
    Arb sum;
    for (const auto& [kinds, coefficient] : products) {
      if (coefficient == 0) continue;
      sum += Arb(coefficient) * scores.basis[kinds.first] * scores.basis[kinds.second];
    }
    error.push_back(sum);
  }
  Form mass;
  for (const std::size_t j : split.inside) scores.add(mass, j, 1);
  return norm(error) / scores.value(mass);
}

Arb renormalised_error(const FixedSet& t) {
  return renormalised_error(t, own_split(t));
}

Sides retrieval_renormalised(const FixedSet& t) {
  return {renormalised_error(t), t.scores.value(t.rest) * sqrt(t.d1_squared)};
}

Sides retrieval_renormalised_better(const FixedSet& t) {
  return {renormalised_error(t), lost_length(t)};
}

/// sum_i a_i ||x_i - o||^2 is the sum of a_i a_j ||x_i - x_j||^2 over the pairs.
Sides retrieval_renormalised_variance(const FixedSet& t) {
  Arb variance;
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Rational apart =
          t.scores.factor[i] * t.scores.factor[j] * squared_distance(t.x[i], t.x[j]);
      if (apart == 0) continue;
      variance += Arb(apart) * t.scores.basis[t.scores.kind[i]] * t.scores.basis[t.scores.kind[j]];
    }
  }
  return {square(renormalised_error(t)),
          t.scores.value(t.rest) / t.scores.value(t.mass) * variance};
}

/// The errors of one token more, and of the N.
Sides retrieval_monotone(const FixedSet& t) {
  const std::size_t n = t.inside.size();
  return {renormalised_error(t, largest_split(t, n + 1)),
          renormalised_error(t, largest_split(t, n))};
}

Sides retrieval_by_weight(const FixedSet& t) {
  return {renormalised_error(t, largest_split(t, t.inside.size())), renormalised_error(t)};
}

Sides mass_participation(const Input& input) {
  const Scores scores = weights_of(input);
  const std::vector<std::size_t> inside = chosen_tokens(input, scores);
  Form mass;
  for (const std::size_t i : inside) scores.add(mass, i, 1);
  Arb squares;
  for (const Arb& weight : scores.a) squares += square(weight);
  return {square(scores.value(mass)), Arb(inside.size()) * squares};
}

std::string some_zero(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  const Scores scores = weights_of(input);
  chosen_tokens(input, scores);
  const bool any = std::ranges::any_of(scores.factor, [](const Rational& f) { return f == 0; });
  return any ? "a_i > 0" : "";
}

/// The cross entropy with the weights A/N inside and (1-A)/(L-N) outside.
Sides mass_fano(const Input& input) {
  const Scores scores = weights_of(input);
  const std::vector<std::size_t> inside = chosen_tokens(input, scores);
  Arb parts[2];  // outside, inside
  for (std::size_t i = 0; i < scores.size(); ++i) {
    parts[std::ranges::find(inside, i) != inside.end() ? 1 : 0] += scores.a[i];
  }
  const long n = static_cast<long>(inside.size());
  const long counts[] = {static_cast<long>(scores.size()) - n, n};
  Arb cross;
  for (const int part : {0, 1}) {
    const Arb& here = parts[part];
    const Arb& other = parts[1 - part];
    const Arb log_share = other < here ? log1p(-other) : log(here);
    cross += here * (log(Arb(counts[part])) - log_share);
  }
  return {entropy_of(scores.sorted()), cross};
}

/// The tokens outside a set, and whether any weight there, and every weight in it, is above 0.
struct Edge {
  Scores scores;
  Set inside, outside;
  bool weighs_outside = false;
  bool all_weigh_inside = true;

  explicit Edge(const Input& input)
      : scores(weights_of(input)), inside(chosen_tokens(input, scores)) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const bool weighs = scores.factor[i] != 0;
      if (std::ranges::find(inside, i) != inside.end()) {
        all_weigh_inside = all_weigh_inside && weighs;
      } else {
        outside.push_back(i);
        weighs_outside = weighs_outside || weighs;
      }
    }
  }
};

std::string no_edge(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  const Edge edge(input);
  return edge.weighs_outside || edge.all_weigh_inside ? "" : "v + w > 0";
}

/// 1 - A, and what is outside at the largest weight there beside what is inside at the least there:
/// 1/(1 + N v/((L-N) w)).
Sides mass_gap(const Edge& edge) {
  if (!edge.weighs_outside) return {Arb(0), Arb(0)};
  Form rest;
  std::vector<Arb> kept, left;
  for (const std::size_t j : edge.inside) kept.push_back(edge.scores.a[j]);
  for (const std::size_t i : edge.outside) {
    left.push_back(edge.scores.a[i]);
    edge.scores.add(rest, i, 1);
  }
  const Arb beside = Arb(kept.size()) * least(kept) / (Arb(left.size()) * largest(left));
  return {edge.scores.value(rest), Arb(1) / (Arb(1) + beside)};
}

}  // namespace

Checks cache_checks() {
  return {
      {"retrieval.renormalised", of<retrieval_renormalised>, some_mass},
      {"retrieval.renormalised.better", of<retrieval_renormalised_better>, some_mass},
      {"retrieval.renormalised.variance", of<retrieval_renormalised_variance>, some_mass},
      {"retrieval.monotone", of<retrieval_monotone>, no_distribution},
      {"retrieval.by_weight", of<retrieval_by_weight>, some_mass},
      {"mass.participation", mass_participation, lacks_weights},
      {"mass.gap", of<mass_gap>, no_edge},
      {"mass.fano", mass_fano, some_zero},
  };
}

}  // namespace attn::recheck
