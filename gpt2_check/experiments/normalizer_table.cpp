#include "gpt2_check/experiments/normalizer_table.hpp"

#include <cmath>
#include <limits>

#include "gpt2_check/experiments/separability.hpp"
#include "gpt2_check/heads/largest.hpp"

namespace attn::gpt2 {
namespace {

double share_of_top(const Head& head, std::span<const double> weights,
                    std::span<const std::size_t> selected) {
  const auto tokens = static_cast<Eigen::Index>(weights.size());
  Eigen::VectorXd s = Eigen::VectorXd::Zero(head.x.cols());
  for (const std::size_t j : selected) {
    s += weights[j] * head.x.row(static_cast<Eigen::Index>(j)).transpose();
  }
  const Eigen::VectorXd along = head.x.topRows(tokens) * s;
  const Eigen::VectorXd squares = head.x.topRows(tokens).rowwise().squaredNorm();
  DistinguishableShare share(weights, {squares.data(), weights.size()});
  return share.of(selected, {along.data(), weights.size()}).all;
}

}  // namespace

std::span<const NormalizerSetting> normalizer_settings() {
  static const std::vector<NormalizerSetting> settings = {
      {"softmax, T/2", Normalizer::softmax, 0.5},
      {"softmax", Normalizer::softmax, 1},
      {"softmax, 2T", Normalizer::softmax, 2},
      {"Scalable-Softmax", Normalizer::scalable_softmax, 1},
      {"sparsemax", Normalizer::sparsemax, 1},
      {"1.5-entmax", Normalizer::entmax, 1},
      {"Self-Adjusted Softmax", Normalizer::self_adjusted, 1},
      {"sigmoid attention", Normalizer::sigmoid_attention, 1},
      {"softmax1", Normalizer::softmax1, 1}};
  return settings;
}

namespace {

/// Of a row that has no logits.
NormalizedRow unknown_row(std::size_t tokens) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  return {{.largest = kUnknown, .sum = kUnknown, .entropy = kUnknown, .norm = kUnknown},
          std::vector<double>(tokens, kUnknown)};
}

}  // namespace

LengthNormalizers measure_normalizers(const Head& head, std::int64_t length, std::size_t n) {
  const auto tokens = static_cast<std::size_t>(length);
  const Eigen::VectorXd logits = raw_logits(head, length - 1);
  const std::span<const double> row(logits.data(), tokens);
  LengthNormalizers found{.length = length, .n = n, .measures = {}};
  for (const NormalizerSetting& setting : normalizer_settings()) {
    const NormalizedRow normalized =
        head.has_logits(length - 1)
            ? normalize_row(setting.normalizer, row, head.temperature * setting.temperature_factor)
            : unknown_row(tokens);
    const std::vector<std::size_t> order = largest(normalized.weights, tokens);
    const double share = std::isnan(normalized.sum)
                             ? std::numeric_limits<double>::quiet_NaN()
                             : share_of_top(head, normalized.weights, std::span(order).first(n));
    found.measures.push_back(
        {.row = normalized, .share = share, .sweep = sweep_row(normalized.weights, order, head.x)});
  }
  return found;
}

}  // namespace attn::gpt2
