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
Rational rows_or_columns(const CaseContext& problem, Bound bound) {
  const auto& plan = problem.plan();
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

/// A bound that is attained is found so exactly: no enclosure of the norm would tell.
template <class S, class Bound>
Sides<S> within(const CaseContext& problem, Bound bound) {
  const Rational most = rows_or_columns(problem, bound);
  const S rhs = from<S>(Rational(most / problem.temperature()));
  if constexpr (!std::is_same_v<S, ErrorDouble>) {
    if (is_sinkhorn_norm(problem.plan(), most)) return {rhs, rhs};
  }
  return {sinkhorn_norm<S>(problem), rhs};
}

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  return within<S>(problem, [](const TwoLargest& p) { return p.first * (1 - p.first + p.second); });
};

constexpr auto kSecond = []<class S>(const CaseContext& problem) -> Sides<S> {
  return within<S>(problem, [](const TwoLargest& p) { return p.second; });
};

constexpr auto kWithoutSecond = []<class S>(const CaseContext& problem) -> Sides<S> {
  return within<S>(problem, [](const TwoLargest& p) { return p.first * (1 - p.first); });
};

bool is_short_or_uniform(const CaseContext& problem) {
  const auto& plan = problem.plan();
  return plan.size() == 2 || std::ranges::all_of(plan, [&](const auto& row) {
           return std::ranges::all_of(row, [&](const Rational& p) { return p == plan[0][0]; });
         });
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
          "$p_(2) <= 1 - p_(1)$. Attained by every plan of $L = 2$ and by the uniform ones.",
      .kind = InputKind::transport_plan,
      .evaluators = sides<kSides>,
      .attained = &is_short_or_uniform,
      .example = R"({"plan":[["3/10","7/10"],["7/10","3/10"]],"temperature":"1"})",
      .sharpens = "lipschitz.sinkhorn.sharp",
      .mutants = {mutant<kWithoutSecond>("entry", "$p_(2)$ left out"),
                  mutant<kSecond>("second", "$p_(2)$ in place of $p_(1) (1 - p_(1) + p_(2))$"),
                  strict()},
  };
}

}  // namespace attn::claims::lipschitz_sinkhorn_local
