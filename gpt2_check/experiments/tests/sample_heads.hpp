#pragma once

#include <string>
#include <vector>

#include "gpt2_check/experiments/gradient.hpp"
#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/tests/random_head.hpp"

namespace attn::gpt2 {

/// A head for comparison with the plain transcription.
struct SampleHead {
  std::string name;
  Head head;
  double tolerance{};  ///< relative, of what is made of distances
};

/// Flat, moderate and peaked attention, and one head with repeated tokens.
inline std::vector<SampleHead> sample_heads() {
  std::vector<SampleHead> samples = {{"flat", random_head(24, 4, 3, 0.05, 11), 1e-11},
                                     {"moderate", random_head(60, 5, 8, 1, 12), 1e-11},
                                     {"peaked", random_head(37, 4, 5, 6, 13), 1e-11}};
  // A token that coincides with s, or with c, leaves the root of a rounding.
  SampleHead repeated{"repeated", random_head(40, 4, 6, 1, 14), 1e-7};
  Head& head = repeated.head;
  for (const auto& [copy, original] : {std::pair{7, 3}, std::pair{20, 3}, std::pair{33, 30}}) {
    head.k.row(copy) = head.k.row(original);
    head.x.row(copy) = head.x.row(original);
  }
  head.k.row(11) = head.k.row(2);  // equal weights
  head.x.row(13) = head.x.row(5);  // equal embeddings
  samples.push_back(repeated);
  return samples;
}

/// 1..positions-1.
inline std::vector<std::int64_t> all_rows(const Head& head) {
  return rows_from_second(head.keys());
}

/// Experiment 5 on some rows.
inline auto gradients_of(const Head& head, std::span<const std::int64_t> rows,
                         std::span<const double> temperatures, std::uint64_t seed) {
  GradientMeasure measure(head, temperatures, seed);
  LogitRows logits(head);
  for (const std::int64_t row : rows) measure.add(row, logits.at(row));
  return std::move(measure).result();
}

}  // namespace attn::gpt2
