#include "gpt2_check/experiments/normalizers.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "gpt2_check/experiments/gradient.hpp"
#include "gpt2_check/experiments/row_measures.hpp"
#include "gpt2_check/heads/arrays.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

namespace {

constexpr double kTolerance = 1e-12;

/// Where the iteration begins: no entry is zero and no pattern repeats, so that no singular vector
/// is likely to be orthogonal.
Eigen::VectorXd start(Eigen::Index n) {
  Eigen::VectorXd v(n);
  constexpr double kGoldenRatio = 0x1.9e3779b97f4a8p0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double turns = static_cast<double>(i + 1) * kGoldenRatio;
    v[i] = turns - std::floor(turns) - 0.5;
  }
  return v.normalized();
}

}  // namespace

double largest_singular_value(
    Eigen::Index n, const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& square) {
  std::vector<Eigen::VectorXd> basis{start(n)};
  std::vector<double> diagonal;
  std::vector<double> beside;
  for (;;) {
    Eigen::VectorXd next = square(basis.back());
    diagonal.push_back(basis.back().dot(next));
    // Twice is enough.
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::VectorXd& v : basis) next -= v.dot(next) * v;
    }
    const double residual = next.norm();
    const auto size = static_cast<Eigen::Index>(basis.size());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
    ritz.computeFromTridiagonal(Eigen::Map<const Eigen::VectorXd>(diagonal.data(), size),
                                Eigen::Map<const Eigen::VectorXd>(beside.data(), size - 1));
    const double largest = ritz.eigenvalues()[size - 1];
    const double off = residual * std::abs(ritz.eigenvectors()(size - 1, size - 1));
    if (!(off > kTolerance * largest) || size == n) return std::sqrt(std::max(largest, 0.0));
    beside.push_back(residual);
    basis.push_back(next / residual);
  }
}

namespace {

using Logits = std::span<const double>;

/// The weights and ||J||.
using Weighted = std::pair<std::vector<double>, double>;

double sum_of(Logits values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Weighted softmax_at(Logits logits, double temperature) {
  std::vector<double> weights(logits.size());
  softmax(logits, temperature, weights);
  return {weights, softmax_norm(weights) / temperature};
}

/// (l_i - max l)/scale by decreasing value, of the tokens within `scale` of the largest logit: no
/// other token gets weight from sparsemax at T = scale, or from 1.5-entmax at T = scale/2.
std::vector<double> near_top(Logits logits, double scale) {
  const double top = *std::ranges::max_element(logits);
  std::vector<double> near;
  for (const double logit : logits) {
    const double x = (logit - top) / scale;
    if (x > -1) near.push_back(x);
  }
  std::ranges::sort(near, std::greater<>());
  return near;
}

/// max(x_i - tau, 0) for x_i = (l_i - max l)/scale.
std::vector<double> above_threshold(Logits logits, double scale, double tau) {
  const double top = *std::ranges::max_element(logits);
  std::vector<double> above(logits.begin(), logits.end());
  for (double& x : above) x = std::max((x - top) / scale - tau, 0.0);
  return above;
}

/// J = (I - 1 1^T/k)/T on the k tokens of the support.
Weighted sparsemax_at(Logits logits, double temperature) {
  double sum = 0;
  double count = 0;
  for (const double x : near_top(logits, temperature)) {
    if (1 + count * x - sum <= 0) break;
    sum += x;
    ++count;
  }
  const double tau = (sum - 1) / count;
  return {above_threshold(logits, temperature, tau), count > 1 ? 1 / temperature : 0};
}

/// J = (diag u - u u^T / sum u)/T, u_i = sqrt(a_i).
Weighted entmax_at(Logits logits, double temperature) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  double tau = 0;
  for (const double x : near_top(logits, 2 * temperature)) {
    // sum over these of (x_j - tau)^2 = 1 has its root at tau = mean - sqrt(rise).
    sum += x;
    squares += x * x;
    ++count;
    const double mean = sum / count;
    const double rise = (1 - squares + mean * sum) / count;
    const double below = mean - x;
    if (below * below >= rise) break;
    tau = mean - std::sqrt(rise);
  }
  std::vector<double> roots = above_threshold(logits, 2 * temperature, tau);
  std::vector<double> weights;
  for (const double root : roots) weights.push_back(root * root);
  const double total = sum_of(roots);
  for (double& root : roots) root /= total;
  return {weights, softmax_norm(roots) * total / temperature};
}

Weighted softmax1_at(Logits logits, double temperature) {
  const double top = std::max(*std::ranges::max_element(logits), 0.0);
  std::vector<double> weights;
  for (const double logit : logits)
    weights.push_back(reproducible::exp((logit - top) / temperature));
  const double none = reproducible::exp(-top / temperature);
  const auto largest = std::ranges::max_element(weights);
  const double others =
      none + sum_of({weights.begin(), largest}) + sum_of({largest + 1, weights.end()});
  const double sum = *largest + others;
  for (double& weight : weights) weight /= sum;
  return {weights, softmax_norm(weights, others / sum) / temperature};
}

/// J is diagonal.
Weighted sigmoid_attention_at(Logits logits, double temperature) {
  const double offset = reproducible::log(static_cast<double>(logits.size()));
  std::vector<double> weights;
  double norm = 0;
  for (const double logit : logits) {
    const double x = logit / temperature - offset;
    const double e = reproducible::exp(-std::abs(x));
    weights.push_back((x < 0 ? e : 1) / (1 + e));
    norm = std::max(norm, e / ((1 + e) * (1 + e)) / temperature);
  }
  return {weights, norm};
}

/// Self-Adjusted Softmax, a = p f: p = softmax(z), f_i = (z_i - low)/width, width = high - low,
/// low = min(z, 0), high = max(z, 0).
class SelfAdjusted {
 public:
  SelfAdjusted(Logits logits, double temperature)
      : p_(static_cast<Eigen::Index>(logits.size())),
        factor_(p_.size()),
        temperature_(temperature) {
    softmax(logits, temperature, {p_.data(), logits.size()});
    const auto smallest = std::ranges::min_element(logits);
    const auto largest = std::ranges::max_element(logits);
    lowest_ = smallest - logits.begin();
    highest_ = largest - logits.begin();
    low_moves_ = *smallest < 0;
    high_moves_ = *largest > 0;
    const double low = std::min(*smallest, 0.0);
    const double range = std::max(*largest, 0.0) - low;
    for (Eigen::Index i = 0; i < p_.size(); ++i) {
      factor_[i] = (logits[static_cast<std::size_t>(i)] - low) / range;
    }
    width_ = range / temperature;
    weights_ = p_.cwiseProduct(factor_);
  }

  [[nodiscard]] const Eigen::VectorXd& weights() const { return weights_; }

  /// T J v: d p = p (v - p.v), d f = (v - d low - f (d high - d low))/width.
  [[nodiscard]] Eigen::VectorXd forward(const Eigen::VectorXd& v) const {
    const double low = low_moves_ ? v[lowest_] : 0;
    const double high = high_moves_ ? v[highest_] : 0;
    return (weights_.array() * (v.array() - p_.dot(v)) +
            p_.array() * (v.array() - low - factor_.array() * (high - low)) / width_)
        .matrix();
  }

  /// T J^T u.
  [[nodiscard]] Eigen::VectorXd backward(const Eigen::VectorXd& u) const {
    const double along = weights_.dot(u);
    Eigen::VectorXd result =
        (weights_.array() * u.array() - along * p_.array() + p_.array() * u.array() / width_)
            .matrix();
    if (low_moves_) result[lowest_] -= (p_.dot(u) - along) / width_;
    if (high_moves_) result[highest_] -= along / width_;
    return result;
  }

  [[nodiscard]] double norm() const {
    const auto square = [this](const Eigen::VectorXd& v) { return backward(forward(v)); };
    return largest_singular_value(p_.size(), square) / temperature_;
  }

 private:
  Eigen::VectorXd p_, factor_, weights_;
  double temperature_, width_{};
  Eigen::Index lowest_{}, highest_{};
  bool low_moves_{}, high_moves_{};
};

Weighted self_adjusted_at(Logits logits, double temperature) {
  const SelfAdjusted map(logits, temperature);
  return {{map.weights().begin(), map.weights().end()}, map.norm()};
}

Weighted weigh(Normalizer normalizer, Logits logits, double temperature) {
  switch (normalizer) {
    case Normalizer::softmax:
      return softmax_at(logits, temperature);
    case Normalizer::scalable_softmax:  // L^z = exp(z ln L)
      return softmax_at(logits,
                        temperature / reproducible::log(static_cast<double>(logits.size())));
    case Normalizer::sparsemax:
      return sparsemax_at(logits, temperature);
    case Normalizer::entmax:
      return entmax_at(logits, temperature);
    case Normalizer::self_adjusted:
      return self_adjusted_at(logits, temperature);
    case Normalizer::softmax1:
      return softmax1_at(logits, temperature);
    case Normalizer::sigmoid_attention:
      return sigmoid_attention_at(logits, temperature);
    case Normalizer::sigmoid:
    case Normalizer::softplus:
    case Normalizer::taylor:
    case Normalizer::relu_attention:
    case Normalizer::pooling:
    case Normalizer::polynomial:
      break;
  }
  throw std::logic_error("a normaliser that rows are not measured under");
}

double entropy_of(Logits weights, double sum) {
  const auto largest = std::ranges::max_element(weights);
  double entropy = 0;
  double others = 0;
  for (auto weight = weights.begin(); weight != weights.end(); ++weight) {
    const double share = *weight / sum;
    if (weight == largest || share == 0) continue;
    others += share;
    entropy -= share * reproducible::log(share);
  }
  // The largest share may round to 1, whose logarithm would lose what the others take from it.
  return entropy - (1 - others) * reproducible::log1p(-others);
}

}  // namespace

NormalizedRow normalize_row(Normalizer normalizer, std::span<const double> logits,
                            double temperature) {
  NormalizedRow row;
  std::tie(row.weights, row.norm) = weigh(normalizer, logits, temperature);
  row.largest = *std::ranges::max_element(row.weights);
  row.sum = sum_of(row.weights);
  row.entropy = entropy_of(row.weights, row.sum);
  return row;
}

namespace {

double share_of_top(const Head& head, std::span<const double> weights,
                    std::span<const std::size_t> selected) {
  const auto tokens = static_cast<Eigen::Index>(weights.size());
  Eigen::VectorXd s = Eigen::VectorXd::Zero(head.x.cols());
  for (const std::size_t j : selected) {
    s += weights[j] * head.x.row(static_cast<Eigen::Index>(j)).transpose();
  }
  const Eigen::VectorXd along = head.x.topRows(tokens) * s;
  const Eigen::Map<const Eigen::ArrayXd> a(weights.data(), tokens);
  DistinguishableShare share(weights,
                             a.square() * head.x.topRows(tokens).rowwise().squaredNorm().array());
  return share.of(selected, {along.data(), weights.size()}).all;
}

/// A normaliser whose weights are measured: one line of the table kSettings.
struct Setting {
  const char* name;
  Normalizer normalizer;
  double temperature_factor;  ///< T is the head's own times this
};
constexpr Setting kSettings[] = {{"softmax, T/2", Normalizer::softmax, 0.5},
                                 {"softmax", Normalizer::softmax, 1},
                                 {"softmax, 2T", Normalizer::softmax, 2},
                                 {"Scalable-Softmax", Normalizer::scalable_softmax, 1},
                                 {"sparsemax", Normalizer::sparsemax, 1},
                                 {"1.5-entmax", Normalizer::entmax, 1},
                                 {"Self-Adjusted Softmax", Normalizer::self_adjusted, 1},
                                 {"sigmoid attention", Normalizer::sigmoid_attention, 1},
                                 {"softmax1", Normalizer::softmax1, 1}};

/// Whether no weight is larger than the one before it in `order`.
bool falls_along(std::span<const std::size_t> order, std::span<const double> weights) {
  const auto rises = [&](std::size_t i, std::size_t next) { return weights[i] < weights[next]; };
  return std::ranges::adjacent_find(order, rises) == order.end();
}

/// The sweep of each of the weights. Most fall with the logits, and are swept together in their
/// order.
std::vector<RowSweep> sweeps_of(const std::vector<std::vector<double>>& weights,
                                std::span<const std::size_t> by_logits, const Rows& x) {
  std::vector<std::vector<double>> falling;
  std::ranges::copy_if(weights, std::back_inserter(falling),
                       [&](const auto& of) { return falls_along(by_logits, of); });
  std::vector<RowSweep> together = sweep_row(falling, by_logits, x), sweeps;
  auto next = together.begin();
  for (const std::vector<double>& of : weights) {
    sweeps.push_back(falls_along(by_logits, of)
                         ? std::move(*next++)
                         : sweep_row({&of, 1}, largest(of, of.size()), x).front());
  }
  return sweeps;
}

}  // namespace

RowMeasure measure_row(const Head& head, std::int64_t row, std::size_t n,
                       std::span<const double> weights) {
  const std::size_t tokens = weights.size();
  const Eigen::VectorXd raw = raw_logits(head, row);
  const std::span<const double> logits(raw.data(), tokens);
  std::vector<NormalizerMeasure> measures;
  std::vector<std::vector<double>> all{{weights.begin(), weights.end()}};
  for (const Setting& setting : kSettings) {
    NormalizedRow normalized{{}, std::vector<double>(tokens, kUnknown)};
    double largest_half = kUnknown;
    if (head.has_logits(row)) {
      const double temperature = head.temperature * setting.temperature_factor;
      normalized = normalize_row(setting.normalizer, logits, temperature);
      if (tokens >= 4) {
        largest_half = std::ranges::max(
            weigh(setting.normalizer, logits.first(tokens / 2), temperature).first);
      }
    }
    const std::vector<std::size_t> order = largest(normalized.weights, tokens);
    const double share = std::isnan(normalized.sum)
                             ? kUnknown
                             : share_of_top(head, normalized.weights, std::span(order).first(n));
    measures.push_back({.name = setting.name,
                        .row = normalized,
                        .largest_half = largest_half,
                        .share = share,
                        .sweep = {}});
    all.push_back(normalized.weights);
  }
  std::vector<RowSweep> sweeps = sweeps_of(all, largest(logits, tokens), head.x);
  for (std::size_t i = 0; i < measures.size(); ++i) measures[i].sweep = std::move(sweeps[i + 1]);
  return {std::move(sweeps.front()), std::move(measures)};
}

}  // namespace attn::gpt2
