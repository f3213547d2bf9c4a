#pragma once

#include <string_view>

namespace attn {

/// How logits become weights; `normalizers` has the definition and the assumptions of each. z =
/// l/T.
enum class Normalizer {
  softmax,            ///< F(z) = exp(z), a_i = F_i / sum_j F_j
  sigmoid,            ///< F(z) = 1 / (1 + exp(-z))
  softplus,           ///< F(z) = log(1 + exp(z))
  taylor,             ///< F(z) = 1 + z + z^2/2
  scalable_softmax,   ///< F(z) = L^z
  sparsemax,          ///< the Euclidean projection of z on the simplex
  entmax,             ///< 1.5-entmax: a_i = max(z_i/2 - tau, 0)^2
  self_adjusted,      ///< softmax(z)_i (z_i - min(z, 0)) / (max(0, z) - min(z, 0))
  softmax1,           ///< exp(z_i) / (1 + sum_j exp(z_j))
  sigmoid_attention,  ///< 1 / (1 + exp(-(z_i - ln L)))
  relu_attention,     ///< max(z_i, 0) / L
  pooling,            ///< gain (z_i - mean) / std
  polynomial,         ///< z_i^p / sqrt(L), |z_i| <= b
};

std::string_view to_string(Normalizer normalizer);

}  // namespace attn
