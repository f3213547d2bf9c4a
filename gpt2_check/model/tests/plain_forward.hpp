#pragma once

#include <ATen/core/Tensor.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "gpt2_check/model/gpt2.hpp"

/// GPT-2's forward pass once more, in plain loops over double, written from the definition; nothing
/// of model/gpt2.cpp is used.
namespace attn::test {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

class PlainForward {
 public:
  /// Changes the weights of one query, of the keys up to its own; `values`: v_i of its head.
  using Change =
      std::function<void(std::size_t layer, std::size_t head, Row& weights, const Rows& values)>;

  PlainForward(const gpt2::Config& config, const gpt2::Weights& weights, Change change = {})
      : config_(config), weights_(weights), change_(std::move(change)) {}

  [[nodiscard]] Rows logits(const std::vector<std::int64_t>& tokens) const {
    Rows x;
    for (std::size_t t = 0; t < tokens.size(); ++t)
      x.push_back(sum(row(weights_.wte, tokens[t]), row(weights_.wpe, static_cast<int>(t))));
    for (std::size_t layer = 0; layer < weights_.blocks.size(); ++layer) {
      const gpt2::Block& b = weights_.blocks[layer];
      const Rows attended = attention(b, layer, normed(x, b.ln_1_weight, b.ln_1_bias));
      for (std::size_t t = 0; t < x.size(); ++t) x[t] = sum(x[t], attended[t]);
      const Rows ready = normed(x, b.ln_2_weight, b.ln_2_bias);
      for (std::size_t t = 0; t < x.size(); ++t) {
        Row hidden = affine(ready[t], b.c_fc_weight, b.c_fc_bias);
        for (double& h : hidden) h = activation(h);
        x[t] = sum(x[t], affine(hidden, b.mlp_proj_weight, b.mlp_proj_bias));
      }
    }
    const at::Tensor& head = config_.tied_head ? weights_.wte : weights_.lm_head;
    Rows out;
    for (const Row& y : normed(x, weights_.ln_f_weight, weights_.ln_f_bias)) {
      out.emplace_back();
      for (std::int64_t id = 0; id < config_.vocabulary; ++id)
        out.back().push_back(dot(y, row(head, id)));
    }
    return out;
  }

 private:
  static double entry(const at::Tensor& tensor, std::int64_t i) { return tensor[i].item<double>(); }

  static Row row(const at::Tensor& matrix, std::int64_t i) {
    Row values;
    for (std::int64_t j = 0; j < matrix.size(1); ++j) values.push_back(entry(matrix[i], j));
    return values;
  }

  static Row sum(Row a, const Row& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }

  static double dot(const Row& a, const Row& b) {
    double total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
    return total;
  }

  /// x W + b, W [in, out].
  static Row affine(const Row& x, const at::Tensor& weight, const at::Tensor& bias) {
    Row y;
    for (std::int64_t out = 0; out < weight.size(1); ++out) {
      double total = entry(bias, out);
      for (std::int64_t in = 0; in < weight.size(0); ++in)
        total += x[static_cast<std::size_t>(in)] * entry(weight[in], out);
      y.push_back(total);
    }
    return y;
  }

  [[nodiscard]] Rows normed(const Rows& x, const at::Tensor& weight, const at::Tensor& bias) const {
    Rows out;
    for (const Row& values : x) {
      const auto n = static_cast<double>(values.size());
      double mean = 0;
      for (const double v : values) mean += v / n;
      double variance = 0;
      for (const double v : values) variance += (v - mean) * (v - mean) / n;
      out.emplace_back();
      for (std::size_t i = 0; i < values.size(); ++i)
        out.back().push_back((values[i] - mean) / std::sqrt(variance + config_.layer_norm_epsilon) *
                                 entry(weight, static_cast<int>(i)) +
                             entry(bias, static_cast<int>(i)));
    }
    return out;
  }

  [[nodiscard]] double activation(double x) const {
    if (config_.activation == "gelu") return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
  }

  [[nodiscard]] Rows attention(const gpt2::Block& b, std::size_t layer, const Rows& x) const {
    const auto width = static_cast<std::size_t>(config_.width);
    const std::size_t d = width / static_cast<std::size_t>(config_.heads);
    double divisor = config_.scale_weights ? std::sqrt(static_cast<double>(d)) : 1;
    if (config_.scale_by_layer) divisor *= static_cast<double>(layer) + 1;
    Rows qkv;
    for (const Row& values : x) qkv.push_back(affine(values, b.c_attn_weight, b.c_attn_bias));

    Rows out;
    for (std::size_t query = 0; query < x.size(); ++query) {
      Row mixed(width, 0.0);
      for (std::size_t head = 0; head < width; head += d) {  // the head's first column
        Row scores;
        for (std::size_t key = 0; key <= query; ++key) {
          double score = 0;
          for (std::size_t i = head; i < head + d; ++i)
            score += qkv[query][i] * qkv[key][width + i];
          scores.push_back(std::exp(score / divisor));
        }
        double total = 0;
        for (const double score : scores) total += score;
        for (double& score : scores) score /= total;
        if (change_) change_(layer, head / d, scores, values_of(qkv, query, 2 * width + head, d));
        for (std::size_t key = 0; key <= query; ++key)
          for (std::size_t i = head; i < head + d; ++i)
            mixed[i] += scores[key] * qkv[key][2 * width + i];
      }
      out.push_back(affine(mixed, b.c_proj_weight, b.c_proj_bias));
    }
    return out;
  }

  /// The columns first, ..., first + count - 1 of the rows up to `last`.
  static Rows values_of(const Rows& rows, std::size_t last, std::size_t first, std::size_t count) {
    Rows values;
    for (std::size_t key = 0; key <= last; ++key) {
      const auto begin = rows[key].begin() + static_cast<std::ptrdiff_t>(first);
      values.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    return values;
  }

  const gpt2::Config& config_;
  const gpt2::Weights& weights_;
  Change change_;
};

}  // namespace attn::test
