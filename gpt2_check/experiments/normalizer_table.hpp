#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpt2_check/experiments/critical_n.hpp"
#include "gpt2_check/experiments/normalizers.hpp"
#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// One line of the table of normalisers on the same logits.
struct NormalizerSetting {
  std::string name;
  Normalizer normalizer{};
  double temperature_factor{1};  ///< T is the head's own times this
};

/// Softmax at half, once and twice the head's T; Scalable-Softmax, sparsemax, 1.5-entmax,
/// Self-Adjusted Softmax, sigmoid attention and softmax1 at the head's T.
std::span<const NormalizerSetting> normalizer_settings();

/// What one normaliser makes of one row, and of the geometry of its top N tokens.
struct NormalizerMeasure {
  NormalizedNumbers row;
  double share{};  ///< N_s/N for the N largest weights; NaN where the weights are
  RowSweep sweep;  ///< D and E for every N
};

/// The normalisers on the row of one length L.
struct LengthNormalizers {
  std::int64_t length{};                    ///< as measured: the tokens of the row
  std::size_t n{};                          ///< N of `share`, below L
  std::vector<NormalizerMeasure> measures;  ///< by normalizer_settings()
};

/// Of row length - 1, which sees the first `length` tokens; 2 <= length <= positions, 1 <= n <
/// length.
LengthNormalizers measure_normalizers(const Head& head, std::int64_t length, std::size_t n);

}  // namespace attn::gpt2
