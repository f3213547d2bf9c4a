#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gpt2_check/rows/ratio_sample.hpp"
#include "reports/record/report.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/decide.hpp"

namespace attn::gpt2 {

/// A pair as it is handed to another process.
struct PairRecord {
  std::string sharp{}, printed{};
  std::uint64_t tighter{}, as_tight{}, looser{};
  RatioRecord sharp_ratios{}, printed_ratios{};

  static constexpr std::string_view kName = "pair";
  static constexpr std::string_view kMeaning = "Two bounds on the same cases.";
  static constexpr auto fields() {
    return field_table(
        report::required("sharp", &PairRecord::sharp, "As in a comparison."),
        report::required("printed", &PairRecord::printed, "As in a comparison."),
        report::required("tighter", &PairRecord::tighter, "As in a comparison."),
        report::required("as_tight", &PairRecord::as_tight, "As in a comparison."),
        report::required("looser", &PairRecord::looser, "As in a comparison."),
        report::required("sharp_ratios", &PairRecord::sharp_ratios, "Of the sharp claim."),
        report::required("printed_ratios", &PairRecord::printed_ratios, "Of the printed one."));
  }
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

  [[nodiscard]] PairRecord to_record() const;
  static BoundPair from_record(PairRecord record);

 private:
  const Claim* sharp_;
  const Claim* printed_;
  std::uint64_t tighter_{0}, as_tight_{0}, looser_{0};
  RatioSample sharp_ratios_, printed_ratios_;
};

}  // namespace attn::gpt2
