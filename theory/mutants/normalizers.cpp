#include "theory/claims/normalizers.hpp"

#include "theory/mutants/mutant.hpp"

namespace attn {

namespace {

/// ln L taken as 1.
struct WithoutLength {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return {jacobian_norm(problem, normalize<S>(problem)),
            corollary3_sharp_bound(from<S>(problem.temperature()))};
  }
};

/// p taken as 1, p b^(p-1) as b^(p-1).
struct WithoutDegree {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto s = sides_of<S>(*find_claim("lipschitz.polynomial").evaluators, problem);
    return {s.lhs, s.rhs / from_count<S>(problem.degree())};
  }
};

constexpr std::string_view kHalf = "the bound halved";
constexpr std::string_view kThird = "a third of the bound";
constexpr std::string_view kNoTemperature = "$1/T$ left out";

constexpr Mutant kMutants[] = {
    mutant<Scaled<"lipschitz.sigmoid", 1, 2>>("lipschitz.sigmoid/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.sigmoid">>("lipschitz.sigmoid/no_t", kNoTemperature),
    mutant<Scaled<"lipschitz.softplus", 1, 2>>("lipschitz.softplus/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.softplus">>("lipschitz.softplus/no_t", kNoTemperature),
    mutant<Scaled<"lipschitz.taylor", 1, 2>>("lipschitz.taylor/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.taylor">>("lipschitz.taylor/no_t", kNoTemperature),
    mutant<WithoutLength>("lipschitz.scalable_softmax/no_length", "$ln L$ left out"),
    mutant<Scaled<"lipschitz.scalable_softmax", 1, 2>>("lipschitz.scalable_softmax/half", kHalf),
    strict("lipschitz.scalable_softmax/strict"),
    mutant<Scaled<"lipschitz.sparsemax", 1, 2>>("lipschitz.sparsemax/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.sparsemax">>("lipschitz.sparsemax/no_t", kNoTemperature),
    mutant<Scaled<"lipschitz.entmax", 1, 2>>("lipschitz.entmax/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.entmax">>("lipschitz.entmax/no_t", kNoTemperature),
    strict("lipschitz.entmax/strict"),
    mutant<Scaled<"lipschitz.softmax1", 1, 2>>("lipschitz.softmax1/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.softmax1">>("lipschitz.softmax1/no_t", kNoTemperature),
    mutant<Scaled<"lipschitz.sigmoid_attention", 1, 2>>("lipschitz.sigmoid_attention/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.sigmoid_attention">>("lipschitz.sigmoid_attention/no_t",
                                                              kNoTemperature),
    mutant<Scaled<"lipschitz.relu_attention", 1, 2>>("lipschitz.relu_attention/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.relu_attention">>("lipschitz.relu_attention/no_t",
                                                           kNoTemperature),
    mutant<Scaled<"lipschitz.pooling", 1, 2>>("lipschitz.pooling/half", kHalf),
    mutant<WithoutTemperature<"lipschitz.pooling">>("lipschitz.pooling/no_t", kNoTemperature),
    strict("lipschitz.pooling/strict"),
    mutant<Scaled<"lipschitz.sinkhorn", 1, 3>>("lipschitz.sinkhorn/third", kThird),
    mutant<WithoutTemperature<"lipschitz.sinkhorn">>("lipschitz.sinkhorn/no_t", kNoTemperature),
    mutant<Scaled<"lipschitz.sinkhorn.sharp", 1, 2>>("lipschitz.sinkhorn.sharp/half", kHalf),
    strict("lipschitz.sinkhorn.sharp/strict"),
    mutant<WithoutDegree>("lipschitz.polynomial/no_degree", "the factor $p$ left out"),
    strict("lipschitz.polynomial/strict"),
};

}  // namespace

std::span<const Mutant> normalizer_mutants() {
  return kMutants;
}

}  // namespace attn
