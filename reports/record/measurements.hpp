#pragma once

#include <cstdint>
#include <map>
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
  std::optional<double> low{}, high{};
  double min{}, q1{}, median{}, q3{}, max{};

  ATTN_RECORD(
      OverWindows, "over_windows",
      "The mean over the heads of each window, summed up over the windows, and how far the mean "
      "over all of them would move with other windows and heads.",
      sparse(ATTN_FIELD(low),
             "Lower end of the interval of the mean, by a bootstrap over windows and heads."),
      sparse(ATTN_FIELD(high), "Upper end."),
      required(ATTN_FIELD(min), "The least mean of a window."),
      required(ATTN_FIELD(q1), "First quartile of these means."),
      required(ATTN_FIELD(median), "Their median."),
      required(ATTN_FIELD(q3), "Their third quartile."), required(ATTN_FIELD(max), "The largest."));
};

struct Spread {
  double mean{}, min{}, q1{}, median{}, q3{}, max{};
  std::optional<OverWindows> windows{};
  /// The numbers themselves, a head each, NaN for a head that has none. In no report: a run over
  /// windows takes them from here.
  std::vector<double> by_head{};

  ATTN_RECORD(Spread, "spread",
              "A number for each head, and of a run over windows for each of them, summed up.",
              required(ATTN_FIELD(mean), "Mean."), required(ATTN_FIELD(min), "Minimum."),
              required(ATTN_FIELD(q1), "First quartile, interpolated linearly."),
              required(ATTN_FIELD(median), "Median."), required(ATTN_FIELD(q3), "Third quartile."),
              required(ATTN_FIELD(max), "Maximum."),
              sparse(ATTN_FIELD(windows), "Of a run over windows: how they differ."));
};
using MaybeSpread = std::optional<Spread>;

struct DistancePoint {
  double length{}, n{};
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread distance{}, expected_full{}, expected_factor{}, bound{}, sharp_bound{};

  ATTN_RECORD(
      DistancePoint, "distance",
      "Experiments 1 and 2 at one L and one N. Distances are in units of the embeddings; null "
      "where a head has none.",
      required(ATTN_FIELD(length), kLengthMeaning, kWhole),
      required(ATTN_FIELD(n), "N: selected tokens.", kWhole),
      defaulted(ATTN_FIELD(without_first), kWithoutFirstMeaning),
      sparse(ATTN_FIELD(samples), kSamplesMeaning, kSum),
      defaulted(ATTN_FIELD(distance), "D, the summed distance of the other tokens from s."),
      defaulted(ATTN_FIELD(expected_full),
                "E for a random set, the sum over the other tokens taken in full."),
      defaulted(ATTN_FIELD(expected_factor), "E with the factor N/(L-1)."),
      defaulted(ATTN_FIELD(bound), "The bound of Theorem 1 on D."),
      defaulted(ATTN_FIELD(sharp_bound), "Its sharp form."));
};

struct CriticalWindows {
  std::uint64_t without{};
  std::optional<double> min{}, max{};

  ATTN_RECORD(CriticalWindows, "critical_windows", "The critical N of each window, summed up.",
              required(ATTN_FIELD(without),
                       "Windows in which D and E can be told apart at every N."),
              sparse(ATTN_FIELD(min), "The least N of the others.", {.whole = true}),
              sparse(ATTN_FIELD(max), "The largest.", {.whole = true}));
};

struct CriticalPoint {
  double length{};
  Reading reading{};
  bool without_first{};
  std::optional<double> n{}, fraction{};
  std::optional<double> statistic{}, p{}, level{};
  std::optional<std::uint64_t> samples{};
  std::optional<CriticalWindows> windows{};

  ATTN_RECORD(
      CriticalPoint, "critical",
      "Experiment 3: the first N at which a two-sample Kolmogorov-Smirnov test cannot tell D and E "
      "apart.",
      required(ATTN_FIELD(length), kLengthMeaning, kWhole),
      required(ATTN_FIELD(reading), "Which E: the sum in full, or with the factor N/(L-1)."),
      defaulted(ATTN_FIELD(without_first), kWithoutFirstMeaning),
      defaulted(ATTN_FIELD(n),
                "That N; null where they can be told apart at every N. Of a run over windows the "
                "median of the windows, those without one above all others.",
                {.limits = kNotNegative, .whole = true}),
      defaulted(ATTN_FIELD(fraction), "N by the number of tokens; null with n.",
                {.limits = kShare}),
      defaulted(ATTN_FIELD(statistic),
                "The Kolmogorov-Smirnov statistic at that N, in [0, 1]; null of windows."),
      defaulted(ATTN_FIELD(p), "Its exact p-value, in [0, 1]; null of windows."),
      defaulted(ATTN_FIELD(level), "The level of the test, in (0, 1)."),
      sparse(ATTN_FIELD(samples), kSamplesMeaning, kSum),
      sparse(ATTN_FIELD(windows), "Of a run over windows: how they differ."));
};

struct SeparabilityPoint {
  double n{};
  std::optional<double> length{};
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread share{}, random_share{}, precision{}, recall{}, f_score{};
  MaybeSpread lower_bound{}, lower_bound_sharp{}, upper_bound{};
  MaybeSpread share_all_rows{}, random_share_all_rows{}, between_bounds_all_rows{};

  ATTN_RECORD(
      SeparabilityPoint, "separability",
      "Experiment 4 at one N and the longest L. Shares are in [0, 1], without unit.",
      required(ATTN_FIELD(n), "N: selected tokens.", kWhole),
      defaulted(ATTN_FIELD(length), kLengthMeaning, kWhole),
      defaulted(ATTN_FIELD(without_first), kWithoutFirstMeaning),
      sparse(ATTN_FIELD(samples), kSamplesMeaning, kSum),
      defaulted(ATTN_FIELD(share),
                "N_s/N: the share of the selected tokens that are nearer to s than every other "
                "token."),
      defaulted(ATTN_FIELD(random_share), "The same for random sets."),
      defaulted(ATTN_FIELD(precision),
                "Of the tokens in the ball that holds all selected ones, the selected share."),
      defaulted(ATTN_FIELD(recall), "N_s/N with a strict inequality."),
      defaulted(ATTN_FIELD(f_score), "The harmonic mean of precision and recall."),
      defaulted(ATTN_FIELD(lower_bound), "The lower bound of Theorem 2, cut to [0, 1]."),
      defaulted(ATTN_FIELD(lower_bound_sharp), "Its sharp form."),
      defaulted(ATTN_FIELD(upper_bound), "The repaired upper bound of Theorem 2."),
      defaulted(ATTN_FIELD(share_all_rows), "N_s/N as a mean over all rows."),
      defaulted(ATTN_FIELD(random_share_all_rows), "The same for random sets."),
      defaulted(ATTN_FIELD(between_bounds_all_rows),
                "How often, over all rows, N_s/N lies between the sharp lower and the repaired "
                "upper bound of Theorem 2."));
};

struct DirectionPoint {
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread length_spread{}, mean_direction{}, leading_share{};

  ATTN_RECORD(
      DirectionPoint, "directions",
      "How far the embeddings are from Assumption 1 of Theorem 2, which has them independent and "
      "uniform on a sphere. Without unit.",
      defaulted(ATTN_FIELD(without_first), kWithoutFirstMeaning),
      sparse(ATTN_FIELD(samples), kSamplesMeaning, kSum),
      defaulted(ATTN_FIELD(length_spread),
                "Standard deviation of their lengths over the mean: 0 on a sphere."),
      defaulted(ATTN_FIELD(mean_direction),
                "The length of the mean of their directions: about 1/sqrt(L) if uniform."),
      defaulted(ATTN_FIELD(leading_share),
                "The largest eigenvalue of the second moments of their directions, which add up "
                "to 1: about 1/d if uniform."));
};

struct StepPoint {
  double epsilon{};
  Direction direction{};
  std::optional<double> largest{};
  MaybeSpread largest_by_head{};
  std::optional<double> printed_bound{}, true_bound{};

  ATTN_RECORD(
      StepPoint, "step",
      "The largest finite difference g(T, epsilon) over heads and rows in one direction, in "
      "weights per logit.",
      required(ATTN_FIELD(epsilon), "The length of the step in the logits.", {.limits = kPositive}),
      required(ATTN_FIELD(direction), "Along random signs, or between the two largest logits."),
      defaulted(ATTN_FIELD(largest), "The largest g(T, epsilon).", kLargest),
      defaulted(ATTN_FIELD(largest_by_head), "The largest of each head."),
      defaulted(ATTN_FIELD(printed_bound), "min{1/(4T), sqrt 2}, as the paper prints it."),
      defaulted(ATTN_FIELD(true_bound),
                "(sqrt(2)/epsilon) tanh(epsilon/(2 sqrt(2) T)), which holds."));
};

struct GradientPoint {
  double temperature{};
  bool without_first{};
  std::optional<std::uint64_t> rows{};
  MaybeSpread t_norm{};
  std::optional<double> mean_t_norm{}, largest_t_norm{};
  std::optional<std::uint64_t> rows_above_printed_bound{};
  std::vector<StepPoint> steps{};

  ATTN_RECORD(GradientPoint, "gradient",
              "Experiment 5 at one temperature. T ||J|| is without unit, at most 1/2.",
              required(ATTN_FIELD(temperature), "T.", {.limits = kPositive}),
              defaulted(ATTN_FIELD(without_first), kWithoutFirstMeaning),
              defaulted(ATTN_FIELD(rows), "Rows of all heads.", kSum),
              defaulted(ATTN_FIELD(t_norm), "The largest T ||J|| of each head."),
              defaulted(ATTN_FIELD(mean_t_norm), "The mean of T ||J|| over heads and rows."),
              defaulted(ATTN_FIELD(largest_t_norm), "The largest T ||J||.", kLargest),
              defaulted(ATTN_FIELD(rows_above_printed_bound),
                        "Rows with ||J|| > min{1/(4T), sqrt 2}.", kSum),
              defaulted("step", &Self::steps, "Finite differences."));
};

struct SinkPoint {
  double length{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread share{};

  ATTN_RECORD(SinkPoint, "sink", "How much of the weight the first token takes, at one length.",
              required(ATTN_FIELD(length), kLengthMeaning, kWhole),
              sparse(ATTN_FIELD(samples), kSamplesMeaning, kSum),
              defaulted(ATTN_FIELD(share), "Its share, in [0, 1]."));
};

struct NormalizerPoint {
  std::string name{};
  double length{};
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  std::optional<double> n{};
  std::optional<double> critical_n_full{}, critical_n_factor{};
  MaybeSpread share{}, largest_weight{}, weight_sum{}, entropy{}, norm{};

  ATTN_RECORD(
      NormalizerPoint, "normalizer_point",
      "One normaliser on the logits of the model, at one length.",
      required(ATTN_FIELD(name), "\"softmax, T/2\", \"sparsemax\", ..."),
      required(ATTN_FIELD(length), kLengthMeaning, kWhole),
      defaulted(ATTN_FIELD(without_first), kWithoutFirstMeaning),
      sparse(ATTN_FIELD(samples), kSamplesMeaning, kSum),
      defaulted(ATTN_FIELD(n), "The N of share.", kWhole),
      defaulted(ATTN_FIELD(critical_n_full),
                "The critical N, E taken in full; null where D and E can be told apart at every "
                "N, where no test of so few heads rejects, and where a head has no weights.",
                {.limits = kNotNegative, .whole = true}),
      defaulted(ATTN_FIELD(critical_n_factor),
                "The critical N, E with the factor N/(L-1); null as above.",
                {.limits = kNotNegative, .whole = true}),
      defaulted(ATTN_FIELD(share), "N_s/N, in [0, 1]."),
      defaulted(ATTN_FIELD(largest_weight), "The largest weight."),
      defaulted(ATTN_FIELD(weight_sum), "The sum of the weights."),
      defaulted(ATTN_FIELD(entropy), "The entropy of the weights, in nats."),
      defaulted(ATTN_FIELD(norm),
                "||J||, the spectral norm of the Jacobian at the head's own T, in weights per "
                "logit."));
};

struct Figures {
  std::vector<DistancePoint> distance_by_length{}, distance_by_n{};
  std::vector<CriticalPoint> critical_n{};
  std::vector<SeparabilityPoint> separability{};
  std::vector<DirectionPoint> directions{};
  std::vector<GradientPoint> gradient{};
  std::vector<SinkPoint> sink{};
  std::vector<NormalizerPoint> normalizers{};

  ATTN_RECORD(Figures, "figures", "What all heads show together.",
              defaulted(ATTN_FIELD(distance_by_length), "Against L, at one N."),
              defaulted(ATTN_FIELD(distance_by_n), "Against N, at the longest L."),
              defaulted(ATTN_FIELD(critical_n), "Against L."),
              defaulted(ATTN_FIELD(separability), "Against N, at the longest L."),
              defaulted(ATTN_FIELD(directions), "Of all tokens."),
              defaulted(ATTN_FIELD(gradient), "Against T."),
              defaulted(ATTN_FIELD(sink), "Against L."),
              defaulted(ATTN_FIELD(normalizers), "Against L, for each normaliser."));
};

// The statements of the abstract that gpt2_check measures, by their ids.
inline constexpr std::string_view kDistanceStatement = "distance";
inline constexpr std::string_view kShareStatement = "share";
inline constexpr std::string_view kGradientStatement = "gradient";

struct AbstractPoint {
  std::optional<double> temperature{}, length{}, n{};
  std::optional<double> distance{}, expected{}, share{}, low{}, high{}, random_share{};
  std::optional<double> largest{}, mean_of_largest{};
  std::optional<std::uint64_t> rows{}, rows_above_printed_bound{};
  /// Of a distance or a share: what its interval is of, as in a Spread.
  std::vector<double> by_head{};

  ATTN_RECORD(
      AbstractPoint, "abstract_point",
      "A measurement behind a statement of the abstract: the fields that the statement needs.",
      sparse(ATTN_FIELD(temperature), "T.", {.limits = kPositive}),
      sparse(ATTN_FIELD(length), kLengthMeaning, kWhole),
      sparse(ATTN_FIELD(n), "N: selected tokens.", kWhole),
      sparse(ATTN_FIELD(distance), "D, mean over the heads, in units of the embeddings.", kMean),
      sparse(ATTN_FIELD(expected),
             "E with the factor N/(L-1), mean over the heads: what D is at least for a random set, "
             "on average.",
             kMean),
      sparse(ATTN_FIELD(share), "N_s/N, mean over the heads, in [0, 1].", kMean),
      sparse(ATTN_FIELD(low), "Lower end of the confidence interval of that mean."),
      sparse(ATTN_FIELD(high), "Upper end."),
      sparse(ATTN_FIELD(random_share), "N_s/N of random sets.", kMean),
      sparse(ATTN_FIELD(largest), "The largest T ||J|| of all heads.", kLargest),
      sparse(ATTN_FIELD(mean_of_largest), "The mean over the heads of the largest T ||J||.", kMean),
      sparse(ATTN_FIELD(rows), "Rows of all heads.", kSum),
      sparse(ATTN_FIELD(rows_above_printed_bound),
             "Of these, rows with ||J|| above the printed bound.", kSum));
};

struct PaperStatement {
  std::string id{}, says{}, measured{};
  std::optional<double> estimate{}, low{}, high{}, confidence{};
  std::optional<std::uint64_t> samples{};
  bool judged{true};
  std::optional<bool> agrees{};
  std::vector<AbstractPoint> points{};
  /// What the estimate is the mean of, as in a Spread; of the distance its exponential is.
  std::vector<double> by_head{};

  ATTN_RECORD(
      PaperStatement, "statement", "A statement of the paper's abstract beside what was measured.",
      required(ATTN_FIELD(id), "\"distance\", ..."),
      required(ATTN_FIELD(says), "What the paper says."),
      defaulted(ATTN_FIELD(measured), "What was measured, in words."),
      defaulted(ATTN_FIELD(estimate), "The number measured, in the unit of the statement."),
      defaulted(ATTN_FIELD(low),
                "Lower end of its confidence interval over the heads, or over windows and heads."),
      defaulted(ATTN_FIELD(high), "Upper end."),
      defaulted(ATTN_FIELD(confidence), "The confidence of the interval.",
                {.limits = {.words = "a number between 0 and 1", .above = 0, .below = 1}}),
      defaulted(ATTN_FIELD(samples), kSamplesMeaning, kSum),
      defaulted(ATTN_FIELD(judged),
                "Whether the statement speaks of this model, GPT-2 124M, and of such lengths."),
      defaulted(ATTN_FIELD(agrees),
                "true where the whole interval lies in what is stated, false where it lies wholly "
                "outside, null where it does neither or where the statement is not judged."),
      defaulted(ATTN_FIELD(points), "The measurements behind it."));
};

struct HeadClaim {
  std::uint64_t cases{}, violated{};
  std::optional<double> max_ratio{};

  ATTN_RECORD(HeadClaim, "head_claim", "What the cases of one claim on one head showed.",
              required(ATTN_FIELD(cases), "Cases looked at.", kSum),
              required(ATTN_FIELD(violated), "Cases with certainly lhs > rhs.", kSum),
              defaulted(ATTN_FIELD(max_ratio), "The largest lhs/rhs, or null.", kLargest));
};

/// A map draws a cell for each head.
inline constexpr Limits kHeadIndex{.words = "an index below 4096", .least = 0, .most = 4095};

struct HeadNumbers {
  std::optional<std::uint64_t> rows{};
  std::optional<double> distance{}, distance_over_bound{}, f_score{}, largest_t_norm{}, n{},
      random_share{}, share{}, sink_share{};

  ATTN_RECORD(
      HeadNumbers, "head_numbers",
      "What was measured of one head, over its rows; of a run over windows, in means over them.",
      sparse(ATTN_FIELD(rows), "Rows measured, of experiment 5 at the head's own T.", kSum),
      sparse(ATTN_FIELD(distance), "D, in units of the embeddings.", kMean),
      sparse(ATTN_FIELD(distance_over_bound), "D by the bound of Theorem 1, in [0, 1].", kMean),
      sparse(ATTN_FIELD(f_score), "The F of precision and recall, in [0, 1].", kMean),
      sparse(ATTN_FIELD(largest_t_norm), "The largest T ||J||, at most 1/2.", kLargest),
      sparse(ATTN_FIELD(n), "N of the measures of a selection: the largest that applies.",
             {.whole = true}),
      sparse(ATTN_FIELD(random_share), "N_s/N of random sets, in [0, 1].", kMean),
      sparse(ATTN_FIELD(share), "N_s/N, in [0, 1].", kMean),
      sparse(ATTN_FIELD(sink_share), "The weight of the first token that is there, in [0, 1].",
             kMean));
};

struct HeadRecord : HeadNumbers {
  unsigned layer{}, head{};
  std::optional<HeadNumbers> without_first{};
  std::map<std::string, HeadClaim> claims{};

  using Self = HeadRecord;
  static constexpr std::string_view kName = "head";
  static constexpr std::string_view kMeaning = "One head, in means over its rows.";
  static constexpr auto fields() {
    return joined(
        field_table(
            required(ATTN_FIELD(layer), "The layer, counted from 0.", {.limits = kHeadIndex}),
            required(ATTN_FIELD(head), "The head in its layer, counted from 0.",
                     {.limits = kHeadIndex})),
        HeadNumbers::fields(),
        field_table(sparse(ATTN_FIELD(without_first),
                           "The same where nothing can be read from the first token."),
                    defaulted(ATTN_FIELD(claims), "Claim -> what its cases of this head showed.")));
  }
};

struct WindowsRecord {
  std::uint64_t count{}, tokens_left{};
  std::optional<double> quantile_error{}, confidence{};
  std::optional<std::uint64_t> replicates{};

  ATTN_RECORD(
      WindowsRecord, "windows", "A text read in consecutive windows, each by itself.",
      required(ATTN_FIELD(count), "Windows.", {.limits = kFromOne}),
      required(ATTN_FIELD(tokens_left),
               "Tokens of the text after the last window, which were not read."),
      sparse(ATTN_FIELD(quantile_error),
             "Quartiles and medians over several windows are right to this share of themselves.",
             {.limits = kShare}),
      sparse(ATTN_FIELD(confidence), "The confidence of the intervals over windows and heads.",
             {.limits = kShare}),
      sparse(ATTN_FIELD(replicates), "The replicates of their bootstrap."));
};

inline constexpr Traits kSetting{.is_setting = true};
inline constexpr Traits kSize{.limits = kFromOne, .is_setting = true};

struct Measurements {
  std::string input{}, model{}, model_sha256{}, text_sha256{};
  std::optional<std::uint64_t> layers{}, heads_per_layer{}, positions{}, head_width{};
  std::optional<Precision> precision{};
  std::string tokens_sha256{};
  std::optional<std::uint64_t> rows{};
  std::vector<std::uint64_t> top_n{};
  std::optional<Stead> in_place_of_queries{};
  std::string mask{};
  std::optional<std::uint64_t> padding{}, rows_left_out{}, zero_weights{}, off_sum_rows{};
  std::optional<double> farthest_sum{};
  std::optional<std::vector<double>> temperatures{};
  std::optional<std::uint64_t> draws{}, draws_at_lengths{};
  std::map<std::string, std::string> not_covered{};
  std::vector<double> pattern_difference_by_layer{};
  std::optional<WindowsRecord> windows{};
  Figures figures{};
  std::optional<SetSizes> set_sizes{};
  std::vector<PaperStatement> abstract{};
  std::vector<HeadRecord> heads{};

  ATTN_RECORD(
      Measurements, "gpt2", "What was measured on real attention.",
      sparse(ATTN_FIELD(input), "The name of the input, which the records of its claims bear."),
      sparse(ATTN_FIELD(model), "Name of the model."),
      sparse(ATTN_FIELD(model_sha256),
             "SHA-256 of its weights or of the recording, in hexadecimal.",
             {.pattern = "^[0-9a-f]{64}$"}),
      sparse(ATTN_FIELD(text_sha256),
             "SHA-256 of the text that the model read; absent where there is none.",
             {.pattern = "^[0-9a-f]{64}$"}),
      sparse(ATTN_FIELD(layers), "Layers.", kSize),
      sparse(ATTN_FIELD(heads_per_layer), "Heads of a layer.", kSize),
      sparse(ATTN_FIELD(positions), "Tokens read; of a run over windows, in each.", kSize),
      sparse(ATTN_FIELD(head_width), "d, the dimension of q and k of a head.", kSize),
      sparse(ATTN_FIELD(precision), "The arithmetic of the forward pass.", kSetting),
      sparse(ATTN_FIELD(tokens_sha256),
             "Of the token ids that a model read, in decimal with commas between them. Absent "
             "for a recording.",
             {.pattern = "^[0-9a-f]{64}$", .is_setting = true}),
      sparse(ATTN_FIELD(rows), "Rows measured of each head; of a run over windows, in each.",
             kSize),
      sparse(ATTN_FIELD(top_n), "The N of the experiments, ascending.", kSize),
      sparse(ATTN_FIELD(in_place_of_queries),
             "What was recorded in place of queries and keys: the scores, or the weights alone. "
             "Then the weights are the numbers divided by the sum of their row, and the logits "
             "the doubles next to T ln of the numbers.",
             kSetting),
      sparse(ATTN_FIELD(mask),
             "Which tokens a query sees: causal, those up to its own; full, all; window:K, the "
             "last K up to its own; recorded, those that the recorded scores or weights do not "
             "hide. Of several, one for each layer. Absent: causal.",
             {.pattern = "^(causal|full|window:[0-9]+|recorded)"
                         "(,(causal|full|window:[0-9]+|recorded))*$",
              .is_setting = true}),
      sparse(ATTN_FIELD(padding),
             "Positions of a recording that were left out, since no other query sees them."),
      sparse(ATTN_FIELD(rows_left_out),
             "Rows of heads that see fewer than two keys, as the recording hides the others."),
      sparse(ATTN_FIELD(zero_weights), "Recorded weights that are 0 where a query sees the key."),
      sparse(ATTN_FIELD(off_sum_rows),
             "Rows of a recorded pattern whose sum differs from 1 by more than 0.01."),
      sparse(ATTN_FIELD(farthest_sum), "Of these, the sum farthest from 1."),
      sparse(ATTN_FIELD(temperatures),
             "The T that the claims were decided at; empty: the model's own, of each layer.",
             kSetting),
      sparse(ATTN_FIELD(draws), "Random sets for each row and N.", kSetting),
      sparse(ATTN_FIELD(draws_at_lengths),
             "The same of the last row of each length, where they are more.", kSetting),
      sparse(ATTN_FIELD(not_covered),
             "Claims on rows of attention that this input cannot speak to -> what it would need."),
      sparse(ATTN_FIELD(pattern_difference_by_layer),
             "Of a recording with its pattern: the largest difference between it and "
             "softmax(q.k/T), by layer."),
      sparse(ATTN_FIELD(windows), "Where the text was read in windows: how many."),
      defaulted(ATTN_FIELD(figures), "What all heads show together."),
      sparse(ATTN_FIELD(set_sizes), "Experiment 6, of a model that predicts tokens."),
      defaulted(ATTN_FIELD(abstract), "The paper's abstract, statement by statement."),
      defaulted(ATTN_FIELD(heads), "Every head; or their number alone.", {.or_count = true}));
};

}  // namespace attn::report
