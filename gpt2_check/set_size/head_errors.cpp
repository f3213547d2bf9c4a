#include "gpt2_check/set_size/head_errors.hpp"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpt2_check/experiments/row_measures.hpp"
#include "reports/record/fields.hpp"

namespace attn::gpt2 {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

/// One row with its tokens in the order of their weights.
struct RankedRow {
  ArrayXd weights;  ///< [L], descending
  MatrixXd values;  ///< [L, d]
  MatrixXd added;   ///< a_i x_i
};

RankedRow ranked(const ArrayXd& weights, const MatrixXd& values) {
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) { return weights[i]; });
  RankedRow row{weights(order), values(order, Eigen::all), {}};
  row.added = row.weights.matrix().asDiagonal() * row.values;
  return row;
}

/// d1: the largest distance of one of the first N values from one of the others.
double largest_distance(const MatrixXd& values, Index n) {
  const MatrixXd inside = values.topRows(n);
  const MatrixXd outside = values.bottomRows(values.rows() - n);
  MatrixXd squares = -2 * outside * inside.transpose();
  squares.rowwise() += inside.rowwise().squaredNorm().transpose();
  squares.colwise() += outside.rowwise().squaredNorm();
  return std::sqrt(std::max(squares.maxCoeff(), 0.0));
}

/// P, R and N_s/N of the first N about their sum.
Scores scores_of(const RankedRow& row, Index n, const RowVectorXd& sum) {
  const ArrayXd distances = (row.added.rowwise() - sum).rowwise().norm();
  const auto inside = distances.head(n);
  const auto outside = distances.tail(distances.size() - n);
  const double nearest = outside.minCoeff();
  return scores({.nearest_outside = nearest,
                 .within = static_cast<std::size_t>((inside <= nearest).count()),
                 .inside = static_cast<std::size_t>((inside < nearest).count()),
                 .intruders = static_cast<std::size_t>((outside <= inside.maxCoeff()).count())},
                static_cast<std::size_t>(n));
}

report::SetSizeError error_of(const RankedRow& row, Index n) {
  const Index others = row.weights.size() - n;
  const RowVectorXd sum = row.added.topRows(n).colwise().sum();
  const RowVectorXd lost = row.added.bottomRows(others).colwise().sum();
  const double kept = row.weights.head(n).sum();
  const double left_out = row.weights.tail(others).sum();
  const double unit = (sum + lost).norm();
  const Scores told_apart = scores_of(row, n, sum);
  return {.n = static_cast<double>(n),
          .kept = kept,
          .deleted = lost.norm() / unit,
          .deleted_bound = row.added.bottomRows(others).rowwise().norm().sum() / unit,
          .mass_bound = left_out * row.values.bottomRows(others).rowwise().norm().maxCoeff() / unit,
          .renormalized = (sum + lost - sum / kept).norm() / unit,
          .renormalized_bound = left_out * largest_distance(row.values, n) / unit,
          .precision = told_apart.precision,
          .recall = told_apart.recall,
          .f_score = told_apart.f_score,
          .share = told_apart.share};
}

/// Adds up the errors of the last query of every head.
class LastQueries : public LayerObserver {
 public:
  LastQueries(const Config& config, std::span<const std::int64_t> counts)
      : config_(config), counts_(counts), sums_(counts.size()) {}

  void on_layer(std::int64_t layer, const LayerActivations& activations) override {
    for (std::int64_t head = 0; head < config_.heads; ++head) {
      const auto of_head = [&](const at::Tensor& all) {
        const at::Tensor wide = all.select(1, head).to(at::kCPU, at::kDouble).contiguous();
        return MatrixXd(Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
            wide.data_ptr<double>(), wide.size(0), wide.size(1)));
      };
      const MatrixXd keys = of_head(activations.k);
      const RowVectorXd query = of_head(activations.q).bottomRows(1);
      const ArrayXd logits = (keys * query.transpose()).array() / temperature(config_, layer);
      const ArrayXd raised = (logits - logits.maxCoeff()).exp();
      add(raised / raised.sum(), of_head(activations.v));
    }
  }

  [[nodiscard]] bool wants_pattern() const override { return false; }

  [[nodiscard]] std::vector<report::SetSizeError> means() const {
    std::vector<report::SetSizeError> means = sums_;
    for (std::size_t c = 0; c < means.size(); ++c) {
      report::for_each_field<report::SetSizeError>(
          [&](const auto& field) { means[c].*field.member /= heads_; });
      means[c].n = static_cast<double>(counts_[c]);
    }
    return means;
  }

 private:
  void add(const ArrayXd& weights, const MatrixXd& values) {
    if (!((weights.matrix().transpose() * values).norm() > 0)) return;
    const std::vector<report::SetSizeError> errors = head_errors(weights, values, counts_);
    for (std::size_t c = 0; c < errors.size(); ++c) {
      report::for_each_field<report::SetSizeError>(
          [&](const auto& field) { sums_[c].*field.member += errors[c].*field.member; });
    }
    ++heads_;
  }

  const Config& config_;
  std::span<const std::int64_t> counts_;
  std::vector<report::SetSizeError> sums_;
  double heads_{};
};

}  // namespace

std::vector<report::SetSizeError> head_errors(const ArrayXd& weights, const MatrixXd& values,
                                              std::span<const std::int64_t> counts) {
  const RankedRow row = ranked(weights, values);
  std::vector<report::SetSizeError> errors;
  errors.reserve(counts.size());
  for (const std::int64_t n : counts) errors.push_back(error_of(row, n));
  return errors;
}

std::vector<report::SetSizeError> mean_head_errors(const Config& config, const Weights& weights,
                                                   const at::Tensor& tokens,
                                                   std::span<const std::int64_t> counts) {
  LastQueries queries(config, counts);
  forward(config, weights, tokens, &queries);
  return queries.means();
}

}  // namespace attn::gpt2
