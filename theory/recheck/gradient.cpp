// Lemma 2 and Corollary 3: how fast the weights change with the logits, J = da/dl.
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
  std::vector<Arb> f;
  std::vector<Arb> slope;
  Arb norm;
  Arb length;

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
      for (const Rational& x : z) {
        const Slope at = normalizer_at(normalizer, x);
        f.push_back(at.value);
        slope.push_back(at.derivative / t);
      }
      norm = spectral_norm(quotient_jacobian(f, slope));
    }
  }

  [[nodiscard]] Arb steepest() const {
    Arb result;
    for (const Arb& value : slope) result = max(result, abs(value));
    return result;
  }
};

/// ||J|| <= max|F'| (1/(L min F) + max F/(L (min F)^2)).
Sides lemma2(const Input& input) {
  const Lemma2 l(input);
  Arb least = l.f[0];
  Arb most = l.f[0];
  for (const Arb& value : l.f) {
    least = min(least, value);
    most = max(most, value);
  }
  return {l.norm, l.steepest() / (l.length * least) * (Arb(1) + most / least)};
}

/// ||J|| <= (1/2) max_j |F'_j/F_j|.
Sides lemma2_sharp(const Input& input) {
  const Lemma2 l(input);
  Arb steepest;
  for (std::size_t j = 0; j < l.f.size(); ++j) steepest = max(steepest, abs(l.slope[j] / l.f[j]));
  return {l.norm, steepest / Arb(2)};
}

/// ||J|| <= sqrt(L) ||a|| max|F'|/S, where a = F/S.
Sides lemma2_oblique(const Input& input) {
  const Lemma2 l(input);
  Arb sum;
  for (const Arb& value : l.f) sum += value;
  return {l.norm, sqrt(l.length) * norm(l.f) * l.steepest() / square(sum)};
}

/// Softmax weights in decreasing order, and ||J||.
struct Softmax {
  Arb t;
  std::vector<Arb> a;
  Arb norm;

  explicit Softmax(const Input& input) : t(input.temperature()) {
    require(input.normalizer() == "softmax", "normalizer", "softmax", input.normalizer());
    a = softmax_scores(input.scaled_logits()).sorted();
    norm = softmax_norm(a) / t;
  }

  /// a_i (1 - a_i) for every i. The rest is summed, so that no digits cancel.
  [[nodiscard]] std::vector<Arb> diagonal() const {
    const std::vector<Arb> rest = sums_of_others(a);
    std::vector<Arb> diagonal;
    for (std::size_t i = 0; i < a.size(); ++i) diagonal.push_back(a[i] * rest[i]);
    return diagonal;
  }
};

/// min{1/(4T), sqrt 2}.
Arb printed_bound(const Arb& t) {
  return min(Arb(1) / (Arb(4) * t), sqrt(Arb(2)));
}

Sides corollary3(const Input& input) {
  const Softmax s(input);
  return {s.norm, printed_bound(s.t)};
}

/// max_ij |J_ij| <= 1/(4T).
Sides entrywise(const Input& input) {
  const Softmax s(input);
  Arb largest;
  for (const Arb& entry : s.diagonal()) largest = max(largest, entry);
  for (std::size_t i = 0; i < s.a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) largest = max(largest, s.a[i] * s.a[j]);
  }
  return {largest / s.t, Arb(1) / (Arb(4) * s.t)};
}

/// ||J|| <= 1/(2T).
Sides corollary3_sharp(const Input& input) {
  const Softmax s(input);
  return {s.norm, Arb(1) / (Arb(2) * s.t)};
}

/// a_(2)/T <= ||J||.
Sides local_lower(const Input& input) {
  const Softmax s(input);
  return {s.a[1] / s.t, s.norm};
}

/// ||J|| <= min(a_(1), max_i 2 a_i (1 - a_i))/T.
Sides local_upper(const Input& input) {
  const Softmax s(input);
  Arb widest;
  for (const Arb& entry : s.diagonal()) widest = max(widest, Arb(2) * entry);
  return {s.norm, min(s.a[0], widest) / s.t};
}

/// g = ||softmax((l + epsilon v)/T) - softmax(l/T)||/epsilon, v = direction/||direction||. With
/// w = epsilon v/T, the i-th difference is a_i (e^w_i - sum_j a_j e^w_j) / sum_j a_j e^w_j.
Arb finite_difference(const Input& input) {
  const std::vector<Rational> direction = input.move("direction");
  const Rational epsilon = input.positive("epsilon");
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

/// g <= min{1/(2T), sqrt(2)/epsilon}.
Sides step(const Input& input) {
  const Arb t(input.temperature());
  return {finite_difference(input),
          min(Arb(1) / (Arb(2) * t), sqrt(Arb(2)) / Arb(input.positive("epsilon")))};
}

/// g <= min{1/(4T), sqrt 2}.
Sides step_printed(const Input& input) {
  return {finite_difference(input), printed_bound(Arb(input.temperature()))};
}

constexpr Check kChecks[] = {
    {"lemma2", lemma2, lemma2_unmet},
    {"lemma2.sharp", lemma2_sharp, lemma2_unmet},
    {"lemma2.oblique", lemma2_oblique, lemma2_unmet},
    {"corollary3", corollary3},
    {"corollary3.entrywise", entrywise},
    {"corollary3.sharp", corollary3_sharp},
    {"corollary3.local.lower", local_lower},
    {"corollary3.local.upper", local_upper},
    {"corollary3.step", step},
    {"corollary3.step.printed", step_printed},
};

}  // namespace

std::span<const Check> gradient_checks() {
  return kChecks;
}

}  // namespace attn::recheck
