#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/words.hpp"

/// What the experiments on real input show, as tables of numbers over the heads.
namespace attn::report {

// A number that a report does not have is empty: each part of a page draws what is there. L and N
// are whole numbers, kept as double because they are plotted.

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
               "E, as sampled, over (N+1) max ||x_i||, which E itself never exceeds. Without "
               "unit."),
              (sparse, MaybeSpread, residual_share,
               "The sum of the sqrt(V_i) of Theorem 1, by which E may exceed its lower bound, over "
               "that bound. Without unit."),
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
      (sparse, std::optional<std::uint64_t>, draws,
       "Where E is its mean: the random sets of each row, at every N up to 16 and in steps of a "
       "tenth beyond; E/(L-N) is interpolated between these."),
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

/// The shares of a row's weight of which it is measured how few tokens hold them, in per cent.
inline constexpr int kHeldPercents[] = {50, 90, 99};

struct HeldPoint {
  ATTN_RECORD(
      HeldPoint, "held_point",
      "The least number of tokens that hold a share of a row's weight, at one length.",
      (required, double, length, kLengthMeaning, kWhole),
      (required, double, held, "The share of the weight.", {.limits = kShare}),
      (defaulted, bool, without_first, kWithoutFirstMeaning),
      (sparse, std::optional<std::uint64_t>, samples, kSamplesMeaning, kSum),
      (required, std::uint64_t, rows,
       "Rows that each head's numbers are means over: the last ones up to L."),
      (defaulted, MaybeSpread, tokens,
       "Of a row the least N whose N largest weights certainly have a sum of that share or more, "
       "by the bounds on their rounding; of a head the mean over the rows."),
      (required, std::uint64_t, open_rows,
       "Rows of all heads of which these bounds do not exclude that fewer tokens hold the share.",
       kSum));
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
      (sparse, MaybeSpread, largest_weight_half,
       "The largest weight on the first half of the same logits."),
      (defaulted, MaybeSpread, weight_sum, "The sum of the weights."),
      (defaulted, MaybeSpread, entropy, "The entropy of the weights, in nats."),
      (defaulted, MaybeSpread, norm,
       "||J||, the spectral norm of the Jacobian at the T of its line, in weights per logit."));
};

struct MassPoint {
  ATTN_RECORD(MassPoint, "mass_point",
              "The claim mass.gap on the rows: where the gap between the N-th weight and the next "
              "one certifies that the N largest weights leave out little.",
              (required, double, n, "N: selected tokens.", kWhole),
              (required, double, left_out, "The weight left out at most.", {.limits = kShare}),
              (required, std::uint64_t, rows, "Rows of all heads with more than N tokens.", kSum),
              (required, std::uint64_t, true_rows, "Of these, rows of which it is true.", kSum),
              (required, std::uint64_t, certified_rows,
               "Of these, rows of which the bound of mass.gap shows it.", kSum));
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
      (sparse, std::vector<HeldPoint>, held, "How few tokens hold most of the weight, against L."),
      (sparse, std::vector<MassPoint>, mass, "What the gap behind the N-th weight certifies."),
      (defaulted, std::vector<NormalizerPoint>, normalizers, "Against L, for each normaliser."));
};

}  // namespace attn::report
