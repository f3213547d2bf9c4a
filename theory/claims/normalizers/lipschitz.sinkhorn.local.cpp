#include <functional>

#include "theory/attention/sinkhorn.hpp"
#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sinkhorn_local {

/// p_(1) and p_(2) of one row or column.
struct TwoLargest {
  Rational first, second;
};

TwoLargest two_largest(std::vector<Rational> p) {
  std::ranges::partial_sort(p, p.begin() + 2, std::greater<>());
  return {p[0], p[1]};
}

/// The lesser of the maxima over rows and over columns of `bound(two largest entries)`.
template <class Bound>
Rational rows_or_columns(const CaseContext& context, Bound bound) {
  const auto& plan = context.plan();
  Rational rows = 0;
  Rational columns = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    std::vector<Rational> column;
    for (const auto& row : plan) column.push_back(row[i]);
    rows = std::max(rows, Rational(bound(two_largest(plan[i]))));
    columns = std::max(columns, Rational(bound(two_largest(column))));
  }
  return std::min(rows, columns);
}

template <class S, class Bound>
Sides<S> within(const CaseContext& context, Bound bound) {
  const Rational most = rows_or_columns(context, bound);
  return {sinkhorn_norm<S>(context), from<S>(Rational(most / context.temperature()))};
}

/// p_(1) (1 - p_(1) + p_(2)).
Rational local_bound(const TwoLargest& p) {
  return p.first * (1 - p.first + p.second);
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return within<S>(context, &local_bound);
};

constexpr auto kSecond = []<class S>(const CaseContext& context) -> Sides<S> {
  return within<S>(context, [](const TwoLargest& p) { return p.second; });
};

constexpr auto kWithoutSecond = []<class S>(const CaseContext& context) -> Sides<S> {
  return within<S>(context, [](const TwoLargest& p) { return p.first * (1 - p.first); });
};

/// min(R, Q) is the largest eigenvalue of J T, decided exactly.
bool is_norm(const CaseContext& context) {
  return is_sinkhorn_norm(context.plan(), rows_or_columns(context, &local_bound));
}

Claim claim() {
  return {
      .id = "lipschitz.sinkhorn.local",
      .title = "The gradient of Sinkhorn attention is at most what the plan at hand allows",
      .statement =
          "$||J|| <= min(R, Q)/T$, $J = dP/dC$, $||J||$ its spectral norm, for the doubly "
          "stochastic $P$ that the rows and columns of $exp(C/T)$ are scaled to, $C$ any square "
          "matrix, $T > 0$, $R$ the largest of $p_(1) (1 - p_(1) + p_(2))$ over the rows $p$ of "
          "$P$ and $Q$ over its columns, $p_(1) >= p_(2)$ the two largest entries",
      .paper = kOtherNormalizers,
      .argument =
          "$J = D^(1/2) (I - Pi) D^(1/2)/T$, $D = diag(vec P)$, where $Pi$ projects on the span of "
          "$D^(1/2) B^T$, $B$ the row and column sums. With the rows' sums alone the span is "
          "smaller, so $Pi$ is, and $J T$ is at most the block diagonal matrix of $diag p - p "
          "p^T$, $p$ the rows; each block has norm at most $p_(1) (1 - p_(1) + p_(2))$, as in "
          "lemma2.local. The same with the columns. Never looser than lipschitz.sinkhorn.sharp: "
          "$p_(2) <= 1 - p_(1)$. Attained just where $min(R, Q)$ is an eigenvalue of $J T$, whose "
          "inverse on the matrices $w$ of zero row and column sums is $sum w_ij^2/P_ij$: where "
          "$sum (min(R, Q)/P_ij - 1) w_ij^2$ is 0 for such a $w != 0$. So by every plan of $L = 2$ "
          "and by the uniform ones.",
      .kind = InputKind::transport_plan,
      .evaluators = sides<kSides>,
      .attained = &is_norm,
      .example = R"({"plan":[["3/10","7/10"],["7/10","3/10"]],"temperature":"1"})",
      .sharpens = "lipschitz.sinkhorn.sharp",
      .mutants = {mutant<kWithoutSecond>("entry", "$p_(2)$ left out"),
                  mutant<kSecond>("second", "$p_(2)$ in place of $p_(1) (1 - p_(1) + p_(2))$"),
                  strict()},
  };
}

}  // namespace attn::claims::lipschitz_sinkhorn_local
