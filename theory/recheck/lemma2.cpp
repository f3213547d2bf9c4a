#include "theory/recheck/check.hpp"
#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

std::string lemma2_unmet(const Input& input) {
  const std::string normalizer = input.normalizer();
  const bool fits = is_quotient(normalizer) || normalizer == "scalable_softmax";
  return fits ? "" : "a_i = F(l_i) / sum_j F(l_j), F > 0 and smooth";
}

/// F and dF/dl of every logit, and ||J||.
struct Lemma2 {
  std::vector<Arb> f, slope;
  Arb norm, length;

  explicit Lemma2(const Input& input) {
    const std::vector<Rational> z = input.scaled_logits();
    const std::string normalizer = input.normalizer();
    const Arb t(input.temperature());
    length = Arb(static_cast<long>(z.size()));
    if (normalizer == "softmax" || normalizer == "scalable_softmax") {
      // F = exp(rate z). A common factor of F changes neither the weights nor the bounds.
      const Arb rate = normalizer == "softmax" ? Arb(1) : log(length);
      for (const Rational& x : z) f.push_back(exp(rate * Arb(Rational(x - z[0]))));
      for (const Arb& value : f) slope.push_back(value * rate / t);
      norm = softmax_norm(scores_of(input).sorted()) * rate / t;
    } else {
      const Quotient quotient(input, normalizer);
      f = quotient.f;
      slope = quotient.slope;
      norm = quotient.norm();
    }
  }

  /// max_j |F'_j|.
  [[nodiscard]] Arb steepest() const {
    Arb result;
    for (const Arb& value : slope) result = max(result, abs(value));
    return result;
  }

  /// max_j |F'_j/F_j|.
  [[nodiscard]] Arb steepest_ratio() const {
    Arb result;
    for (std::size_t j = 0; j < f.size(); ++j) result = max(result, abs(slope[j] / f[j]));
    return result;
  }
};

/// ||J|| <= max|F'| (1/(L min F) + max F/(L (min F)^2)).
Sides lemma2(const Input& input) {
  const Lemma2 l(input);
  const Arb lowest = least(l.f);
  return {l.norm, l.steepest() / (l.length * lowest) * (Arb(1) + largest(l.f) / lowest)};
}

/// ||J|| <= (1/2) max_j |F'_j/F_j|.
Sides lemma2_sharp(const Input& input) {
  const Lemma2 l(input);
  return {l.norm, l.steepest_ratio() / Arb(2)};
}

/// ||J|| <= sqrt(L) ||a|| max|F'|/S, where a = F/S.
Sides lemma2_oblique(const Input& input) {
  const Lemma2 l(input);
  Arb sum;
  for (const Arb& value : l.f) sum += value;
  return {l.norm, sqrt(l.length) * norm(l.f) * l.steepest() / square(sum)};
}

/// ||J|| <= max|F'_j/F_j| (a_(1) (1 - a_(1)) + a_(1) a_(2)).
Sides lemma2_local(const Input& input) {
  const Lemma2 l(input);
  return {l.norm, l.steepest_ratio() * local_bound(scores_of(input).sorted())};
}

}  // namespace

Checks lemma2_checks() {
  return {
      {"lemma2", {.sides = &lemma2, .unmet = &lemma2_unmet}},
      {"lemma2.sharp", {.sides = &lemma2_sharp, .unmet = &lemma2_unmet}},
      {"lemma2.oblique", {.sides = &lemma2_oblique, .unmet = &lemma2_unmet}},
      {"lemma2.local", {.sides = &lemma2_local, .unmet = &lemma2_unmet}},
  };
}

}  // namespace attn::recheck
