#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/record/report.hpp"
#include "reports/windows/quantiles.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/decide.hpp"

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

/// How the bound of a claim compares with that of the printed one which it sharpens, on the same
/// cases of rows of attention.
class BoundPair {
 public:
  BoundPair(const Claim& sharp, const Claim& printed) : sharp_(&sharp), printed_(&printed) {}

  [[nodiscard]] const Claim& sharp() const { return *sharp_; }
  [[nodiscard]] const Claim& printed() const { return *printed_; }

  /// One case that both were decided on; one without a ratio lhs/rhs of each is not counted. A
  /// lower bound is tighter where it is certainly larger, an upper bound where it is certainly
  /// smaller, and both are as tight where both are attained.
  void add(const Decision& sharp, const Decision& printed);

  /// The cases of the same pair on other heads.
  void merge(const BoundPair& other);

  /// Empty without a case.
  [[nodiscard]] std::optional<report::WindowComparison> record() const;

 private:
  const Claim* sharp_;
  const Claim* printed_;
  std::uint64_t tighter_{0}, as_tight_{0}, looser_{0};
  RatioSample sharp_ratios_, printed_ratios_;
};

}  // namespace attn::gpt2
