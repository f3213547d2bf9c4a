#include "theory/recheck/check.hpp"
#include "theory/recheck/gradient.hpp"
#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

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

/// ||J|| <= max|F'_j/F_j| (a_(1) (1 - a_(1)) + a_(1) a_(2)).
Sides lemma2_local(const Input& input) {
  const Lemma2 l(input);
  Arb steepest;
  for (std::size_t j = 0; j < l.f.size(); ++j) steepest = max(steepest, abs(l.slope[j] / l.f[j]));
  const std::vector<Arb> a = scores_of(input).sorted();
  return {l.norm, steepest * (a[0] * sums_of_others(a)[0] + a[0] * a[1])};
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
