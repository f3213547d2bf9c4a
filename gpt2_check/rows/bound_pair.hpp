#pragma once

#include <cstdint>
#include <optional>

#include "gpt2_check/rows/ratio_sample.hpp"
#include "reports/record/report.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/decide.hpp"

namespace attn::gpt2 {

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
