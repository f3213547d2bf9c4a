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
        .shape = Shape::top_n_embeddings,
        .evaluators = evaluators_of<Theorem1>(),
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
        .shape = Shape::set_embeddings,
        .evaluators = evaluators_of<Theorem1>(),
    },
    {
        .id = "theorem1.fixed.any_set.repaired",
        .title = "The bound that holds for any set",
        .statement = "D <= (1-A) d1 + X sum_{i not in I} |A - a_i| for any set I",
        .paper = "Theorem 1 (1)",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "The proof of theorem1.fixed with the absolute value of A - a_i kept.",
        .shape = Shape::set_embeddings,
        .evaluators = evaluators_of<Theorem1AnySet>(),
    },
};

}  // namespace

std::span<const Claim> distance_claims() {
  return kClaims;
}

}  // namespace attn
