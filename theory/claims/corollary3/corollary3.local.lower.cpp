#ifndef ATTN_RECHECK

#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_local_lower {
namespace {

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {softmax.w.a[1] / softmax.temperature, softmax.norm()};
};

constexpr auto kLargestWeightBelow = []<class S>(const Problem& problem) -> Sides<S> {
  const auto w = sorted_softmax<S>(problem);
  return {w.a[0] / from<S>(problem.temperature()), SoftmaxGradient<S>(problem).norm()};
};

constexpr auto kTwiceSecondWeight = []<class S>(const Problem& problem) -> Sides<S> {
  const SoftmaxGradient<S> gradient(problem);
  return {S(2.0) * gradient.second(), gradient.norm()};
};

}  // namespace

Claim claim() {
  return {
      .id = "corollary3.local.lower",
      .title = "The gradient is at least the second weight",
      .statement = "$a_(2)/T <= ||J||$ for softmax, $a_(2)$ the second largest weight",
      .paper = "Corollary 3",
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "$diag a - a a^T$ is a diagonal minus a rank one: its largest eigenvalue lies "
          "between the two largest weights (interlacing).",
      .kind = SoftmaxRow{},
      .evaluators = sides<kSides>,
      .steps = &softmax_steps,
      .example = kTwoEqualLogits,
      .mutants = {on_rows(mutant<kLargestWeightBelow>("corollary3.local.lower/largest",
                                                      "$a_(1)$ in place of $a_(2)$")),
                  strict("corollary3.local.lower/strict"),
                  on_rows(mutant<kTwiceSecondWeight>("corollary3.local.lower/twice",
                                                     "$2 a_(2)$ in place of $a_(2)$"))},
  };
}

}  // namespace attn::claims::corollary3_local_lower

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/gradient.hpp"

namespace attn::recheck::corollary3_local_lower {
namespace {

/// a_(2)/T <= ||J||.
Sides sides(const Input& input) {
  const SoftmaxGradient s(input);
  return {s.a[1] / s.t, s.norm};
}

}  // namespace

Check check() {
  return {.sides = &sides};
}

}  // namespace attn::recheck::corollary3_local_lower

#endif
