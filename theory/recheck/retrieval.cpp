#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

Sides retrieval_deletion(const FixedSet& t) {
  Arb sum;
  for (const std::size_t i : t.outside) sum += t.length(i);
  return {lost_length(t), sum};
}

Sides retrieval_deletion_mass(const FixedSet& t) {
  Rational longest = 0;
  for (const std::size_t i : t.outside) longest = std::max(longest, squared_norm(t.x[i]));
  return {lost_length(t), t.scores.value(t.rest) * sqrt(longest)};
}

/// D_i^2 - ||s||^2 = a_i (a_i ||x_i||^2 - 2 x_i . s), x_i . s = sum_{j in I} a_j (x_i . x_j).
/// Tokens of y_i = 0 are on the sphere.
Sides distance_radius(const FixedSet& t) {
  const Arb radius = norm(t.s_value);
  Arb off_sphere;
  Arb longest;
  for (const std::size_t i : t.outside) {
    const Arb length = t.length(i);
    if (is_zero(length)) continue;
    Form along;
    for (const std::size_t j : t.inside) t.scores.add(along, j, 2 * dot(t.x[i], t.x[j]));
    const Arb turned = t.scores.difference(i, squared_norm(t.x[i]), along, t.scores.value(along));
    off_sphere = max(off_sphere, abs(t.scores.a[i] * turned) / (norm(t.offset(i)) + radius));
    longest = max(longest, length);
  }
  return {off_sphere, longest};
}

/// distance.spread: each pair outside twice, over 2 (L-N-1).
Sides distance_spread(const FixedSet& t) {
  Arb sum;
  for (const std::size_t i : t.outside) {
    for (const std::size_t k : t.outside) {
      std::vector<Form> other;
      t.add(other, k, 1);
      sum += norm(t.difference(i, 1, other, t.values(other)));
    }
  }
  return {sum / Arb(2 * (static_cast<long>(t.outside.size()) - 1)), t.distance()};
}

std::string two_outside(const Input& input) {
  if (std::string lack = lacks_weights(input); !lack.empty()) return lack;
  return FixedSet(input).outside.size() >= 2 ? "" : "N <= L - 2";
}

/// How many pairs of a selected token and one outside are out of order, the selected one not being
/// nearer, and how many tokens of either side are in such a pair: at least and at most.
struct OutOfOrder {
  struct Count {
    long least = 0, most = 0;
  };
  Count pairs, outside, inside;
  long selected;

  explicit OutOfOrder(const FixedSet& t) : selected(static_cast<long>(t.inside.size())) {
    const Nearness nearness(t);
    std::vector<Count> of_token(t.size());  // its pairs
    for (const std::size_t i : t.inside) {
      for (const std::size_t j : t.outside) {
        const int found = nearness(i, j);
        if (found == -1) continue;
        for (Count* const count : {&pairs, &of_token[i], &of_token[j]}) {
          ++count->most;
          if (found != 2) ++count->least;
        }
      }
    }
    inside = tokens_in_some(t.inside, of_token);
    outside = tokens_in_some(t.outside, of_token);
  }

 private:
  static Count tokens_in_some(const std::vector<std::size_t>& tokens,
                              const std::vector<Count>& pairs_of) {
    Count count;
    for (const std::size_t i : tokens) {
      if (pairs_of[i].least > 0) ++count.least;
      if (pairs_of[i].most > 0) ++count.most;
    }
    return count;
  }
};

Arb between(const OutOfOrder::Count& count, const auto& value) {
  return count.least == count.most ? value(count.least)
                                   : hull(value(count.least), value(count.most));
}

Sides retrieval_precision(const FixedSet& t) {
  const OutOfOrder found(t);
  const auto share = [&](long others) { return Arb(found.selected) / (found.selected + others); };
  return {between(found.pairs, share), between(found.outside, share)};
}

Sides retrieval_recall(const FixedSet& t) {
  const OutOfOrder found(t);
  const auto share = [&](long missed) {
    return Arb(std::max(0L, found.selected - missed)) / found.selected;
  };
  return {between(found.pairs, share), between(found.inside, share)};
}

/// The assumption is on c_i = u . x_i/||u||: sign(c_i) c_i^2 >= c^2.
std::string not_coherent(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  const FixedSet t(input);
  const std::vector<Rational> u = direction_of(input, t.x.front().size());
  const Rational c = input.positive("constant");
  for (const std::size_t i : t.outside) {
    if (signed_square_along(u, t.x[i]) < c * c) return "u . x_i >= c ||u|| for every i outside";
  }
  return "";
}

Sides retrieval_coherent(const Input& input) {
  const FixedSet t(input);
  return {Arb(input.positive("constant")) * t.scores.value(t.rest), lost_length(t)};
}

/// Token by token: whether it is useful, and whether it is kept.
struct Kept {
  std::vector<Rational> scores;
  std::vector<bool> useful;
  std::size_t kept, all_useful;

  explicit Kept(const Input& input)
      : scores(input.numbers("logits")), useful(scores.size(), false), kept(input.count("N")) {
    require(kept <= scores.size(), BadInputKind::out_of_range, "N",
            fmt::format("1..L = 1..{}", scores.size()), fmt::format("{}", kept));
    const auto set = input.indices("set", scores.size());
    all_useful = set.size();
    for (const std::size_t i : set) useful[i] = true;
  }

  /// Whether token j comes before i in the order of the scores.
  [[nodiscard]] bool comes_before(std::size_t j, std::size_t i) const {
    return scores[j] > scores[i] || (scores[j] == scores[i] && j < i);
  }
};

std::string too_few_kept(const Kept& t) {
  return t.all_useful <= t.kept ? "" : "N >= K";
}

/// A token is kept where fewer than N come before it.
Sides retrieval_recovery(const Kept& t) {
  long missed = 0;
  long inversions = 0;
  for (std::size_t i = 0; i < t.scores.size(); ++i) {
    if (!t.useful[i]) continue;
    std::size_t before = 0;
    for (std::size_t j = 0; j < t.scores.size(); ++j) {
      before += t.comes_before(j, i) ? 1 : 0;
      inversions += !t.useful[j] && t.scores[j] >= t.scores[i] ? 1 : 0;
    }
    missed += before >= t.kept ? 1 : 0;
  }
  const auto spare = static_cast<long>(t.kept - t.all_useful);
  return {Arb(missed), (sqrt(Arb(spare * spare + 4 * inversions)) - Arb(spare)) / Arb(2)};
}

std::string no_probability(const Input& input) {
  return input.positive("probability") <= 1 && input.positive("delta") < 1 ? ""
                                                                           : "p <= 1 and delta < 1";
}

/// P[B = k] from k = n down, each a multiple of the one before, as long as k is above the
/// threshold.
Sides retrieval_competition(const Input& input) {
  constexpr std::size_t kMostCompetitors = 1000;
  const std::size_t competitors = input.count("competitors");
  require(competitors <= kMostCompetitors, BadInputKind::too_large, "competitors",
          fmt::format("at most {}", kMostCompetitors), fmt::format("{}", competitors));
  const auto n = static_cast<long>(competitors);
  const Rational p = input.positive("probability");
  const Rational delta = input.positive("delta");
  const Arb x = -log(Arb(delta));
  const Arb mean(n * p);
  const Arb threshold = mean + sqrt(Arb(2) * mean * x) + Arb(2) * x / Arb(3);
  Rational term = 1;
  for (long k = 0; k < n; ++k) term *= p;
  Rational certain = 0;
  Rational possible = 0;
  for (long k = n; k >= 0; --k) {
    if (Arb(k) > threshold) certain += term;
    if (!(Arb(k) < threshold)) possible += term;
    term *= (1 - p) / p * Rational(k) / Rational(n - k + 1);
  }
  const Arb least(certain);
  return {certain == possible ? least : hull(least, Arb(possible)), Arb(delta)};
}

/// Pair by pair: sum_i (b_i - a_i) x_i is the sum of (a_j b_i - a_i b_j) (x_i - x_j), and the first
/// factor a_i b_j (exp((h_i - h_j)/T) - 1).
Sides output_step(const Input& input) {
  require_normalizer(input, "softmax");
  const std::vector<Rational> h = input.move("step");
  const std::vector<Arb> a = softmax_scores(input.scaled_logits()).a;
  const std::vector<Arb> b = softmax_scores(moved(input)).a;
  const auto x = embeddings_of(input, a.size());
  const Rational t = input.temperature();
  std::vector<Arb> sum(x.front().size());
  Rational diameter = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Arb flow = a[i] * b[j] * expm1(Arb((h[i] - h[j]) / t));
      std::vector<Rational> gap;
      for (std::size_t k = 0; k < sum.size(); ++k) {
        gap.emplace_back(x[i][k] - x[j][k]);
        sum[k] += flow * Arb(gap.back());
      }
      diameter = std::max(diameter, squared_norm(gap));
    }
  }
  const auto [least, most] = std::ranges::minmax_element(h);
  const Arb fall = expm1(Arb((*least - *most) / (2 * t)));
  return {norm(sum), sqrt(diameter) * -fall / (Arb(2) + fall)};
}

/// entropy.lower, whose left side is the entropy of a row of one logit g above the others, by its
/// two weights: g^2 = s^2 L/(L-1) is the sum of (z_i - z_j)^2 over the pairs, over L - 1.
Sides entropy_lower(const Input& input) {
  require_softmax(input);
  const std::vector<Rational> z = input.scaled_logits();
  Rational squares = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) squares += (z[i] - z[j]) * (z[i] - z[j]);
  }
  const long others = static_cast<long>(z.size()) - 1;
  const Arb gap = sqrt(Rational(squares / others));
  const Arb rest = Arb(others) * exp(-gap);
  const Arb raised = Arb(1) / (Arb(1) + rest);  // the weight of the raised one
  const Arb entropy = raised * log1p(rest) + rest * raised * (gap + log1p(rest));
  return {entropy, entropy_of(softmax_scores(input.scaled_logits()).sorted())};
}

}  // namespace

Checks retrieval_checks() {
  return {
      {"retrieval.deletion", of<retrieval_deletion>, lacks_weights},
      {"retrieval.deletion.mass", of<retrieval_deletion_mass>, no_distribution},
      {"distance.radius", of<distance_radius>, lacks_weights},
      {"distance.spread", of<distance_spread>, two_outside},
      {"retrieval.precision", of<retrieval_precision>, lacks_weights},
      {"retrieval.recall", of<retrieval_recall>, lacks_weights},
      {"retrieval.coherent", retrieval_coherent, not_coherent},
      {"retrieval.recovery", of<retrieval_recovery>, of<too_few_kept>},
      {"retrieval.competition", retrieval_competition, no_probability},
      {"entropy.lower", entropy_lower},
      {"output.step", output_step},
  };
}

}  // namespace attn::recheck
