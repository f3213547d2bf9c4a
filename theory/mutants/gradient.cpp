#include "theory/claims/gradient.hpp"

#include "theory/mutants/mutant.hpp"

namespace attn {

namespace {

template <class S>
S temperature_of(const Problem& problem) {
  return from<S>(problem.temperature());
}

template <class S>
S softmax_gradient(const Problem& problem) {
  return softmax_jacobian_norm(sorted_softmax<S>(problem)) / temperature_of<S>(problem);
}

struct ExtremesSwapped {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto f = normalize<S>(problem);
    S most = f.value.front();
    S steepest(0.0);
    for (std::size_t i = 0; i < f.value.size(); ++i) {
      most = max(most, f.value[i]);
      steepest = max(steepest, S(abs(f.derivative[i])));
    }
    const S count = from_count<S>(f.value.size());
    return {jacobian_norm(problem, f), S(2.0) * steepest / (count * most)};
  }
};

struct WithoutSlope {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {jacobian_norm(problem, normalize<S>(problem)), S(0.5)};
  }
};

struct EighthEntrywise {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {largest_entry(sorted_softmax<S>(problem)), S(0.125)};
  }
};

struct QuarterNorm {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {softmax_gradient<S>(problem), S(1.0) / (S(4.0) * temperature_of<S>(problem))};
  }
};

struct LargestWeightBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto w = sorted_softmax<S>(problem);
    return {w.a[0] / temperature_of<S>(problem), softmax_gradient<S>(problem)};
  }
};

struct GershgorinHalved {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto w = sorted_softmax<S>(problem);
    return {softmax_gradient<S>(problem), largest_entry(w) / temperature_of<S>(problem)};
  }
};

struct SecondWeightAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto w = sorted_softmax<S>(problem);
    return {softmax_gradient<S>(problem), w.a[1] / temperature_of<S>(problem)};
  }
};

struct ObliqueWithoutRoot {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto f = normalize<S>(problem);
    const S root = sqrt_nonnegative(from_count<S>(f.value.size()));
    return {jacobian_norm(problem, f), lemma2_oblique_bound(f) / root};
  }
};

struct StepQuarter {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto step = softmax_step<S>(problem);
    const S slope = corollary3_sharp_bound(step.temperature) / S(2.0);
    return {step.quotient, min(slope, S(sqrt_nonnegative(S(2.0)) / step.epsilon))};
  }
};

struct StepDiameterOne {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto step = softmax_step<S>(problem);
    return {step.quotient, min(corollary3_sharp_bound(step.temperature), S(S(1.0) / step.epsilon))};
  }
};

constexpr Mutant kMutants[] = {
    mutant<ExtremesSwapped>("lemma2/swapped", "max F in place of min F"),
    mutant<Scaled<"lemma2", 1, 3>>("lemma2/third", "a third of the bound"),
    mutant<WithoutSlope>("lemma2.sharp/no_slope", "max |F'/F| left out"),
    strict("lemma2.sharp/strict"),
    mutant<ObliqueWithoutRoot>("lemma2.oblique/no_root", "sqrt(L) left out"),
    strict("lemma2.oblique/strict"),
    mutant<EighthEntrywise>("corollary3.entrywise/eighth", "1/8 in place of 1/4"),
    strict("corollary3.entrywise/strict"),
    mutant<QuarterNorm>("corollary3.sharp/quarter", "1/(4T) in place of 1/(2T)"),
    strict("corollary3.sharp/strict"),
    on_rows(
        mutant<LargestWeightBelow>("corollary3.local.lower/largest", "a_(1) in place of a_(2)")),
    strict("corollary3.local.lower/strict"),
    on_rows(mutant<GershgorinHalved>("corollary3.local.upper/no_factor", "the factor 2 left out")),
    on_rows(mutant<SecondWeightAbove>("corollary3.local.upper/second", "a_(2) in place of a_(1)")),
    mutant<StepQuarter>("corollary3.step/quarter", "1/(4T) in place of 1/(2T)"),
    mutant<StepDiameterOne>("corollary3.step/diameter", "1 in place of sqrt(2), the diameter"),
};

}  // namespace

std::span<const Mutant> gradient_mutants() {
  return kMutants;
}

}  // namespace attn
