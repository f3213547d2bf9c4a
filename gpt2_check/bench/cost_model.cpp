#include "gpt2_check/bench/cost_model.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gpt2_check/rows/cut_windows.hpp"

namespace attn::gpt2 {

double CostModel::of(const WindowShape& shape) const {
  double cost = 0;
  for (std::size_t t = 0; t < terms.size(); ++t) cost += coefficients[t] * terms[t].of(shape);
  return cost;
}

double CostModel::worst_error(const std::vector<MeasuredWindow>& measured) const {
  double worst = 0;
  for (const auto& [shape, cost] : measured) {
    worst = std::max(worst, std::abs(of(shape) / cost - 1));
  }
  return worst;
}

CostModel fit(std::vector<Term> terms, const std::vector<MeasuredWindow>& measured) {
  const auto rows = static_cast<Eigen::Index>(measured.size());
  const auto columns = static_cast<Eigen::Index>(terms.size());
  // What a term with the coefficient 1 is of the measured cost: a relative error is that of 1.
  const auto shares = Eigen::MatrixXd::NullaryExpr(rows, columns, [&](auto row, auto column) {
    const auto& [shape, cost] = measured[static_cast<std::size_t>(row)];
    return terms[static_cast<std::size_t>(column)].of(shape) / cost;
  });
  const Eigen::VectorXd best =
      Eigen::MatrixXd(shares).colPivHouseholderQr().solve(Eigen::VectorXd::Ones(rows));
  return {std::move(terms), {best.begin(), best.end()}};
}

double RunCost::seconds(std::uint64_t ranks) const {
  const std::uint64_t cut = cut_windows(windows, ranks, layers);
  const std::uint64_t most = (windows - cut + ranks - 1) / ranks;
  return (static_cast<double>(most) + windows_of_time(cut, ranks)) * window_seconds +
         static_cast<double>(windows) * fold_seconds;
}

double RunCost::efficiency(std::uint64_t ranks) const {
  return seconds(1) / (static_cast<double>(ranks) * seconds(ranks));
}

}  // namespace attn::gpt2
