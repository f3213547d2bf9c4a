#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/figures.hpp"

/// The statements of the paper that are measured on real input.
namespace attn::report {

// The statements of the paper that gpt2_check measures, by their ids.
inline constexpr std::string_view kGrowthStatement = "growth";
inline constexpr std::string_view kDistanceStatement = "distance";
inline constexpr std::string_view kCriticalStatement = "critical_n";
inline constexpr std::string_view kShareStatement = "share";
inline constexpr std::string_view kGradientStatement = "gradient";
inline constexpr std::string_view kColderStatement = "colder";

/// kShareStatement is of every N measured beyond this one, after the paper.
inline constexpr std::uint64_t kShareBeyond = 16;

struct AbstractPoint {
  ATTN_RECORD(
      AbstractPoint, "abstract_point",
      "A measurement behind a statement of the paper: the fields that the statement needs.",
      (sparse, std::optional<double>, temperature, "T.", {.limits = kPositive}),
      (sparse, std::optional<double>, length, kLengthMeaning, kWhole),
      (sparse, std::optional<double>, n, "N: selected tokens.", kWhole),
      (sparse, std::optional<double>, distance,
       "D, mean over the heads, in units of the embeddings.", kMean),
      (sparse, std::optional<double>, expected,
       "E, the mean of D over all choices of N tokens, sampled; mean over the heads.", kMean),
      (sparse, std::optional<double>, level, "The level of a test."),
      (sparse, std::optional<double>, mean_norm,
       "||J||, mean over heads and rows, in weights per logit.", kMean),
      (sparse, std::optional<double>, share, "N_s/N, mean over the heads, in [0, 1].", kMean),
      (sparse, std::optional<double>, low, "Lower end of the confidence interval of that mean."),
      (sparse, std::optional<double>, high, "Upper end."),
      (sparse, std::optional<double>, random_share, "N_s/N of random sets.", kMean),
      (sparse, std::optional<double>, largest, "The largest T ||J|| of all heads.", kLargest),
      (sparse, std::optional<double>, mean_of_largest,
       "The mean over the heads of the largest T ||J||.", kMean),
      (sparse, std::optional<std::uint64_t>, rows, "Rows of all heads.", kSum),
      (sparse, std::optional<std::uint64_t>, rows_above_printed_bound,
       "Of these, rows with ||J|| above the printed bound.", kSum),
      (sparse, std::optional<std::uint64_t>, rows_steeper,
       "Of these, rows with a larger ||J|| than at T = 0.1.", kSum));

  /// The numbers of a distance or a share by head: what its interval is of. In no report.
  std::vector<double> by_head{};
};

struct SlopeRecord {
  ATTN_RECORD(SlopeRecord, "slope",
              "How a number grows with L: the least-squares slope of its logarithm on ln L. 0 is "
              "constant, 1 in proportion.",
              (required, double, estimate, "The slope."),
              (required, double, low, "Lower end of its 95 % interval."),
              (required, double, high, "Upper end."));
};

struct OverKeyHeads {
  ATTN_RECORD(OverKeyHeads, "over_key_heads",
              "The interval of an estimate where the heads that share keys count as one, with the "
              "mean of theirs.",
              (required, double, low, "Lower end, at the confidence of the statement."),
              (required, double, high, "Upper end."),
              (required, std::uint64_t, key_heads, "Key heads of all layers.",
               {.limits = kFromOne}),
              (defaulted, std::optional<bool>, agrees,
               "What the statement's `agrees` would be by this interval."));
};

struct PaperStatement {
  bool judged{true};
  ATTN_RECORD(PaperStatement, "statement", "A statement of the paper beside what was measured.",
              (required, std::string, id,
               "\"growth\", \"distance\", \"critical_n\", \"share\", \"gradient\" or "
               "\"colder\"."),
              (required, std::string, says, "What the paper says."),
              (defaulted, std::string, measured, "What was measured, in words."),
              (defaulted, std::optional<double>, estimate,
               "The number measured, in the unit of the statement."),
              (defaulted, std::optional<double>, low,
               "Lower end of its confidence interval over the heads, over heads and rows, or over "
               "windows and heads."),
              (defaulted, std::optional<double>, high, "Upper end."),
              (sparse, std::optional<OverKeyHeads>, over_key_heads,
               "Where heads share keys: the interval over the key heads. Absent where a head has "
               "no number, of the critical N, which no head has by itself, and over windows."),
              (sparse, std::optional<SlopeRecord>, slope,
               "Of the distance and the critical N: how they grow with L."),
              (sparse, std::vector<double>, by_row,
               "Of growth and distance: the mean over the heads of what the estimate is the mean "
               "of, for each of the last rows, from the last one back."),
              (sparse, std::optional<std::uint64_t>, rows,
               "Of the gradient: rows that each head's largest value is the largest of."),
              (sparse, std::string, why_not,
               "Why this input cannot be measured, where there is no estimate."),
              (defaulted, std::optional<double>, confidence, "The confidence of the interval.",
               {.limits = {.words = "a number between 0 and 1", .above = 0, .below = 1}}),
              (defaulted, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
              (defaulted, , judged,
               "Whether the paper speaks of this model, GPT-2 124M, and of such lengths."),
              (defaulted, std::optional<bool>, agrees,
               "true where the whole interval lies in what is stated, false where it lies wholly "
               "outside, or one row does, of the gradient; null where it does neither or there is "
               "none."),
              (defaulted, std::vector<AbstractPoint>, points, "The measurements behind it."));

  /// What the estimate is the mean of, a head each, NaN for a head that has none; of the distance
  /// its exponential is. And what the slope of the distance is the mean of.
  std::vector<double> by_head{}, slope_by_head{};
};

}  // namespace attn::report
