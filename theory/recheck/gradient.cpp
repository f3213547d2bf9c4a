#include "theory/recheck/gradient.hpp"

#include <algorithm>

#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {

Lemma2::Lemma2(const Input& input) {
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
    for (const Rational& x : z) {
      const Slope at = normalizer_at(normalizer, x);
      f.push_back(at.value);
      slope.push_back(at.derivative / t);
    }
    norm = spectral_norm(quotient_jacobian(f, slope));
  }
}

Arb Lemma2::steepest() const {
  Arb result;
  for (const Arb& value : slope) result = max(result, abs(value));
  return result;
}

std::string lemma2_unmet(const Input& input) {
  const std::string normalizer = input.normalizer();
  const bool fits = is_quotient(normalizer) || normalizer == "scalable_softmax";
  return fits ? "" : "a_i = F(l_i) / sum_j F(l_j), F > 0 and smooth";
}

SoftmaxGradient::SoftmaxGradient(const Input& input) : t(input.temperature()) {
  require(input.normalizer() == "softmax", BadInputKind::unsupported, "normalizer", "softmax",
          input.normalizer());
  a = softmax_scores(input.scaled_logits()).sorted();
  norm = softmax_norm(a) / t;
}

std::vector<Arb> SoftmaxGradient::diagonal() const {
  const std::vector<Arb> rest = sums_of_others(a);
  std::vector<Arb> diagonal;
  for (std::size_t i = 0; i < a.size(); ++i) diagonal.push_back(a[i] * rest[i]);
  return diagonal;
}

Arb printed_bound(const Arb& t) {
  return min(Arb(1) / (Arb(4) * t), sqrt(Arb(2)));
}

Arb finite_difference(const Input& input, const std::string& field) {
  const std::vector<Rational> direction = input.move("direction");
  const Rational epsilon = input.positive(field);
  const std::vector<Arb> a = softmax_scores(input.scaled_logits()).a;
  const Arb length = sqrt(squared_norm(direction));
  // About the token that moves up most, which keeps every growth between -1 and 0.
  const Rational most = *std::ranges::max_element(direction);
  std::vector<Arb> growth;  // e^(w_i - w_top) - 1
  Arb mean;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Rational behind = direction[i] - most;
    growth.push_back(expm1(Arb(Rational(epsilon * behind / input.temperature())) / length));
    mean += a[i] * growth[i];
  }
  std::vector<Arb> difference;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference.push_back(a[i] * (growth[i] - mean) / (Arb(1) + mean));
  }
  return norm(difference) / Arb(epsilon);
}

}  // namespace attn::recheck
