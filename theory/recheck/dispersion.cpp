// Lemma 1 and Corollary 1: how far from 1/L the weights can be.
#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

Arb least(const std::vector<Arb>& values) {
  Arb result = values.front();
  for (const Arb& value : values) result = min(result, value);
  return result;
}

Arb largest(const std::vector<Arb>& values) {
  Arb result = values.front();
  for (const Arb& value : values) result = max(result, value);
  return result;
}

Rational largest_size(const std::vector<Rational>& values) {
  Rational result = 0;
  for (const Rational& value : values) result = std::max(result, Rational(::abs(value)));
  return result;
}

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

/// What Lemma 1 speaks of: the weights, and the extremes of F over [-a/T, a/T].
struct Lemma1 {
  Arb length;
  Arb m;
  Arb most;
  std::vector<Arb> a;

  explicit Lemma1(const Input& input) {
    const std::string normalizer = input.normalizer();
    const Rational end = logit_bound(input) / input.temperature();
    // 1 + z + z^2/2 has its minimum at -1; the others increase.
    const bool dips = normalizer == "taylor" && end > 1;
    m = normalizer_at(normalizer, dips ? Rational(-1) : Rational(-end)).value;
    most = normalizer_at(normalizer, end).value;
    a = scores_of(input).a;
    length = Arb(static_cast<long>(a.size()));
  }
};

Sides lemma1_lower(const Input& input) {
  const Lemma1 l(input);
  return {l.m / (l.most * l.length), least(l.a)};
}

Sides lemma1_upper(const Input& input) {
  const Lemma1 l(input);
  return {largest(l.a), l.most / (l.m * l.length)};
}

Sides lemma1_lower_sharp(const Input& input) {
  const Lemma1 l(input);
  return {l.m / (l.m + (l.length - Arb(1)) * l.most), least(l.a)};
}

Sides lemma1_upper_sharp(const Input& input) {
  const Lemma1 l(input);
  return {largest(l.a), l.most / (l.most + (l.length - Arb(1)) * l.m)};
}

/// The softmax weights of the logits q.k_j / T, and 2 Delta / T.
struct Corollary1 {
  std::vector<Arb> a;
  Arb exponent;

  explicit Corollary1(const Input& input) {
    const std::vector<Rational> q = input.numbers("query");
    const auto keys = input.rows("keys");
    require(keys.size() >= 2, "keys", "at least 2 tokens", fmt::format("{}", keys.size()));
    require(keys.front().size() == q.size(), "keys", fmt::format("rows of {} entries", q.size()),
            fmt::format("{}", keys.front().size()));
    const Rational t = input.temperature();
    std::vector<Rational> z;
    Rational longest = 0;
    for (const auto& k : keys) {
      Rational product = 0;
      for (std::size_t i = 0; i < q.size(); ++i) product += q[i] * k[i];
      z.emplace_back(product / t);
      longest = std::max(longest, squared_norm(k));
    }
    a = softmax_scores(z).a;
    exponent = sqrt(Rational(4 * squared_norm(q) * longest / (t * t)));
  }
};

Sides corollary1_lower(const Input& input) {
  const Corollary1 c(input);
  return {exp(-c.exponent) / Arb(static_cast<long>(c.a.size())), least(c.a)};
}

Sides corollary1_upper(const Input& input) {
  const Corollary1 c(input);
  return {largest(c.a), exp(c.exponent) / Arb(static_cast<long>(c.a.size()))};
}

constexpr Check kChecks[] = {
    {"lemma1.lower", lemma1_lower, lemma1_unmet},
    {"lemma1.upper", lemma1_upper, lemma1_unmet},
    {"lemma1.lower.sharp", lemma1_lower_sharp, lemma1_unmet},
    {"lemma1.upper.sharp", lemma1_upper_sharp, lemma1_unmet},
    {"corollary1.lower", corollary1_lower},
    {"corollary1.upper", corollary1_upper},
};

}  // namespace

std::span<const Check> dispersion_checks() {
  return kChecks;
}

}  // namespace attn::recheck
