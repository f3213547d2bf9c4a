#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

/// The bound on |l_i|; the least one where none is given.
Rational logit_bound(const Input& input) {
  return input.has("a") ? input.not_negative("a") : largest_size(input.numbers("logits"));
}

std::string lemma1_unmet(const Input& input) {
  if (!is_quotient(input.normalizer())) {
    return "a_i = F(l_i) / sum_j F(l_j), F continuous, positive and independent of L";
  }
  return largest_size(input.numbers("logits")) > logit_bound(input) ? "|l_i| <= a" : "";
}

/// What Lemma 1 speaks of: the weights, and how far apart F can be over [-a/T, a/T].
struct Lemma1 {
  std::vector<Arb> a;
  Arb length;
  Arb lowest;  ///< m/M

  explicit Lemma1(const Input& input) : a(scores_of(input).a), length(a.size()) {
    const std::string normalizer = input.normalizer();
    const Rational end = logit_bound(input) / input.temperature();
    // 1 + z + z^2/2 has its minimum at -1; the others increase.
    const bool dips = normalizer == "taylor" && end > 1;
    lowest = normalizer_at(normalizer, dips ? Rational(-1) : Rational(-end)).value /
             normalizer_at(normalizer, end).value;
  }
};

// By F over its largest value M, which lies between m/M and 1.

Sides lemma1_lower(const Lemma1& l) {
  return {l.lowest / l.length, least(l.a)};
}

Sides lemma1_upper(const Lemma1& l) {
  return {largest(l.a), Arb(1) / (l.lowest * l.length)};
}

Sides lemma1_lower_sharp(const Lemma1& l) {
  return {l.lowest / (l.lowest + l.length - Arb(1)), least(l.a)};
}

Sides lemma1_upper_sharp(const Lemma1& l) {
  return {largest(l.a), Arb(1) / (Arb(1) + (l.length - Arb(1)) * l.lowest)};
}

/// L, half of whose tokens have one logit and half the other.
Rational even_length(const Input& input) {
  const std::size_t length = input.count("length");
  require(length % 2 == 0, BadInputKind::out_of_range, "length", "an even number",
          fmt::format("{}", length));
  return Rational(length);
}

std::string too_short(const Input& input) {
  return even_length(input) >= 1000 ? "" : "L >= 1000";
}

/// lemma1.uniform. Both halves add the same to sum |a_i - 1/L|, so that TV is what the lower one
/// lacks: L/2 times 1/L - 1/(L/2 (1 + exp(spread/T))).
Sides lemma1_uniform(const Input& input) {
  const Rational half = even_length(input) / 2;
  const Arb higher = exp(Arb(input.positive("spread") / input.temperature()));
  const Arb lower_weight = Arb(1) / (Arb(half) * (Arb(1) + higher));
  const Arb lack = Arb(1 / (2 * half)) - lower_weight;
  return {Arb(half) * lack, Arb(input.positive("epsilon"))};
}

/// sum_i max(a_i - 1/L, 0) <= (1 - exp(-r/2))/(1 + exp(-r/2)), r = max z - min z.
Sides lemma1_uniform_repaired(const Input& input) {
  require_softmax(input);
  const std::vector<Rational> z = input.scaled_logits();
  const Arb length(z.size());
  std::vector<Arb> f;
  Arb sum;
  for (const Rational& x : z) {
    f.push_back(exp(Arb(x - z[0])));
    sum += f.back();
  }
  Arb above;  // L S times the left-hand side
  for (const Arb& value : f) above += max(length * value - sum, Arb(0));
  const auto [least, most] = std::ranges::minmax_element(z);
  const Arb lost = expm1(Arb((*least - *most) / 2));
  return {above / (length * sum), -lost / (Arb(2) + lost)};
}

/// sum_i a_i (z_i - z_0) - log(1 + m) <= r^2/8, m the mean of exp(z_i - z_0) - 1.
Sides lemma1_entropy(const Input& input) {
  require_softmax(input);
  const std::vector<Rational> z = input.scaled_logits();
  const Arb length(z.size());
  Arb sum;
  Arb weighted;
  Arb growth;
  for (const Rational& x : z) {
    const Rational offset = x - z[0];
    const Arb f = exp(Arb(offset));
    sum += f;
    weighted += f * Arb(offset);
    growth += expm1(Arb(offset));
  }
  const auto [least, most] = std::ranges::minmax_element(z);
  const Rational range = *most - *least;
  return {weighted / sum - log1p(growth / length), Arb(range * range / 8)};
}

/// The softmax weights of the logits q.k_j / T, and how far apart these can be.
struct Corollary1 {
  std::vector<Arb> a;
  Arb length;
  std::vector<Arb> reach;  ///< ||q|| ||k_j|| / T of each token, at least |q.k_j| / T
  Rational range;          ///< (max_j q.k_j - min_j q.k_j) / T

  explicit Corollary1(const Input& input) {
    const std::vector<Rational> q = input.numbers("query");
    const auto keys = input.rows("keys");
    require(keys.size() >= 2, BadInputKind::out_of_range, "keys", "at least 2 tokens",
            fmt::format("{}", keys.size()));
    require(keys.front().size() == q.size(), BadInputKind::inconsistent, "keys",
            fmt::format("rows of {} entries", q.size()), fmt::format("{}", keys.front().size()));
    const Rational t = input.temperature();
    std::vector<Rational> z;
    for (const auto& k : keys) {
      z.emplace_back(dot(q, k) / t);
      reach.push_back(sqrt(Rational(squared_norm(q) * squared_norm(k) / (t * t))));
    }
    a = softmax_scores(z).a;
    length = Arb(a.size());
    range = *std::ranges::max_element(z) - *std::ranges::min_element(z);
  }

  /// By Lemma 1: exp(z) lies between 1/M and M, and so 1/M^2 is m/M.
  [[nodiscard]] Arb largest_square() const { return square(exp(largest(reach))); }
};

Sides corollary1_lower(const Corollary1& c) {
  return {Arb(1) / (c.length * c.largest_square()), least(c.a)};
}

Sides corollary1_upper(const Corollary1& c) {
  return {largest(c.a), c.largest_square() / c.length};
}

Sides corollary1_lower_sharp(const Corollary1& c) {
  return {Arb(1) / (Arb(1) + (c.length - Arb(1)) * exp(Arb(c.range))), least(c.a)};
}

Sides corollary1_upper_sharp(const Corollary1& c) {
  return {largest(c.a), Arb(1) / (Arb(1) + (c.length - Arb(1)) * exp(Arb(-c.range)))};
}

/// max_i exp(-2 ||q|| ||k_i||/T)/(L a_i) <= 1.
Sides corollary1_own_key_lower(const Corollary1& c) {
  Arb most;
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    most = max(most, Arb(1) / (square(exp(c.reach[i])) * c.length * c.a[i]));
  }
  return {most, Arb(1)};
}

/// max_i L a_i exp(-2 ||q|| ||k_i||/T) <= 1.
Sides corollary1_own_key_upper(const Corollary1& c) {
  Arb most;
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    most = max(most, c.length * c.a[i] / square(exp(c.reach[i])));
  }
  return {most, Arb(1)};
}

}  // namespace

Checks lemma1_checks() {
  return {
      {"lemma1.lower", of<lemma1_lower>, lemma1_unmet},
      {"lemma1.upper", of<lemma1_upper>, lemma1_unmet},
      {"lemma1.lower.sharp", of<lemma1_lower_sharp>, lemma1_unmet},
      {"lemma1.upper.sharp", of<lemma1_upper_sharp>, lemma1_unmet},
      {"lemma1.uniform", lemma1_uniform, too_short},
      {"lemma1.uniform.repaired", lemma1_uniform_repaired},
      {"lemma1.entropy", lemma1_entropy},
      {"corollary1.lower", of<corollary1_lower>},
      {"corollary1.upper", of<corollary1_upper>},
      {"corollary1.lower.sharp", of<corollary1_lower_sharp>},
      {"corollary1.upper.sharp", of<corollary1_upper_sharp>},
      {"corollary1.own_key.lower", of<corollary1_own_key_lower>},
      {"corollary1.own_key.upper", of<corollary1_own_key_upper>},
  };
}

}  // namespace attn::recheck
