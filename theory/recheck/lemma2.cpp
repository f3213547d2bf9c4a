#include <algorithm>

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
    length = Arb(z.size());
    if (normalizer == "softmax" || normalizer == "scalable_softmax") {
      // F = exp(rate z). A common factor of F changes neither the weights nor the bounds.
      const Arb rate = normalizer == "softmax" ? Arb(1) : log(length);
      for (const Rational& x : z) f.push_back(exp(rate * Arb(x - z[0])));
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
Sides lemma2(const Lemma2& l) {
  const Arb lowest = least(l.f);
  return {l.norm, l.steepest() / (l.length * lowest) * (Arb(1) + largest(l.f) / lowest)};
}

/// ||J|| <= (1/2) max_j |F'_j/F_j|.
Sides lemma2_sharp(const Lemma2& l) {
  return {l.norm, l.steepest_ratio() / Arb(2)};
}

/// ||J|| <= sqrt(L) ||a|| max|F'|/S, where a = F/S.
Sides lemma2_oblique(const Lemma2& l) {
  Arb sum;
  for (const Arb& value : l.f) sum += value;
  return {l.norm, sqrt(l.length) * norm(l.f) * l.steepest() / square(sum)};
}

/// ||J|| <= max|F'_j/F_j| (a_(1) (1 - a_(1)) + a_(1) a_(2)).
Sides lemma2_local(const Input& input) {
  const Lemma2 l(input);
  return {l.norm, l.steepest_ratio() * local_bound(scores_of(input).sorted())};
}

std::string too_narrow(const Input& input) {
  const std::vector<Rational> z = input.scaled_logits();
  const auto [least, most] = std::ranges::minmax_element(z);
  return *most - *least >= 7 ? "" : "(max l - min l)/T >= 7";
}

/// 1/(4T) <= ||J||.
Sides lemma2_vanishing(const SoftmaxGradient& s) {
  return {Arb(1) / (Arb(4) * s.t), s.norm};
}

/// The printed bound, min{1/(4T), sqrt 2}.
Arb printed_bound(const Arb& t) {
  return min(Arb(1) / (Arb(4) * t), sqrt(Arb(2)));
}

/// g = ||softmax((l + epsilon v)/T) - softmax(l/T)||/epsilon, v = direction/||direction||. With
/// w = epsilon v/T, the i-th difference is a_i (e^w_i - sum_j a_j e^w_j) / sum_j a_j e^w_j.
/// `field`: the one that holds epsilon.
Arb finite_difference(const Input& input, const std::string& field = "epsilon") {
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
    growth.push_back(expm1(Arb(epsilon * behind / input.temperature()) / length));
    mean += a[i] * growth[i];
  }
  std::vector<Arb> difference;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference.push_back(a[i] * (growth[i] - mean) / (Arb(1) + mean));
  }
  return norm(difference) / Arb(epsilon);
}

Sides corollary3(const SoftmaxGradient& s) {
  return {s.norm, printed_bound(s.t)};
}

/// max_ij |J_ij| <= 1/(4T).
Sides corollary3_entrywise(const SoftmaxGradient& s) {
  Arb most = largest(s.diagonal());
  for (std::size_t i = 0; i < s.a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) most = max(most, s.a[i] * s.a[j]);
  }
  return {most / s.t, Arb(1) / (Arb(4) * s.t)};
}

/// ||J|| <= 1/(2T).
Sides corollary3_sharp(const SoftmaxGradient& s) {
  return {s.norm, Arb(1) / (Arb(2) * s.t)};
}

/// ||J||_F <= 1/(2T), entry by entry.
Sides corollary3_frobenius(const SoftmaxGradient& s) {
  std::vector<Arb> entries = s.diagonal();
  for (std::size_t i = 0; i < s.a.size(); ++i) {
    for (std::size_t j = 0; j < s.a.size(); ++j) {
      if (j != i) entries.push_back(s.a[i] * s.a[j]);
    }
  }
  return {norm(entries) / s.t, Arb(1) / (Arb(2) * s.t)};
}

/// max(a_(2), L/(L-1) max_i a_i (1 - a_i))/T <= ||J||.
Sides corollary3_local_lower(const SoftmaxGradient& s) {
  const auto length = static_cast<long>(s.a.size());
  const Arb along = Arb(Rational(length, length - 1)) * largest(s.diagonal());
  return {max(s.a[1], along) / s.t, s.norm};
}

/// ||J|| <= a_(1) (2 a_(2) + a_(3) + ... + a_(L))/T: the weights have sum 1.
Sides corollary3_local_upper(const SoftmaxGradient& s) {
  return {s.norm, local_bound(s.a) / s.t};
}

/// g <= min{1/(4T), sqrt 2}.
Sides corollary3_step_printed(const Input& input) {
  return {finite_difference(input), printed_bound(Arb(input.temperature()))};
}

/// g <= (sqrt(2)/epsilon) tanh(epsilon/(2 sqrt(2) T)).
Sides corollary3_step(const Input& input) {
  const Rational epsilon = input.positive("epsilon");
  const Rational pace = epsilon / input.temperature();
  const Arb reach = sqrt(Rational(pace * pace / 8));
  return {finite_difference(input), sqrt(Rational(2 / (epsilon * epsilon))) * tanh(reach)};
}

std::string not_longer(const Input& input) {
  return input.positive("epsilon") < input.positive("larger_epsilon") ? "" : "epsilon < epsilon'";
}

/// g of the longer step, and of the shorter one.
Sides corollary3_step_order(const Input& input) {
  return {finite_difference(input, "larger_epsilon"), finite_difference(input)};
}

Arb norm_at(const Input& input, const Rational& t) {
  return softmax_norm(softmax_scores(input.logits_over(t)).sorted()) / Arb(t);
}

/// ||J|| at T, and at T'.
Sides corollary3_cold(const Input& input) {
  return {norm_at(input, input.temperature()), norm_at(input, input.positive("colder"))};
}

/// ||J|| <= L (a_(2)/a_(1))/T.
Sides corollary3_cold_repaired(const SoftmaxGradient& s) {
  return {s.norm, Arb(s.a.size()) * s.a[1] / (s.a[0] * s.t)};
}

/// ||J|| <= L p (1 - p)/T, p the larger weight of the two largest logits alone.
Sides corollary3_cold_sharp(const SoftmaxGradient& s) {
  const Arb both = s.a[0] + s.a[1];
  return {s.norm, Arb(s.a.size()) * (s.a[0] / both) * (s.a[1] / both) / s.t};
}

}  // namespace

Checks lemma2_checks() {
  return {
      {"lemma2", of<lemma2>, lemma2_unmet},
      {"lemma2.sharp", of<lemma2_sharp>, lemma2_unmet},
      {"lemma2.oblique", of<lemma2_oblique>, lemma2_unmet},
      {"lemma2.local", lemma2_local, lemma2_unmet},
      {"lemma2.vanishing", of<lemma2_vanishing>, too_narrow},
      {"corollary3", of<corollary3>},
      {"corollary3.entrywise", of<corollary3_entrywise>},
      {"corollary3.sharp", of<corollary3_sharp>},
      {"corollary3.frobenius", of<corollary3_frobenius>},
      {"corollary3.local.lower", of<corollary3_local_lower>},
      {"corollary3.local.upper", of<corollary3_local_upper>},
      {"corollary3.step.printed", corollary3_step_printed},
      {"corollary3.step", corollary3_step},
      {"corollary3.step.order", corollary3_step_order, not_longer},
      {"corollary3.cold", corollary3_cold, not_colder},
      {"corollary3.cold.repaired", of<corollary3_cold_repaired>},
      {"corollary3.cold.sharp", of<corollary3_cold_sharp>},
  };
}

}  // namespace attn::recheck
