#include "theory/claims/distance.hpp"

#include "theory/claims/families.hpp"

namespace attn {
namespace {

/// theorem1.fixed and theorem1.fixed.any_set: the same inequality, for the top N and for any set.
struct Theorem1 {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = distance_terms<S>(problem);
    return {t.distance, theorem1_bound(t)};
  }
};

struct Theorem1AnySet {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = distance_terms<S>(problem);
    return {t.distance, theorem1_bound_any_set(t)};
  }
};

struct Theorem1SharpUpper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = centred_terms<S>(problem);
    return {t.distance, t.above};
  }
};

struct Theorem1SharpLower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = centred_terms<S>(problem);
    return {t.below, t.distance};
  }
};

std::vector<Step> distance_steps(const Problem& problem) {
  const auto t = distance_terms<Interval<50>>(problem);
  return {{"A", t.mass},     {"1 - A", t.outside}, {"A (L-N) - (1-A)", t.excess},
          {"D", t.distance}, {"d1", t.spread},     {"X", t.radius}};
}

std::vector<Step> centred_steps(const Problem& problem) {
  std::vector<Step> steps = distance_steps(problem);
  const auto t = centred_terms<Interval<50>>(problem);
  steps.push_back({"||c|| (A (L-N) - (1-A))", t.core});
  steps.push_back({"sum_{i not in I} a_i ||x_i - c||", t.around});
  return steps;
}

constexpr Claim kClaims[] = {
    {
        .id = "theorem1.fixed",
        .title = "Distance between the top-N tokens and the rest",
        .statement = "D <= (1-A) d1 + X (A (L-N) - (1-A)), where I holds the N largest weights, "
                     "A = sum_{i in I} a_i, s = sum_{i in I} a_i x_i, D = sum_{i not in I} "
                     "||a_i x_i - s||, d1 = max_{i not in I, j in I} ||x_i - x_j||, "
                     "X = max_{j in I} ||x_j||",
        .paper = "Theorem 1 (1)",
        .provenance = Provenance::quoted,
        .status = Status::proved,
        .argument =
            "a_i x_i - s = sum_{j in I} (a_j/A) [a_i (x_i - x_j) - (A - a_i) x_j]. For i not "
            "in I, A >= a_i because I holds the largest weights, so ||a_i x_i - s|| <= a_i d1 "
            "+ (A - a_i) X; sum over the L-N tokens outside. Attained when all x are equal.",
        .kind = TopNEmbeddings{},
        .evaluators = evaluators_of<Theorem1>(),
        .unmet = &breaks_theorem1,
        .steps = &distance_steps,
        .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1"]],"N":1})",
    },
    {
        .id = "theorem1.fixed.sharp.upper",
        .title = "The distance, measured about the selected tokens' centre",
        .statement = "D <= ||c|| (A (L-N) - (1-A)) + sum_{i not in I} a_i ||x_i - c||, c = s/A, "
                     "where I holds the N largest weights",
        .paper = "Theorem 1 (1)",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "a_i x_i - s = a_i (x_i - c) - (A - a_i) c with A >= a_i; sum over the L-N "
                    "tokens outside. Never looser than theorem1.fixed, since ||c|| <= X and "
                    "||x_i - c|| <= d1. Attained when all x are equal.",
        .kind = TopNEmbeddings{},
        .evaluators = evaluators_of<Theorem1SharpUpper>(),
        .unmet = &breaks_theorem1,
        .steps = &centred_steps,
        .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1"]],"N":1})",
        .sharpens = "theorem1.fixed",
    },
    {
        .id = "theorem1.fixed.sharp.lower",
        .title = "The distance from below",
        .statement = "||c|| (A (L-N) - (1-A)) - sum_{i not in I} a_i ||x_i - c|| <= D, c = s/A, "
                     "where I holds the N largest weights",
        .paper = "Theorem 1 (1)",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "a_i x_i - s = a_i (x_i - c) - (A - a_i) c with A >= a_i, and the triangle "
                    "inequality the other way; sum over the L-N tokens outside. Attained when all "
                    "x are equal.",
        .kind = TopNEmbeddings{},
        .evaluators = evaluators_of<Theorem1SharpLower>(),
        .unmet = &breaks_theorem1,
        .steps = &centred_steps,
        .example = R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1"],["1"],["1"]],"N":2})",
    },
    {
        .id = "theorem1.fixed.any_set",
        .title = "The same bound for an arbitrary fixed set",
        .statement = "D <= (1-A) d1 + X (A (L-N) - (1-A)) for any set I of N tokens",
        .paper = "Theorem 1 (1), read for any set",
        .provenance = Provenance::quoted,
        .status = Status::refuted,
        .argument =
            "L = 2, a = (1/100, 99/100), x_1 = x_2 = (1, 0), I = {1}: s = (1/100, 0), so "
            "D = 99/100 - 1/100 = 0.98. With d1 = 0, X = 1, A = 1/100 the right-hand side is "
            "1/100 - 99/100 = -0.98.",
        .kind = SetEmbeddings{},
        .evaluators = evaluators_of<Theorem1>(),
        .unmet = &breaks_theorem1,
        .steps = &distance_steps,
        .example = R"({"weights":["1/100","99/100"],"embeddings":[["1","0"],["1","0"]],"set":[0]})",
    },
    {
        .id = "theorem1.fixed.any_set.repaired",
        .title = "The bound that holds for any set",
        .statement = "D <= (1-A) d1 + X sum_{i not in I} |A - a_i| for any set I",
        .paper = "Theorem 1 (1)",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "The proof of theorem1.fixed with the absolute value of A - a_i kept.",
        .kind = SetEmbeddings{},
        .evaluators = evaluators_of<Theorem1AnySet>(),
        .unmet = &breaks_theorem1,
        .steps = &distance_steps,
        .example = R"({"weights":["1/4","3/4"],"embeddings":[["1"],["1"]],"set":[0]})",
    },
};

}  // namespace

std::span<const Claim> distance_claims() {
  return kClaims;
}

}  // namespace attn
