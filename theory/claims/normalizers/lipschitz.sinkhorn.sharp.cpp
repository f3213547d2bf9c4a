#include "theory/attention/sinkhorn.hpp"
#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sinkhorn_sharp {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {sinkhorn_norm<S>(context), corollary3_sharp_bound(from<S>(context.temperature()))};
};

Claim claim() {
  return {
      .id = "lipschitz.sinkhorn.sharp",
      .title = "The sharp gradient bound of Sinkhorn attention",
      .statement =
          "$||J|| <= 1/(2T)$, $J = dP/dC$, $||J||$ its spectral norm, for the doubly stochastic "
          "$P$ that the rows and columns of $exp(C/T)$ are scaled to, $C$ any square matrix, $T > "
          "0$",
      .paper = kOtherNormalizers,
      .argument =
          "$T J = D^(1/2) (I - Q) D^(1/2)$ as in lipschitz.sinkhorn. With only the rows of $B$ "
          "that give row sums in place of $B$, $Q$ would project on a part of its range: it would "
          "be smaller, and $T J$ larger. That larger matrix is block diagonal, with $diag p - p "
          "p^T$ for each row $p$ of $P$, of norm at most $1/2$ (lemma2.sharp): the square roots of "
          "$p$ are a unit vector, along which $Q$ projects. Both are positive semidefinite, so "
          "that the smaller one has the smaller norm. Attained at $L = 2$, all $P_ij = 1/2$.",
      .kind = InputKind::transport_plan,
      .evaluators = sides<kSides>,
      .attained =
          [](const CaseContext& context) {
            return context.plan().size() == 2 && context.plan()[0][0] == Rational(1, 2);
          },
      .example = R"({"plan":[["1/2","1/2"],["1/2","1/2"]],"temperature":"1"})",
      .sharpens = "lipschitz.sinkhorn",
      .mutants = {scaled<kSides, 1, 2>("half", kHalf), strict()},
  };
}

}  // namespace attn::claims::lipschitz_sinkhorn_sharp
