#include "theory/recheck/dispersion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {

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

/// log a_i is log1p(-the others) for the largest weight, which may be next to 1.
Arb entropy_of(const std::vector<Arb>& a) {
  const std::vector<Arb> others = sums_of_others(a);
  Arb sum = a[0] * log1p(-others[0]);
  for (std::size_t i = 1; i < a.size(); ++i) sum += a[i] * log(a[i]);
  return -sum;
}

Arb entropy_at(const Input& input, const Rational& t) {
  return entropy_of(softmax_scores(input.logits_over(t)).sorted());
}

namespace {

/// The bound on |l_i|; the least one where none is given.
Rational logit_bound(const Input& input) {
  return input.has("a") ? input.not_negative("a") : largest_size(input.numbers("logits"));
}

}  // namespace

std::string lemma1_unmet(const Input& input) {
  if (!is_quotient(input.normalizer())) {
    return "a_i = F(l_i) / sum_j F(l_j), F continuous, positive and independent of L";
  }
  return largest_size(input.numbers("logits")) > logit_bound(input) ? "|l_i| <= a" : "";
}

Lemma1::Lemma1(const Input& input) {
  const std::string normalizer = input.normalizer();
  const Rational end = logit_bound(input) / input.temperature();
  // 1 + z + z^2/2 has its minimum at -1; the others increase.
  const bool dips = normalizer == "taylor" && end > 1;
  m = normalizer_at(normalizer, dips ? Rational(-1) : Rational(-end)).value;
  most = normalizer_at(normalizer, end).value;
  a = scores_of(input).a;
  length = Arb(static_cast<long>(a.size()));
}

Corollary1::Corollary1(const Input& input) {
  const std::vector<Rational> q = input.numbers("query");
  const auto keys = input.rows("keys");
  require(keys.size() >= 2, BadInputKind::out_of_range, "keys", "at least 2 tokens",
          fmt::format("{}", keys.size()));
  require(keys.front().size() == q.size(), BadInputKind::inconsistent, "keys",
          fmt::format("rows of {} entries", q.size()), fmt::format("{}", keys.front().size()));
  const Rational t = input.temperature();
  std::vector<Rational> z;
  Rational longest = 0;
  for (const auto& k : keys) {
    Rational product = 0;
    for (std::size_t i = 0; i < q.size(); ++i) product += q[i] * k[i];
    z.emplace_back(product / t);
    longest = std::max(longest, squared_norm(k));
    own.push_back(sqrt(Rational(4 * squared_norm(q) * squared_norm(k) / (t * t))));
  }
  a = softmax_scores(z).a;
  exponent = sqrt(Rational(4 * squared_norm(q) * longest / (t * t)));
  range = *std::ranges::max_element(z) - *std::ranges::min_element(z);
}

}  // namespace attn::recheck
