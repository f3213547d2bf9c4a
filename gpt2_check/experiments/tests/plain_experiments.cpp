#include "gpt2_check/experiments/tests/plain_experiments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn::gpt2::plain {
namespace {

using Vector = Eigen::RowVectorXd;

Eigen::Index at(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

std::vector<double> logits_of(const Head& head, Eigen::Index row) {
  std::vector<double> logits;
  for (Eigen::Index i = 0; i <= row; ++i) logits.push_back(head.q.row(row).dot(head.k.row(i)));
  return logits;
}

std::vector<double> softmax(std::span<const double> logits, double temperature) {
  const double top = *std::ranges::max_element(logits);
  std::vector<double> weights;
  for (const double logit : logits) weights.push_back(std::exp((logit - top) / temperature));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The tokens of a row of `length` tokens that are not selected.
Set others(const Set& selected, std::size_t length) {
  std::vector<bool> outside(length, true);
  for (const std::size_t j : selected) outside[j] = false;
  Set rest;
  for (std::size_t i = 0; i < length; ++i) {
    if (outside[i]) rest.push_back(i);
  }
  return rest;
}

Vector sum_of(const Rows& y, const Set& selected) {
  Vector s = Vector::Zero(y.cols());
  for (const std::size_t j : selected) s += y.row(at(j));
  return s;
}

}  // namespace

std::vector<double> weights_of(const Head& head, Eigen::Index row) {
  return softmax(logits_of(head, row), head.temperature);
}

Rows outputs(const Head& head, std::span<const double> weights) {
  Rows y(at(weights.size()), head.x.cols());
  for (std::size_t i = 0; i < weights.size(); ++i) y.row(at(i)) = weights[i] * head.x.row(at(i));
  return y;
}

Set top(std::span<const double> weights, std::size_t n) {
  Set tokens(weights.size());
  std::iota(tokens.begin(), tokens.end(), std::size_t{0});
  std::ranges::stable_sort(tokens,
                           [&](std::size_t i, std::size_t j) { return weights[i] > weights[j]; });
  tokens.resize(n);
  return tokens;
}

double distance(const Rows& y, const Set& selected) {
  const Vector s = sum_of(y, selected);
  double sum = 0;
  for (const std::size_t i : others(selected, static_cast<std::size_t>(y.rows())))
    sum += (y.row(at(i)) - s).norm();
  return sum;
}

double expected_distance(const Rows& y, std::size_t n, double factor) {
  double sum = 0;
  for (Eigen::Index i = 0; i < y.rows(); ++i) {
    Vector rest = Vector::Zero(y.cols());
    for (Eigen::Index j = 0; j < y.rows(); ++j) {
      if (j != i) rest += y.row(j);
    }
    sum += (y.row(i) - factor * rest).norm();
  }
  const auto length = static_cast<double>(y.rows());
  return (length - static_cast<double>(n)) / length * sum;
}

double residual(const Rows& y, std::size_t n) {
  const auto others = static_cast<double>(y.rows() - 1), chosen = static_cast<double>(n);
  if (chosen == others) return 0;
  double sum = 0;
  for (Eigen::Index i = 0; i < y.rows(); ++i) {
    const Vector mean = (y.colwise().sum() - y.row(i)) / others;
    double variance = 0;
    for (Eigen::Index j = 0; j < y.rows(); ++j) {
      if (j != i) variance += (y.row(j) - mean).squaredNorm() / others;
    }
    sum += std::sqrt(chosen * (others - chosen) / (others - 1) * variance);
  }
  return (others + 1 - chosen) / (others + 1) * sum;
}

Bounds theorem1(const Head& head, std::span<const double> weights, const Set& selected) {
  const Set rest = others(selected, weights.size());
  double mass = 0;
  double radius = 0;
  double farthest = 0;
  for (const std::size_t j : selected) {
    mass += weights[j];
    radius = std::max(radius, head.x.row(at(j)).norm());
    for (const std::size_t i : rest) {
      farthest = std::max(farthest, (head.x.row(at(i)) - head.x.row(at(j))).norm());
    }
  }
  const Vector centre = sum_of(outputs(head, weights), selected) / mass;
  double outside = 0;
  double mismatch = 0;
  double around = 0;
  for (const std::size_t i : rest) {
    outside += weights[i];
    mismatch += std::abs(mass - weights[i]);
    around += weights[i] * (head.x.row(at(i)) - centre).norm();
  }
  return {outside * farthest + radius * mismatch, centre.norm() * mismatch + around};
}

Separability separability(const Rows& y, const Set& selected) {
  const Vector s = sum_of(y, selected);
  std::vector<double> offset;  // ||y_i - s||
  for (Eigen::Index i = 0; i < y.rows(); ++i) offset.push_back((y.row(i) - s).norm());
  const Set rest = others(selected, offset.size());
  Separability found{.radius = std::numeric_limits<double>::infinity()};
  for (const std::size_t i : rest) found.radius = std::min(found.radius, offset[i]);
  double within = 0;
  double inside = 0;
  double farthest = 0;
  for (const std::size_t j : selected) {
    if (offset[j] <= found.radius) ++within;
    if (offset[j] < found.radius) ++inside;
    farthest = std::max(farthest, offset[j]);
  }
  double intruders = 0;
  for (const std::size_t i : rest) {
    if (offset[i] <= farthest) ++intruders;
  }
  const auto n = static_cast<double>(selected.size());
  found.share = within / n;
  found.recall = inside / n;
  found.precision = n / (n + intruders);
  found.f_score = 2 * found.precision * found.recall / (found.precision + found.recall);
  return found;
}

}  // namespace attn::gpt2::plain
