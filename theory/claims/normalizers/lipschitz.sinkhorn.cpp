#include "theory/attention/sinkhorn.hpp"
#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sinkhorn {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {sinkhorn_norm<S>(context), S(1.0) / from<S>(context.temperature())};
};

Claim claim() {
  return {
      .id = "lipschitz.sinkhorn",
      .title = "The gradient of Sinkhorn attention",
      .statement =
          "$||J|| <= 1/T$, $J = dP/dC$, $||J||$ its spectral norm, for the doubly stochastic $P$ "
          "that the rows and columns of $exp(C/T)$ are scaled to, $C$ any square matrix, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "$log P = C/T + u 1^T + 1 v^T$ for vectors $u$, $v$ that are unique up to a number added "
          "to one and taken off the other (Sinkhorn's theorem), and depend smoothly on $C$ "
          "(implicit functions). With $D = diag(vec P)$, $B$ the matrix that takes $vec P$ to its "
          "row and column sums and $w = (u, v)$, $d p = D (d c/T + B^T d w)$ and $B d p = 0$, "
          "where $p = vec P$, $c = vec C$. Eliminating $d w$, $J = (D - D B^T (B D B^T)^+ B D)/T = "
          "D^(1/2) (I - Q) D^(1/2)/T$, $Q$ the orthogonal projection on the range of $D^(1/2) "
          "B^T$: positive semidefinite and at most $D/T$, whose entries are at most $1/T$. Always "
          "at least twice too large: lipschitz.sinkhorn.sharp.",
      .kind = InputKind::transport_plan,
      .evaluators = sides<kSides>,
      .mutants = {scaled<kSides, 1, 3>("third", "a third of the bound"),
                  without_temperature<kSides>()},
  };
}

}  // namespace attn::claims::lipschitz_sinkhorn
