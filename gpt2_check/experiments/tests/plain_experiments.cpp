#include "gpt2_check/experiments/tests/plain_experiments.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
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

Distances distances(const Rows& y, const Set& selected) {
  const auto length = static_cast<std::size_t>(y.rows());
  const std::size_t n = selected.size();
  const double factor = static_cast<double>(n) / static_cast<double>(length - 1);
  return {length, n, distance(y, selected), expected_distance(y, n, 1),
          expected_distance(y, n, factor)};
}

BoundedDistances bounded(const Head& head, std::size_t length, std::size_t n, Rank rank) {
  const std::vector<double> a = weights_of(head, at(length - 1));
  const Set selected = top(head, a, n, rank);
  return {distances(outputs(head, a), selected), theorem1(head, a, selected)};
}

Set random_set(std::size_t length, std::size_t n, std::mt19937_64& stream) {
  Set tokens(length);
  std::iota(tokens.begin(), tokens.end(), std::size_t{0});
  std::ranges::shuffle(tokens, stream);
  tokens.resize(n);
  return tokens;
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

Set top(const Head& head, std::span<const double> weights, std::size_t n, Rank rank) {
  std::vector<double> key(weights.begin(), weights.end());
  if (rank == Rank::contribution) {
    for (std::size_t i = 0; i < key.size(); ++i) key[i] *= head.x.row(at(i)).norm();
  }
  Set tokens(key.size());
  std::iota(tokens.begin(), tokens.end(), std::size_t{0});
  std::ranges::stable_sort(tokens, [&](std::size_t i, std::size_t j) { return key[i] > key[j]; });
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

double softmax_norm(std::span<const double> weights) {
  const Eigen::Map<const Eigen::VectorXd> a(weights.data(), at(weights.size()));
  Eigen::MatrixXd jacobian = -a * a.transpose();
  jacobian.diagonal() += a;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(jacobian, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

double step_quotient(std::span<const double> logits, std::span<const double> direction,
                     double temperature, double epsilon) {
  std::vector<double> moved(logits.begin(), logits.end());
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += epsilon * direction[i];
  const std::vector<double> before = softmax(logits, temperature);
  const std::vector<double> after = softmax(moved, temperature);
  double squares = 0;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    squares += (after[i] - before[i]) * (after[i] - before[i]);
  }
  return std::sqrt(squares) / epsilon;
}

std::vector<double> sign_direction(std::span<const std::uint8_t> plus) {
  const double size = 1 / std::sqrt(static_cast<double>(plus.size()));
  std::vector<double> direction;
  for (const std::uint8_t sign : plus) direction.push_back(sign != 0 ? size : -size);
  return direction;
}

std::vector<double> top_direction(std::span<const double> logits) {
  std::vector<double> direction(logits.size(), 0.0);
  const auto first = std::ranges::max_element(logits) - logits.begin();
  std::vector<double> others(logits.begin(), logits.end());
  others[static_cast<std::size_t>(first)] = -std::numeric_limits<double>::infinity();
  const auto second = std::ranges::max_element(others) - others.begin();
  direction[static_cast<std::size_t>(first)] = 1 / std::numbers::sqrt2;
  direction[static_cast<std::size_t>(second)] = -1 / std::numbers::sqrt2;
  return direction;
}

std::vector<BoundedDistances> distance_by_length(const Head& head,
                                                 std::span<const std::size_t> lengths,
                                                 std::size_t n, Rank rank) {
  std::vector<BoundedDistances> points;
  for (const std::size_t length : lengths) points.push_back(bounded(head, length, n, rank));
  return points;
}

std::vector<BoundedDistances> distance_by_n(const Head& head, std::span<const std::size_t> counts,
                                            Rank rank) {
  const auto length = static_cast<std::size_t>(head.positions());
  std::vector<BoundedDistances> points;
  for (const std::size_t n : counts) points.push_back(bounded(head, length, n, rank));
  return points;
}

std::vector<Distances> every_n(const Head& head, std::size_t length, Rank rank) {
  const std::vector<double> a = weights_of(head, at(length - 1));
  const Rows y = outputs(head, a);
  std::vector<Distances> points;
  for (std::size_t n = 1; n < length; ++n) points.push_back(distances(y, top(head, a, n, rank)));
  return points;
}

std::vector<RowSeparability> separability_of_rows(const Head& head,
                                                  std::span<const std::size_t> counts, Rank rank,
                                                  std::size_t draws, std::mt19937_64& stream) {
  std::vector<RowSeparability> points;
  for (Eigen::Index row = 1; row < head.positions(); ++row) {
    const std::vector<double> a = weights_of(head, row);
    const Rows y = outputs(head, a);
    for (const std::size_t n : counts) {
      if (n >= a.size()) continue;
      double random = 0;
      for (std::size_t draw = 0; draw < draws; ++draw) {
        random += separability(y, random_set(a.size(), n, stream)).share;
      }
      points.push_back({static_cast<std::size_t>(row), n, separability(y, top(head, a, n, rank)),
                        random / static_cast<double>(draws)});
    }
  }
  return points;
}

std::vector<RowGradient> gradient_of_rows(const Head& head, std::span<const double> temperatures,
                                          std::mt19937_64& stream) {
  constexpr std::array kEpsilons{1e-3, 1e-1, 10.0};
  std::vector<RowGradient> points;
  for (Eigen::Index row = 1; row < head.positions(); ++row) {
    const std::vector<double> logits = logits_of(head, row);
    std::vector<std::uint8_t> plus(logits.size());
    for (std::uint8_t& sign : plus) sign = static_cast<std::uint8_t>(stream() & 1);
    for (const double temperature : temperatures) {
      RowGradient point{static_cast<std::size_t>(row),
                        temperature,
                        softmax_norm(softmax(logits, temperature)) / temperature,
                        {},
                        {}};
      for (std::size_t k = 0; k < kEpsilons.size(); ++k) {
        point.random[k] = step_quotient(logits, sign_direction(plus), temperature, kEpsilons[k]);
        point.top[k] = step_quotient(logits, top_direction(logits), temperature, kEpsilons[k]);
      }
      points.push_back(point);
    }
  }
  return points;
}

}  // namespace attn::gpt2::plain
