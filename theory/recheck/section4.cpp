#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

/// The weights of the row, and once the appended logits are read, those of its tokens first.
struct LongerRow {
  std::vector<Rational> z, appended;  ///< over T
  std::vector<Arb> before, after;

  explicit LongerRow(const Input& input)
      : z(input.scaled_logits()), appended(input.numbers("appended")) {
    require_normalizer(input, "softmax");
    for (Rational& logit : appended) logit /= input.temperature();
    before = softmax_scores(z).a;
    std::vector<Rational> all = z;
    all.insert(all.end(), appended.begin(), appended.end());
    after = softmax_scores(all).a;
  }
};

/// max a' and max a.
Sides dilution_peak(const LongerRow& row) {
  return {largest(row.after), largest(row.before)};
}

/// The largest of the first L weights, and a_(1)/(1 + a_(1) sum of n terms at the mean).
Sides dilution_peak_repaired(const LongerRow& row) {
  Rational mean;
  for (const Rational& logit : row.appended) mean += logit;
  mean /= Rational(row.appended.size());
  const Rational top = *std::ranges::max_element(row.z);
  const std::vector<Arb> old(row.after.begin(),
                             row.after.begin() + static_cast<std::ptrdiff_t>(row.z.size()));
  const Arb peak = largest(row.before);
  return {largest(old), peak / (Arb(1) + Arb(row.appended.size()) * peak * exp(Arb(mean - top)))};
}

/// n^(g/T)/(n^(g/T) + n - 1).
Arb lone_peak(std::size_t n, const Rational& power) {
  const Arb raised = exp(log(Arb(n)) * Arb(power));
  return raised / (raised + Arb(n) - Arb(1));
}

std::string no_longer(const Input& input) {
  return input.count("L") < input.count("longer") ? "" : "L < longer";
}

Sides scalable_softmax_peak(const Input& input) {
  constexpr std::size_t kLeast = 2;
  const std::size_t length = input.count("L");
  require(length >= kLeast, BadInputKind::out_of_range, "L", "2 or more", "1");
  const Rational power = input.positive("spread") / input.temperature();
  return {lone_peak(length, power), Arb(2) * lone_peak(input.count("longer"), power)};
}

/// H of weights of which some are exactly 0.
Arb entropy_of_some(const std::vector<Arb>& a) {
  std::vector<Arb> some;
  for (const Arb& weight : a) {
    if (!is_zero(weight)) some.push_back(weight);
  }
  return entropy_of(some);
}

Arb softmax_entropy_of(const Input& input) {
  return entropy_of(softmax_scores(input.scaled_logits()).sorted());
}

/// The logits over T, the largest first.
std::vector<Rational> falling_logits(const Input& input) {
  std::vector<Rational> z = input.scaled_logits();
  std::ranges::sort(z, [](const Rational& x, const Rational& y) { return x > y; });
  return z;
}

Arb sparsemax_entropy(const Input& input) {
  require_normalizer(input, "sparsemax");
  std::vector<Arb> a;
  for (const Rational& weight : sparsemax(falling_logits(input))) a.emplace_back(weight);
  return entropy_of_some(a);
}

Arb entmax_entropy(const Input& input) {
  std::vector<Arb> a;
  for (const Arb& root : entmax_roots(falling_logits(input))) a.push_back(square(root));
  return entropy_of_some(a);
}

Sides entropy_sparsemax(const Input& input) {
  return {sparsemax_entropy(input), softmax_entropy_of(input)};
}

Sides entropy_entmax(const Input& input) {
  require_normalizer(input, "entmax");
  return {entmax_entropy(input), softmax_entropy_of(input)};
}

Sides entropy_sparsemax_sharp(const Input& input) {
  return {sparsemax_entropy(input), entmax_entropy(input)};
}

}  // namespace

Checks section4_checks() {
  return {
      {"dilution.peak", of<dilution_peak>},
      {"dilution.peak.repaired", of<dilution_peak_repaired>},
      {"scalable_softmax.peak", scalable_softmax_peak, no_longer},
      {"entropy.sparsemax", entropy_sparsemax},
      {"entropy.entmax", entropy_entmax},
      {"entropy.sparsemax.sharp", entropy_sparsemax_sharp},
  };
}

}  // namespace attn::recheck
