#include "theory/claims/gradient.hpp"

#include "theory/claims/families.hpp"

namespace attn {
namespace {

struct Lemma2 {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Normalized<S> f = normalize<S>(problem);
    return {jacobian_norm(problem, f), lemma2_bound(f)};
  }
};

struct Lemma2Sharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Normalized<S> f = normalize<S>(problem);
    return {jacobian_norm(problem, f), lemma2_sharp_bound(f)};
  }
};

struct Lemma2Oblique {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Normalized<S> f = normalize<S>(problem);
    return {jacobian_norm(problem, f), lemma2_oblique_bound(f)};
  }
};

/// The softmax weights and the temperature, which every part of Corollary 3 starts from.
template <class S>
struct Softmax {
  SortedWeights<S> w;
  S temperature;
  explicit Softmax(const Problem& problem)
      : w(sorted_softmax<S>(problem)), temperature(from<S>(problem.temperature())) {}
  [[nodiscard]] S norm() const { return softmax_jacobian_norm(w) / temperature; }
};

struct Corollary3 {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.norm(), corollary3_printed_bound(softmax.temperature)};
  }
};

struct Corollary3Entrywise {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {largest_entry(softmax.w) / softmax.temperature,
            S(1.0) / (S(4.0) * softmax.temperature)};
  }
};

struct Corollary3Sharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.norm(), corollary3_sharp_bound(softmax.temperature)};
  }
};

struct Corollary3LocalLower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.w.a[1] / softmax.temperature, softmax.norm()};
  }
};

struct Corollary3LocalUpper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Softmax<S> softmax(problem);
    return {softmax.norm(), corollary3_local_upper(softmax.w) / softmax.temperature};
  }
};

struct StepPrinted {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto step = softmax_step<S>(problem);
    return {step.quotient, corollary3_printed_bound(step.temperature)};
  }
};

struct StepSharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto step = softmax_step<S>(problem);
    return {step.quotient, min(corollary3_sharp_bound(step.temperature),
                               S(sqrt_nonnegative(S(2.0)) / step.epsilon))};
  }
};

std::vector<Step> lemma2_steps(const Problem& problem) {
  const auto f = normalize<Interval<50>>(problem);
  return {{"||J||", jacobian_norm(problem, f)},
          {"printed bound", lemma2_bound(f)},
          {"(1/2) max_j |F'_j/F_j|", lemma2_sharp_bound(f)},
          {"sqrt(L) ||a|| max|F'|/S", lemma2_oblique_bound(f)}};
}

std::vector<Step> softmax_steps(const Problem& problem) {
  const Softmax<Interval<50>> softmax(problem);
  return {{"a_(1)", softmax.w.a[0]},
          {"a_(2)", softmax.w.a[1]},
          {"max_i a_i (1 - a_i)", largest_entry(softmax.w)},
          {"||J||", softmax.norm()}};
}

std::vector<Step> step_steps(const Problem& problem) {
  const auto step = softmax_step<Interval<50>>(problem);
  return {{"g(T, epsilon)", step.quotient},
          {"1/(4T)", corollary3_sharp_bound(step.temperature) / 2},
          {"1/(2T)", corollary3_sharp_bound(step.temperature)},
          {"sqrt(2)/epsilon", sqrt_nonnegative(Interval<50>(2)) / step.epsilon}};
}

constexpr std::string_view kTwoEqualLogits = R"({"logits":["0","0"],"temperature":"1"})";

constexpr Claim kClaims[] = {
    {
        .id = "lemma2",
        .title = "How large the gradient of a normaliser gets",
        .statement = "||J|| <= max|F'| (1/(L min F) + max F/(L (min F)^2)), J = da/dl, maxima over "
                     "the given logits",
        .paper = "Lemma 2",
        .provenance = Provenance::reconstructed,
        .status = Status::proved,
        .argument = "J = diag(F')/S - F F'^T/S^2, so ||J|| <= max|F'|/S + ||F|| ||F'||/S^2 with "
                    "S >= L min F, ||F|| <= sqrt(L) max F, ||F'|| <= sqrt(L) max|F'|. Always at "
                    "least twice too large.",
        .kind = NormalizedRow{},
        .evaluators = evaluators_of<Lemma2>(),
        .unmet = &breaks_lemma2,
        .steps = &lemma2_steps,
    },
    {
        .id = "lemma2.sharp",
        .title = "The sharp gradient bound of a normaliser",
        .statement = "||J|| <= (1/2) max_j |F'(l_j)/F(l_j)|",
        .paper = "Lemma 2",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J = (diag a - a a^T) diag(F'/F), and ||diag a - a a^T|| <= 1/2. Attained at "
                    "L = 2 with equal logits; on many tokens of nearly equal weight lemma2 is the "
                    "smaller of the two.",
        .kind = NormalizedRow{},
        .evaluators = evaluators_of<Lemma2Sharp>(),
        .unmet = &breaks_lemma2,
        .steps = &lemma2_steps,
        .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
        .sharpens = "lemma2",
    },
    {
        .id = "lemma2.oblique",
        .title = "The gradient bound from an oblique projection",
        .statement = "||J|| <= sqrt(L) ||a|| max|F'|/S, S = sum_j F(l_j)",
        .paper = "Lemma 2",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J = (I - a 1^T) diag(F')/S, and ||I - a 1^T|| = sqrt(L) ||a|| for an oblique "
                    "projection along a. Never looser than lemma2. Attained with equal logits.",
        .kind = NormalizedRow{},
        .evaluators = evaluators_of<Lemma2Oblique>(),
        .unmet = &breaks_lemma2,
        .steps = &lemma2_steps,
        .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
        .sharpens = "lemma2",
    },
    {
        .id = "corollary3",
        .title = "The printed gradient bound of softmax",
        .statement = "||J|| <= min{1/(4T), sqrt 2} for softmax",
        .paper = "Corollary 3",
        .provenance = Provenance::quoted,
        .status = Status::refuted,
        .argument = "L = 2, equal logits: a = (1/2, 1/2), J = (1/(4T)) [[1, -1], [-1, 1]], whose "
                    "norm is 2/(4T) = 1/(2T): twice the printed 1/(4T).",
        .kind = SoftmaxRow{},
        .evaluators = evaluators_of<Corollary3>(),
        .steps = &softmax_steps,
        .example = kTwoEqualLogits,
    },
    {
        .id = "corollary3.entrywise",
        .title = "Where 1/4 comes from: the entries of the gradient",
        .statement = "max_ij |J_ij| <= 1/(4T) for softmax",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "J_ii = a_i (1 - a_i)/T <= 1/(4T), and |J_ij| = a_i a_j/T <= a_i (1 - a_i)/T.",
        .kind = SoftmaxRow{},
        .evaluators = evaluators_of<Corollary3Entrywise>(),
        .steps = &softmax_steps,
        .example = kTwoEqualLogits,
    },
    {
        .id = "corollary3.sharp",
        .title = "The sharp gradient bound of softmax",
        .statement = "||J|| <= 1/(2T) for softmax",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "lemma2.sharp with F'/F = 1/T. Attained at L = 2 with equal logits.",
        .kind = SoftmaxRow{},
        .evaluators = evaluators_of<Corollary3Sharp>(),
        .steps = &softmax_steps,
        .example = kTwoEqualLogits,
    },
    {
        .id = "corollary3.local.lower",
        .title = "The gradient is at least the second weight",
        .statement = "a_(2)/T <= ||J|| for softmax, a_(2) the second largest weight",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "diag a - a a^T is a diagonal minus a rank one: its largest eigenvalue lies "
                    "between the two largest weights (interlacing).",
        .kind = SoftmaxRow{},
        .evaluators = evaluators_of<Corollary3LocalLower>(),
        .steps = &softmax_steps,
        .example = kTwoEqualLogits,
    },
    {
        .id = "corollary3.local.upper",
        .title = "The gradient is at most what the weights at hand allow",
        .statement = "||J|| <= min(a_(1), max_i 2 a_i (1 - a_i))/T for softmax, a_(1) the largest "
                     "weight",
        .paper = "Corollary 3",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument =
            "Interlacing gives a_(1); Gershgorin gives a_i (1 - a_i) + sum_{j != i} a_i a_j "
            "= 2 a_i (1 - a_i).",
        .kind = SoftmaxRow{},
        .evaluators = evaluators_of<Corollary3LocalUpper>(),
        .steps = &softmax_steps,
        .example = kTwoEqualLogits,
        .sharpens = "corollary3.sharp",
    },
    {
        .id = "corollary3.step.printed",
        .title = "The printed bound on a finite step of softmax",
        .statement = "g(T, epsilon) <= min{1/(4T), sqrt 2}, g = ||softmax((l + epsilon v)/T) - "
                     "softmax(l/T)||/epsilon, ||v|| = 1",
        .paper = "Corollary 3, the finite difference of its experiment",
        .provenance = Provenance::quoted,
        .status = Status::refuted,
        .argument = "L = 2, l = (0, 0), T = 1, v = (1, -1)/sqrt 2, epsilon = 1: the weights move "
                    "from 1/2 to 1/(1 + exp(-sqrt 2)) = 0.8044..., each by 0.3044..., so g = "
                    "0.4305... > 1/4.",
        .kind = SoftmaxDirection{},
        .evaluators = evaluators_of<StepPrinted>(),
        .steps = &step_steps,
        .example = R"({"logits":["0","0"],"temperature":"1","epsilon":"1","direction":["1","-1"]})",
    },
    {
        .id = "corollary3.step",
        .title = "The bound on a finite step of softmax that holds",
        .statement = "g(T, epsilon) <= min{1/(2T), sqrt(2)/epsilon}",
        .paper = "Corollary 3, the finite difference of its experiment",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "The mean value theorem with corollary3.sharp; and two points of the simplex "
                    "are at most sqrt 2 apart. Both are approached: epsilon -> 0 at L = 2 with "
                    "equal logits, and a long step that moves nearly all the weight from one "
                    "token to another.",
        .kind = SoftmaxDirection{},
        .evaluators = evaluators_of<StepSharp>(),
        .steps = &step_steps,
    },
};

}  // namespace

std::span<const Claim> gradient_claims() {
  return kClaims;
}

}  // namespace attn
