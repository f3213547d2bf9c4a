#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gpt2_check/heads/row_weights.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// What the N largest weights of a row leave out, 1 - A, and what the claim mass.gap says of it
/// from the N-th weight v and the next one w: (L-N) w/((L-N) w + N v).
struct LeftOut {
  double weight{}, bound{};
};

/// `weights`: of a row of L tokens; 1 <= n < L.
LeftOut left_out(const RowWeights& weights, std::size_t n);

/// How often the N largest weights leave out at most 1, 5 or 10 %, and how often mass.gap shows it.
class MassMeasure {
 public:
  /// `counts`: the N.
  explicit MassMeasure(std::span<const std::size_t> counts);

  /// A row of two tokens or more; each N below these applies to it.
  void add(const RowWeights& weights);

  /// A point for each N and share, N by N.
  [[nodiscard]] const std::vector<report::MassPoint>& points() const { return points_; }

 private:
  std::vector<report::MassPoint> points_;
};

}  // namespace attn::gpt2
