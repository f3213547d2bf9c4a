#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/set_size.hpp"
#include "reports/record/words.hpp"

namespace attn::report {

// The real-input block of report.json (`gpt2`). A number that a report does not have is empty: each
// part of a page draws what is there. L and N are whole numbers, kept as double because they are
// plotted.

inline constexpr std::string_view kLengthMeaning = "L: tokens read, the first included.";
inline constexpr std::string_view kWithoutFirstMeaning =
    "Whether nothing can be read from the first token.";
inline constexpr std::string_view kSamplesMeaning =
    "Heads; of a run over windows, those of all windows.";
inline constexpr Traits kWhole{.limits = kPositive, .whole = true};

struct OverWindows {
  ATTN_RECORD(OverWindows, "over_windows",
              "The mean over the heads of each window, summed up over the windows, and how far the "
              "mean over all of them would move with other windows and heads.",
              (sparse, std::optional<double>, low,
               "Lower end of the interval of the mean, by a bootstrap over windows and heads."),
              (sparse, std::optional<double>, high, "Upper end."),
              (required, double, min, "The least mean of a window."),
              (required, double, q1, "First quartile of these means."),
              (required, double, median, "Their median."),
              (required, double, q3, "Their third quartile."),
              (required, double, max, "The largest."));
};

struct Spread {
  ATTN_RECORD(Spread, "spread",
              "A number for each head, and of a run over windows for each of them, summed up.",
              (required, double, mean, "Mean."), (required, double, min, "Minimum."),
              (required, double, q1, "First quartile, interpolated linearly."),
              (required, double, median, "Median."), (required, double, q3, "Third quartile."),
              (required, double, max, "Maximum."),
              (sparse, std::optional<OverWindows>, windows,
               "Of a run over windows: how they differ."));

  /// The numbers themselves, a head each, NaN for a head that has none. In no report: a run over
  /// windows takes them from here.
  std::vector<double> by_head{};
};
using MaybeSpread = std::optional<Spread>;

/// D and E are measured on so many last rows of each length, or on half of a shorter one.
inline constexpr std::int64_t kLastRows = 16;

struct DistancePoint {
  ATTN_RECORD(DistancePoint, "distance",
              "Experiments 1 and 2 at one L and one N, as means over the last rows of that length. "
              "Distances are in units of the embeddings; null where a head has none.",
              (required, double, length, kLengthMeaning, kWhole),
              (required, double, n, "N: selected tokens.", kWhole),
              (defaulted, bool, without_first, kWithoutFirstMeaning),
              (sparse, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
              (required, std::uint64_t, rows,
               "Rows that each head's numbers are means over: the last ones up to L."),
              (defaulted, MaybeSpread, distance,
               "D, the summed distance of the other tokens from s."),
              (sparse, std::optional<double>, low,
               "Lower end of the 95 % interval of the mean of D over heads and rows."),
              (sparse, std::optional<double>, high, "Upper end."),
              (defaulted, MaybeSpread, expected,
               "E, the mean of D over all choices of N tokens: the mean over `draws` random sets "
               "of each row."),
              (sparse, std::optional<double>, expected_low,
               "Lower end of the 95 % interval of the mean of E over heads, rows and draws."),
              (sparse, std::optional<double>, expected_high, "Upper end."),
              (sparse, std::optional<std::uint64_t>, draws, "Random sets of each row."),
              (defaulted, MaybeSpread, expected_factor,
               "The proved lower bound of E: the sum over the other tokens with the factor "
               "N/(L-1)."),
              (defaulted, MaybeSpread, expected_full,
               "That sum in full, without the factor, which the paper's figure has; no bound of "
               "E."),
              (sparse, MaybeSpread, expected_share,
               "The lower bound over (N+1) max ||x_i||, which E never exceeds. Without unit."),
              (defaulted, MaybeSpread, bound, "The bound of Theorem 1 on D."),
              (defaulted, MaybeSpread, sharp_bound, "Its sharp form."));

  /// D and E of each of the rows, from the last one back, added up over the heads. In no report.
  std::vector<double> by_row{}, expected_by_row{};
};

struct CriticalWindows {
  ATTN_RECORD(CriticalWindows, "critical_windows", "The critical N of each window, summed up.",
              (required, std::uint64_t, without,
               "Windows in which D and E can be told apart at every N."),
              (sparse, std::optional<double>, min, "The least N of the others.", {.whole = true}),
              (sparse, std::optional<double>, max, "The largest.", {.whole = true}));
};

/// The levels of the test of experiment 3: of the paper's Section 3.1, and of its Algorithm 3.
inline constexpr double kCriticalLevel = 0.01, kLaterCriticalLevel = 0.05;

struct CriticalPoint {
  ATTN_RECORD(
      CriticalPoint, "critical",
      "Experiment 3: the first N at which a two-sample Kolmogorov-Smirnov test cannot tell "
      "D and E apart, on the last row of one length.",
      (required, double, length, kLengthMeaning, kWhole),
      (required, Reading, reading,
       "Which E: its mean, sampled; the lower bound, with the factor N/(L-1); or the sum in "
       "full."),
      (defaulted, bool, without_first, kWithoutFirstMeaning),
      (defaulted, std::optional<double>, n,
       "That N; null where they can be told apart at every N. Of a run over windows the "
       "median of the windows, those without one above all others.",
       {.limits = kNotNegative, .whole = true}),
      (defaulted, std::optional<double>, fraction, "N by the number of tokens; null with n.",
       {.limits = kShare}),
      (defaulted, std::optional<double>, statistic,
       "The Kolmogorov-Smirnov statistic at that N, in [0, 1]; null of windows."),
      (defaulted, std::optional<double>, p, "Its exact p-value, in [0, 1]; null of windows."),
      (required, double, level, "The level of the test: 0.01 and 0.05, as the paper has both.",
       {.limits = {.words = "a number between 0 and 1", .above = 0, .below = 1}}),
      (sparse, std::optional<double>, low,
       "Lower end of the 95 % interval of N, by a bootstrap over the heads.", {.whole = true}),
      (sparse, std::optional<double>, high,
       "Upper end; absent where D and E of so many resamples can be told apart at every N.",
       {.whole = true}),
      (sparse, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
      (sparse, std::optional<CriticalWindows>, windows, "Of a run over windows: how they differ."));

  /// The critical N of resamples of the heads, which the interval is of; infinity for none. In no
  /// report.
  std::vector<double> resampled{};
};

struct SeparabilityPoint {
  ATTN_RECORD(
      SeparabilityPoint, "separability",
      "Experiment 4 at one N and the longest L. Shares are in [0, 1], without unit.",
      (required, double, n, "N: selected tokens.", kWhole),
      (defaulted, std::optional<double>, length, kLengthMeaning, kWhole),
      (defaulted, bool, without_first, kWithoutFirstMeaning),
      (sparse, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
      (defaulted, MaybeSpread, share,
       "N_s/N: the share of the selected tokens that are nearer to s than every other token."),
      (defaulted, MaybeSpread, random_share, "The same for random sets."),
      (defaulted, MaybeSpread, precision,
       "Of the tokens in the ball that holds all selected ones, the selected share."),
      (defaulted, MaybeSpread, recall, "N_s/N with a strict inequality."),
      (defaulted, MaybeSpread, f_score, "The harmonic mean of precision and recall."),
      (defaulted, MaybeSpread, lower_bound, "The lower bound of Theorem 2, cut to [0, 1]."),
      (defaulted, MaybeSpread, lower_bound_sharp, "Its sharp form."),
      (defaulted, MaybeSpread, upper_bound, "The repaired upper bound of Theorem 2."),
      (defaulted, MaybeSpread, share_all_rows, "N_s/N as a mean over all rows."),
      (defaulted, MaybeSpread, random_share_all_rows, "The same for random sets."),
      (defaulted, MaybeSpread, between_bounds_all_rows,
       "How often, over all rows, N_s/N lies between the sharp lower and the repaired upper bound "
       "of Theorem 2."));
};

struct DirectionPoint {
  ATTN_RECORD(DirectionPoint, "directions",
              "How far the embeddings are from Assumption 1 of Theorem 2, which has them "
              "independent and uniform on a sphere. Without unit.",
              (defaulted, bool, without_first, kWithoutFirstMeaning),
              (sparse, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
              (defaulted, MaybeSpread, length_spread,
               "Standard deviation of their lengths over the mean: 0 on a sphere."),
              (defaulted, MaybeSpread, mean_direction,
               "The length of the mean of their directions: about 1/sqrt(L) if uniform."),
              (defaulted, MaybeSpread, leading_share,
               "The largest eigenvalue of the second moments of their directions, which add up to "
               "1: about 1/d if uniform."));
};

struct StepPoint {
  ATTN_RECORD(StepPoint, "step",
              "The largest finite difference g(T, epsilon) over heads and rows in one direction, "
              "in weights per logit.",
              (required, double, epsilon, "The length of the step in the logits.",
               {.limits = kPositive}),
              (required, Direction, direction,
               "Along random signs, or between the two largest logits."),
              (defaulted, std::optional<double>, largest, "The largest g(T, epsilon).", kLargest),
              (defaulted, MaybeSpread, largest_by_head, "The largest of each head."),
              (defaulted, std::optional<double>, printed_bound,
               "min{1/(4T), sqrt 2}, as the paper prints it."),
              (defaulted, std::optional<double>, true_bound,
               "(sqrt(2)/epsilon) tanh(epsilon/(2 sqrt(2) T)), which holds."));
};

struct GradientPoint {
  ATTN_RECORD(GradientPoint, "gradient",
              "Experiment 5 at one temperature. T ||J|| is without unit, at most 1/2.",
              (required, double, temperature, "T.", {.limits = kPositive}),
              (defaulted, bool, without_first, kWithoutFirstMeaning),
              (defaulted, std::optional<std::uint64_t>, rows, "Rows of all heads.", kSum),
              (defaulted, MaybeSpread, t_norm, "The largest T ||J|| of each head."),
              (defaulted, std::optional<double>, mean_t_norm,
               "The mean of T ||J|| over heads and rows."),
              (defaulted, std::optional<double>, largest_t_norm, "The largest T ||J||.", kLargest),
              (defaulted, std::optional<std::uint64_t>, rows_above_printed_bound,
               "Rows with ||J|| > min{1/(4T), sqrt 2}.", kSum),
              (defaulted, std::vector<StepPoint>, steps, "Finite differences.", {.name = "step"}));
};

struct SinkPoint {
  ATTN_RECORD(SinkPoint, "sink", "How much of the weight the first token takes, at one length.",
              (required, double, length, kLengthMeaning, kWhole),
              (sparse, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
              (defaulted, MaybeSpread, share, "Its share, in [0, 1]."));
};

struct NormalizerPoint {
  ATTN_RECORD(
      NormalizerPoint, "normalizer_point",
      "One normaliser on the logits of the model, at one length.",
      (required, std::string, name, "\"softmax, T/2\", \"sparsemax\", ..."),
      (required, double, length, kLengthMeaning, kWhole),
      (defaulted, bool, without_first, kWithoutFirstMeaning),
      (sparse, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
      (defaulted, std::optional<double>, n, "The N of share.", kWhole),
      (defaulted, std::optional<double>, critical_n_full,
       "The critical N at level 0.01, E read as the sum in full; null where D and E can be told "
       "apart at every N, where no test of so few heads rejects, and where a head has no weights. "
       "Of a run over windows the median of the windows, those without one above all others.",
       {.limits = kNotNegative, .whole = true}),
      (defaulted, std::optional<double>, critical_n_factor,
       "The critical N at level 0.01, E read as its lower bound, with the factor N/(L-1); null as "
       "above.",
       {.limits = kNotNegative, .whole = true}),
      (defaulted, MaybeSpread, share, "N_s/N, in [0, 1]."),
      (defaulted, MaybeSpread, largest_weight, "The largest weight."),
      (defaulted, MaybeSpread, weight_sum, "The sum of the weights."),
      (defaulted, MaybeSpread, entropy, "The entropy of the weights, in nats."),
      (defaulted, MaybeSpread, norm,
       "||J||, the spectral norm of the Jacobian at the T of its line, in weights per logit."));
};

struct Figures {
  ATTN_RECORD(
      Figures, "figures", "What all heads show together.",
      (defaulted, std::vector<DistancePoint>, distance_by_length, "Against L, at one N."),
      (defaulted, std::vector<DistancePoint>, distance_by_n, "Against N, at the longest L."),
      (defaulted, std::vector<CriticalPoint>, critical_n, "Against L."),
      (defaulted, std::vector<SeparabilityPoint>, separability, "Against N, at the longest L."),
      (defaulted, std::vector<DirectionPoint>, directions, "With and without the first token."),
      (defaulted, std::vector<GradientPoint>, gradient, "Against T."),
      (defaulted, std::vector<SinkPoint>, sink, "Against L."),
      (defaulted, std::vector<NormalizerPoint>, normalizers, "Against L, for each normaliser."));
};

// The statements of the paper that gpt2_check measures, by their ids.
inline constexpr std::string_view kGrowthStatement = "growth";
inline constexpr std::string_view kDistanceStatement = "distance";
inline constexpr std::string_view kCriticalStatement = "critical_n";
inline constexpr std::string_view kShareStatement = "share";
inline constexpr std::string_view kGradientStatement = "gradient";
inline constexpr std::string_view kColderStatement = "colder";

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
       "Of these, rows with ||J|| above the printed bound.", kSum));

  /// The numbers of a distance or a share by head: what its interval is of, as in a Spread.
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
               "outside, null where it does neither or there is none."),
              (defaulted, std::vector<AbstractPoint>, points, "The measurements behind it."));

  /// What the estimate is the mean of, as in a Spread; of the distance its exponential is. And what
  /// the slope of the distance is the mean of.
  std::vector<double> by_head{}, slope_by_head{};
};

struct HeadClaim {
  ATTN_RECORD(HeadClaim, "head_claim", "What the cases of one claim on one head showed.",
              (required, std::uint64_t, cases, "Cases looked at.", kSum),
              (required, std::uint64_t, violated, "Cases with certainly lhs > rhs.", kSum),
              (required, std::uint64_t, assumption_not_met,
               "Cases outside the hypotheses of the claim.", kSum),
              (defaulted, std::optional<double>, max_ratio,
               "The largest lhs/rhs, or null; inf: violated with lhs > 0 and rhs <= 0.", kLargest));
};

/// A map draws a cell for each head.
inline constexpr Limits kHeadIndex{.words = "an index below 4096", .least = 0, .most = 4095};

struct HeadNumbers {
  ATTN_RECORD(
      HeadNumbers, "head_numbers",
      "What was measured of one head, over its rows; of a run over windows, in means over them.",
      (sparse, std::optional<std::uint64_t>, rows,
       "Rows measured, of experiment 5 at the head's own T.", kSum),
      (sparse, std::optional<double>, distance, "D, in units of the embeddings.", kMean),
      (sparse, std::optional<double>, distance_over_bound,
       "D by the bound of Theorem 1, in [0, 1].", kMean),
      (sparse, std::optional<double>, f_score, "The F of precision and recall, in [0, 1].", kMean),
      (sparse, std::optional<double>, largest_t_norm, "The largest T ||J||, at most 1/2.",
       kLargest),
      (sparse, std::optional<double>, n,
       "N of the measures of a selection: the largest that applies.", {.whole = true}),
      (sparse, std::optional<double>, random_share, "N_s/N of random sets, in [0, 1].", kMean),
      (sparse, std::optional<double>, share, "N_s/N, in [0, 1].", kMean),
      (sparse, std::optional<double>, sink_share,
       "The weight of the first token that is there, in [0, 1].", kMean),
      (sparse, std::optional<double>, distance_at_five,
       "D at N = 5, mean over the last rows of the longest L.", kMean),
      (sparse, std::optional<double>, growth, "The slope of ln D on ln L at N = 5.", kMean),
      (sparse, std::optional<double>, distance_slope, "The slope of ln D on ln L at N = L/4.",
       kMean),
      (sparse, std::optional<double>, distance_log_ratio,
       "ln of D at the longest L by D at the shortest, N = L/4.", kMean),
      (sparse, std::optional<double>, share_beyond_16,
       "N_s/N, mean over all rows and every N above 16, in [0, 1].", kMean),
      (sparse, std::optional<double>, largest_cold_t_norm,
       "The largest T ||J|| of its rows at T below 0.1.", kLargest),
      (sparse, std::optional<double>, colder,
       "The slope of ln of the mean ||J|| on ln(1/T) for T up to 0.1.", kMean));
};

struct HeadRecord : HeadNumbers {
  unsigned layer{}, head{};
  std::optional<HeadNumbers> without_first{};
  ByName<HeadClaim> claims{};

  using Self = HeadRecord;
  static constexpr std::string_view kName = "head";
  static constexpr std::string_view kMeaning = "One head, in means over its rows.";
  static constexpr auto fields() {
    return joined(
        field_table(
            required("layer", &Self::layer, "The layer, counted from 0.", {.limits = kHeadIndex}),
            required("head", &Self::head, "The head in its layer, counted from 0.",
                     {.limits = kHeadIndex})),
        HeadNumbers::fields(),
        field_table(
            sparse("without_first", &Self::without_first,
                   "The same where nothing can be read from the first token."),
            defaulted("claims", &Self::claims, "Claim -> what its cases of this head showed.")));
  }
};

struct WindowsRecord {
  ATTN_RECORD(WindowsRecord, "windows", "A text read in consecutive windows, each by itself.",
              (required, std::uint64_t, count, "Windows.", {.limits = kFromOne}),
              (required, std::uint64_t, tokens_left,
               "Tokens of the text after the last window, which were not read."),
              (sparse, std::optional<double>, quantile_error,
               "Quartiles and medians over several windows are right to this share of themselves.",
               {.limits = kShare}),
              (sparse, std::optional<double>, confidence,
               "The confidence of the intervals over windows and heads.", {.limits = kShare}),
              (sparse, std::optional<std::uint64_t>, replicates,
               "The replicates of their bootstrap."));
};

inline constexpr Traits kCount{.limits = kFromOne};

struct LayerSizes {
  ATTN_RECORD(
      LayerSizes, "layer_sizes", "What one layer of a recording has.",
      (required, std::uint64_t, layer, "The layer, counted from 0.", {.limits = kHeadIndex}),
      (sparse, std::optional<Stead>, in_place_of_queries,
       "What was recorded in place of queries and keys: the scores, or the weights alone."),
      (required, std::uint64_t, heads, "Heads of queries.", kCount),
      (sparse, std::optional<std::uint64_t>, key_heads, "Heads of keys and values.", kCount),
      (required, std::uint64_t, queries, "Queries.", kCount),
      (required, std::uint64_t, keys, "Keys, a learned sink aside.", kCount),
      (sparse, std::optional<std::uint64_t>, width, "Numbers of a query and of a key.", kCount),
      (sparse, std::optional<std::uint64_t>, value_width,
       "d: numbers of a value; absent without values.", kCount),
      (required, bool, learned_sink,
       "Whether there is one more key, of a logit that each head has learned and the value "
       "0, before all others."));
};

inline constexpr Traits kSetting{.is_setting = true};
inline constexpr Traits kSize{.limits = kFromOne, .is_setting = true};

struct Measurements {
  ATTN_RECORD(
      Measurements, "gpt2", "What was measured on real attention.",
      (sparse, std::string, input, "The name of the input, which the records of its claims bear."),
      (sparse, std::string, model, "Name of the model."),
      (sparse, std::string, model_sha256,
       "SHA-256 of its weights or of the recording, in hexadecimal.",
       {.pattern = "^[0-9a-f]{64}$"}),
      (sparse, std::string, text_sha256,
       "SHA-256 of the text that the model read; absent where there is none.",
       {.pattern = "^[0-9a-f]{64}$"}),
      (sparse, std::optional<std::uint64_t>, layers, "Layers.", kSize),
      (sparse, std::optional<std::uint64_t>, heads_per_layer,
       "Heads of a layer; absent where the layers differ.", kSize),
      (sparse, std::optional<std::uint64_t>, key_heads,
       "Heads of keys and values of a layer, where several heads of queries share one.", kSize),
      (sparse, std::vector<double>, own_temperatures,
       "The model's own T: of each layer, or one where all are alike."),
      (sparse, std::optional<std::uint64_t>, positions,
       "Tokens read, a query each; of a run over windows, in each; absent where the layers differ.",
       kSize),
      (sparse, std::optional<std::uint64_t>, keys,
       "Keys, a learned sink aside, where they are not as many as the queries. The queries are the "
       "last ones. Absent where the layers differ.",
       kSize),
      (sparse, std::optional<std::uint64_t>, head_width,
       "d, the dimension of q and k of a head, or where they were not recorded of its values; "
       "absent where the layers differ.",
       kSize),
      (sparse, std::optional<bool>, learned_sink,
       "Whether the first token of a row is a learned sink: one more key, of a logit that each "
       "head has learned and the value 0. Then L counts it, and what is measured without the first "
       "token is measured without the sink.",
       kSetting),
      (sparse, std::vector<LayerSizes>, layer_sizes,
       "Each layer of a recording by itself, where not all are alike, or values have another width "
       "than queries and keys."),
      (sparse, std::string, no_lengths,
       "Why a recording with values has no figures against L and N."),
      (sparse, std::optional<Precision>, precision, "The arithmetic of the forward pass.",
       kSetting),
      (sparse, std::string, tokens_sha256,
       "Of the token ids that a model read, in decimal with commas between them. Absent for a "
       "recording.",
       {.pattern = "^[0-9a-f]{64}$", .is_setting = true}),
      (sparse, std::optional<std::uint64_t>, rows,
       "Rows measured of each head; of a run over windows, in each.", kSize),
      (sparse, std::vector<std::uint64_t>, top_n, "The N of the experiments, ascending.", kSize),
      (sparse, std::optional<Stead>, in_place_of_queries,
       "What was recorded in place of queries and keys: the scores, or the weights alone. Then the "
       "weights are the numbers divided by the sum of their row, and the logits the doubles next "
       "to T ln of the numbers.",
       kSetting),
      (sparse, std::string, mask,
       "Which tokens a query sees: causal, those up to its own; full, all; window:K, the last K up "
       "to its own; recorded, those that the recorded scores or weights do not hide. Of several, "
       "one for each layer. Absent: causal.",
       {.pattern = "^(causal|full|window:[0-9]+|recorded)(,(causal|full|window:[0-9]+|recorded))*$",
        .is_setting = true}),
      (sparse, std::optional<std::uint64_t>, padding,
       "Positions of a recording that were left out, since no other query sees them."),
      (sparse, std::optional<std::uint64_t>, rows_left_out,
       "Rows of heads that see fewer than two keys, as the recording hides the others."),
      (sparse, std::optional<std::uint64_t>, zero_weights,
       "Recorded weights that are 0 where a query sees the key."),
      (sparse, std::optional<std::uint64_t>, off_sum_rows,
       "Rows of a recorded pattern whose sum differs from 1 by more than 0.01."),
      (sparse, std::optional<std::uint64_t>, rows_above_one, "Of these, rows of a larger sum."),
      (sparse, std::optional<double>, farthest_sum, "Of these rows, the sum farthest from 1."),
      (sparse, std::optional<std::vector<double>>, temperatures,
       "The T that the claims were decided at; empty: the model's own, of each layer.", kSetting),
      (sparse, std::optional<std::uint64_t>, draws, "Random sets for each row and N.", kSetting),
      (sparse, std::optional<std::uint64_t>, draws_at_lengths,
       "The same of the last row of each length, where they are more.", kSetting),
      (sparse, ByName<std::string>, not_covered,
       "Claims on rows of attention that this input cannot speak to -> what it would need."),
      (sparse, std::vector<double>, pattern_difference_by_layer,
       "Of a recording with its pattern: the largest difference between it and softmax(l/T), by "
       "layer."),
      (sparse, std::vector<std::uint64_t>, contradicted_layers,
       "Layers where that is more than the recorded types explain, by number: their claims are "
       "decided on the pattern."),
      (sparse, std::optional<std::uint64_t>, unconfirmed_layers,
       "Layers of a recording without a pattern, which would show that the model weighed by the "
       "recorded logits."),
      (sparse, std::string, checked, "What its recorder says of these."),
      (sparse, std::optional<WindowsRecord>, windows,
       "Where the text was read in windows: how many."),
      (defaulted, Figures, figures, "What all heads show together."),
      (sparse, std::optional<SetSizes>, set_sizes,
       "Experiment 6, of a model that predicts tokens."),
      (defaulted, std::vector<PaperStatement>, abstract,
       "The paper's abstract, statement by statement."),
      (defaulted, std::vector<HeadRecord>, heads, "Every head."));
};

}  // namespace attn::report
