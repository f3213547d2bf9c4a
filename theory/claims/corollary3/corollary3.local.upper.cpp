#ifndef ATTN_RECHECK

#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_local_upper {
namespace {

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {softmax.norm(), attn::corollary3_local_upper(softmax.w) / softmax.temperature};
};

constexpr auto kGershgorinHalved = []<class S>(const Problem& problem) -> Sides<S> {
  const auto w = sorted_softmax<S>(problem);
  return {SoftmaxGradient<S>(problem).norm(), largest_entry(w) / from<S>(problem.temperature())};
};

constexpr auto kSecondWeightAbove = []<class S>(const Problem& problem) -> Sides<S> {
  const auto w = sorted_softmax<S>(problem);
  return {SoftmaxGradient<S>(problem).norm(), w.a[1] / from<S>(problem.temperature())};
};

}  // namespace

Claim claim() {
  return {
      .id = "corollary3.local.upper",
      .title = "The gradient is at most what the weights at hand allow",
      .statement =
          "$||J|| <= min(a_(1), max_i 2 a_i (1 - a_i))/T$ for softmax, $a_(1)$ the "
          "largest weight",
      .paper = "Corollary 3",
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "Interlacing gives $a_(1)$; Gershgorin gives $a_i (1 - a_i) + sum_{j != i} a_i "
          "a_j = 2 a_i (1 - a_i)$.",
      .kind = SoftmaxRow{},
      .evaluators = sides<kSides>,
      .steps = &softmax_steps,
      .example = kTwoEqualLogits,
      .sharpens = "corollary3.sharp",
      .mutants = {on_rows(mutant<kGershgorinHalved>("corollary3.local.upper/no_factor",
                                                    "the factor 2 left out")),
                  on_rows(mutant<kSecondWeightAbove>("corollary3.local.upper/second",
                                                     "$a_(2)$ in place of $a_(1)$"))},
  };
}

}  // namespace attn::claims::corollary3_local_upper

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/gradient.hpp"

namespace attn::recheck::corollary3_local_upper {
namespace {

/// ||J|| <= min(a_(1), max_i 2 a_i (1 - a_i))/T.
Sides sides(const Input& input) {
  const SoftmaxGradient s(input);
  Arb widest;
  for (const Arb& entry : s.diagonal()) widest = max(widest, Arb(2) * entry);
  return {s.norm, min(s.a[0], widest) / s.t};
}

}  // namespace

Check check() {
  return {.sides = &sides};
}

}  // namespace attn::recheck::corollary3_local_upper

#endif
