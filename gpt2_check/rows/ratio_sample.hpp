#pragma once

#include <cstddef>
#include <vector>

#include "reports/record/report.hpp"
#include "reports/windows/quantiles.hpp"

namespace attn::gpt2 {

/// The ratios lhs/rhs of many cases: each by itself up to kMostExact of them, in buckets beyond, so
/// that they take bounded memory.
class RatioSample {
 public:
  /// More than the rows and sets of GPT-2 124M on 1,024 tokens.
  static constexpr std::size_t kMostExact = std::size_t{1} << 20;

  /// Any number but NaN.
  void add(double ratio);

  /// The ratios of later cases.
  void merge(const RatioSample& other);

  [[nodiscard]] std::size_t count() const { return exact_.size() + bucketed_.count(); }

  /// Of more than kMostExact within report::kQuantileError. Needs a ratio.
  [[nodiscard]] double median() const;

  [[nodiscard]] std::vector<report::Bucket> buckets() const;

 private:
  void keep_bounded();

  std::vector<double> exact_;   ///< empty where there are more than kMostExact
  report::Quantiles bucketed_;  ///< empty where there are not
};

}  // namespace attn::gpt2
