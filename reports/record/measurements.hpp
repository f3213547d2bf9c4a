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
inline constexpr Traits kLengthTraits{.limits = kPositive, .whole = true};
inline constexpr Traits kTopNTraits{.limits = kPositive, .whole = true};

struct OverWindows {
  std::optional<double> low{}, high{};
  double min{}, q1{}, median{}, q3{}, max{};

  static constexpr std::string_view kName = "over_windows";
  static constexpr std::string_view kMeaning =
      "The mean over the heads of each window, summed up over the windows, and how far the mean "
      "over all of them would move with other windows and heads.";
  static constexpr auto fields() {
    return field_table(
        sparse("low", &OverWindows::low,
               "Lower end of the interval of the mean, by a bootstrap over windows and heads."),
        sparse("high", &OverWindows::high, "Upper end."),
        required("min", &OverWindows::min, "The least mean of a window."),
        required("q1", &OverWindows::q1, "First quartile of these means."),
        required("median", &OverWindows::median, "Their median."),
        required("q3", &OverWindows::q3, "Their third quartile."),
        required("max", &OverWindows::max, "The largest."));
  }
};

struct Spread {
  double mean{}, min{}, q1{}, median{}, q3{}, max{};
  std::optional<OverWindows> windows{};
  /// The numbers themselves, a head each, NaN for a head that has none. In no report: a run over
  /// windows takes them from here.
  std::vector<double> by_head{};

  static constexpr std::string_view kName = "spread";
  static constexpr std::string_view kMeaning =
      "A number for each head, and of a run over windows for each of them, summed up.";
  static constexpr auto fields() {
    return field_table(
        required("mean", &Spread::mean, "Mean."), required("min", &Spread::min, "Minimum."),
        required("q1", &Spread::q1, "First quartile, interpolated linearly."),
        required("median", &Spread::median, "Median."),
        required("q3", &Spread::q3, "Third quartile."), required("max", &Spread::max, "Maximum."),
        sparse("windows", &Spread::windows, "Of a run over windows: how they differ."));
  }
};
using MaybeSpread = std::optional<Spread>;

struct DistancePoint {
  double length{}, n{};
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread distance{}, expected_full{}, expected_factor{}, bound{}, sharp_bound{};

  static constexpr std::string_view kName = "distance";
  static constexpr std::string_view kMeaning =
      "Experiments 1 and 2 at one L and one N. Distances are in units of the embeddings; null "
      "where a head has none.";
  static constexpr auto fields() {
    return field_table(
        required("length", &DistancePoint::length, kLengthMeaning, kLengthTraits),
        required("n", &DistancePoint::n, "N: selected tokens.", kTopNTraits),
        defaulted("without_first", &DistancePoint::without_first, kWithoutFirstMeaning),
        sparse("samples", &DistancePoint::samples, kSamplesMeaning),
        defaulted("distance", &DistancePoint::distance,
                  "D, the summed distance of the other tokens from s."),
        defaulted("expected_full", &DistancePoint::expected_full,
                  "E for a random set, the sum over the other tokens taken in full."),
        defaulted("expected_factor", &DistancePoint::expected_factor, "E with the factor N/(L-1)."),
        defaulted("bound", &DistancePoint::bound, "The bound of Theorem 1 on D."),
        defaulted("sharp_bound", &DistancePoint::sharp_bound, "Its sharp form."));
  }
};

struct CriticalWindows {
  std::uint64_t without{};
  std::optional<double> min{}, max{};

  static constexpr std::string_view kName = "critical_windows";
  static constexpr std::string_view kMeaning = "The critical N of each window, summed up.";
  static constexpr auto fields() {
    return field_table(
        required("without", &CriticalWindows::without,
                 "Windows in which D and E can be told apart at every N."),
        sparse("min", &CriticalWindows::min, "The least N of the others.", {.whole = true}),
        sparse("max", &CriticalWindows::max, "The largest.", {.whole = true}));
  }
};

struct CriticalPoint {
  double length{};
  Reading reading{};
  bool without_first{};
  std::optional<double> n{}, fraction{};
  std::optional<double> statistic{}, p{}, level{};
  std::optional<std::uint64_t> samples{};
  std::optional<CriticalWindows> windows{};

  static constexpr std::string_view kName = "critical";
  static constexpr std::string_view kMeaning =
      "Experiment 3: the first N at which a two-sample Kolmogorov-Smirnov test cannot tell D and E "
      "apart.";
  static constexpr auto fields() {
    return field_table(
        required("length", &CriticalPoint::length, kLengthMeaning, kLengthTraits),
        required("reading", &CriticalPoint::reading,
                 "Which E: the sum in full, or with the factor N/(L-1)."),
        defaulted("without_first", &CriticalPoint::without_first, kWithoutFirstMeaning),
        defaulted("n", &CriticalPoint::n,
                  "That N; null where they can be told apart at every N. Of a run over windows the "
                  "median of the windows, those without one above all others.",
                  {.limits = kNotNegative, .whole = true}),
        defaulted("fraction", &CriticalPoint::fraction, "N by the number of tokens; null with n.",
                  {.limits = kShare}),
        defaulted("statistic", &CriticalPoint::statistic,
                  "The Kolmogorov-Smirnov statistic at that N, in [0, 1]; null of windows."),
        defaulted("p", &CriticalPoint::p, "Its exact p-value, in [0, 1]; null of windows."),
        defaulted("level", &CriticalPoint::level, "The level of the test, in (0, 1)."),
        sparse("samples", &CriticalPoint::samples, kSamplesMeaning),
        sparse("windows", &CriticalPoint::windows, "Of a run over windows: how they differ."));
  }
};

struct SeparabilityPoint {
  double n{};
  std::optional<double> length{};
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread share{}, random_share{}, precision{}, recall{}, f_score{};
  MaybeSpread lower_bound{}, lower_bound_sharp{}, upper_bound{};
  MaybeSpread share_all_rows{}, random_share_all_rows{}, between_bounds_all_rows{};

  static constexpr std::string_view kName = "separability";
  static constexpr std::string_view kMeaning =
      "Experiment 4 at one N and the longest L. Shares are in [0, 1], without unit.";
  static constexpr auto fields() {
    return field_table(
        required("n", &SeparabilityPoint::n, "N: selected tokens.", kTopNTraits),
        defaulted("length", &SeparabilityPoint::length, kLengthMeaning,
                  {.limits = kPositive, .whole = true}),
        defaulted("without_first", &SeparabilityPoint::without_first, kWithoutFirstMeaning),
        sparse("samples", &SeparabilityPoint::samples, kSamplesMeaning),
        defaulted("share", &SeparabilityPoint::share,
                  "N_s/N: the share of the selected tokens that are nearer to s than every other "
                  "token."),
        defaulted("random_share", &SeparabilityPoint::random_share, "The same for random sets."),
        defaulted("precision", &SeparabilityPoint::precision,
                  "Of the tokens in the ball that holds all selected ones, the selected share."),
        defaulted("recall", &SeparabilityPoint::recall, "N_s/N with a strict inequality."),
        defaulted("f_score", &SeparabilityPoint::f_score,
                  "The harmonic mean of precision and recall."),
        defaulted("lower_bound", &SeparabilityPoint::lower_bound,
                  "The lower bound of Theorem 2, cut to [0, 1]."),
        defaulted("lower_bound_sharp", &SeparabilityPoint::lower_bound_sharp, "Its sharp form."),
        defaulted("upper_bound", &SeparabilityPoint::upper_bound,
                  "The repaired upper bound of Theorem 2."),
        defaulted("share_all_rows", &SeparabilityPoint::share_all_rows,
                  "N_s/N as a mean over all rows."),
        defaulted("random_share_all_rows", &SeparabilityPoint::random_share_all_rows,
                  "The same for random sets."),
        defaulted("between_bounds_all_rows", &SeparabilityPoint::between_bounds_all_rows,
                  "How often, over all rows, N_s/N lies between the sharp lower and the repaired "
                  "upper bound of Theorem 2."));
  }
};

struct DirectionPoint {
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread length_spread{}, mean_direction{}, leading_share{};

  static constexpr std::string_view kName = "directions";
  static constexpr std::string_view kMeaning =
      "How far the embeddings are from Assumption 1 of Theorem 2, which has them independent and "
      "uniform on a sphere. Without unit.";
  static constexpr auto fields() {
    return field_table(
        defaulted("without_first", &DirectionPoint::without_first, kWithoutFirstMeaning),
        sparse("samples", &DirectionPoint::samples, kSamplesMeaning),
        defaulted("length_spread", &DirectionPoint::length_spread,
                  "Standard deviation of their lengths over the mean: 0 on a sphere."),
        defaulted("mean_direction", &DirectionPoint::mean_direction,
                  "The length of the mean of their directions: about 1/sqrt(L) if uniform."),
        defaulted("leading_share", &DirectionPoint::leading_share,
                  "The largest eigenvalue of the second moments of their directions, which add up "
                  "to 1: about 1/d if uniform."));
  }
};

struct StepPoint {
  double epsilon{};
  Direction direction{};
  std::optional<double> largest{};
  MaybeSpread largest_by_head{};
  std::optional<double> printed_bound{}, true_bound{};

  static constexpr std::string_view kName = "step";
  static constexpr std::string_view kMeaning =
      "The largest finite difference g(T, epsilon) over heads and rows in one direction, in "
      "weights per logit.";
  static constexpr auto fields() {
    return field_table(
        required("epsilon", &StepPoint::epsilon, "The length of the step in the logits.",
                 {.limits = kPositive}),
        required("direction", &StepPoint::direction,
                 "Along random signs, or between the two largest logits."),
        defaulted("largest", &StepPoint::largest, "The largest g(T, epsilon)."),
        defaulted("largest_by_head", &StepPoint::largest_by_head, "The largest of each head."),
        defaulted("printed_bound", &StepPoint::printed_bound,
                  "min{1/(4T), sqrt 2}, as the paper prints it."),
        defaulted("true_bound", &StepPoint::true_bound,
                  "(sqrt(2)/epsilon) tanh(epsilon/(2 sqrt(2) T)), which holds."));
  }
};

struct GradientPoint {
  double temperature{};
  bool without_first{};
  std::optional<std::uint64_t> rows{};
  MaybeSpread t_norm{};
  std::optional<double> mean_t_norm{}, largest_t_norm{};
  std::optional<std::uint64_t> rows_above_printed_bound{};
  std::vector<StepPoint> steps{};

  static constexpr std::string_view kName = "gradient";
  static constexpr std::string_view kMeaning =
      "Experiment 5 at one temperature. T ||J|| is without unit, at most 1/2.";
  static constexpr auto fields() {
    return field_table(
        required("temperature", &GradientPoint::temperature, "T.", {.limits = kPositive}),
        defaulted("without_first", &GradientPoint::without_first, kWithoutFirstMeaning),
        defaulted("rows", &GradientPoint::rows, "Rows of all heads."),
        defaulted("t_norm", &GradientPoint::t_norm, "The largest T ||J|| of each head."),
        defaulted("mean_t_norm", &GradientPoint::mean_t_norm,
                  "The mean of T ||J|| over heads and rows."),
        defaulted("largest_t_norm", &GradientPoint::largest_t_norm, "The largest T ||J||."),
        defaulted("rows_above_printed_bound", &GradientPoint::rows_above_printed_bound,
                  "Rows with ||J|| > min{1/(4T), sqrt 2}."),
        defaulted("step", &GradientPoint::steps, "Finite differences."));
  }
};

struct SinkPoint {
  double length{};
  std::optional<std::uint64_t> samples{};
  MaybeSpread share{};

  static constexpr std::string_view kName = "sink";
  static constexpr std::string_view kMeaning =
      "How much of the weight the first token takes, at one length.";
  static constexpr auto fields() {
    return field_table(required("length", &SinkPoint::length, kLengthMeaning, kLengthTraits),
                       sparse("samples", &SinkPoint::samples, kSamplesMeaning),
                       defaulted("share", &SinkPoint::share, "Its share, in [0, 1]."));
  }
};

struct NormalizerPoint {
  std::string name{};
  double length{};
  bool without_first{};
  std::optional<std::uint64_t> samples{};
  std::optional<double> n{};
  std::optional<double> critical_n_full{}, critical_n_factor{};
  MaybeSpread share{}, largest_weight{}, weight_sum{}, entropy{}, norm{};

  static constexpr std::string_view kName = "normalizer_point";
  static constexpr std::string_view kMeaning =
      "One normaliser on the logits of the model, at one length.";
  static constexpr auto fields() {
    constexpr Limits kCount = kNotNegative;
    return field_table(
        required("name", &NormalizerPoint::name, "\"softmax, T/2\", \"sparsemax\", ..."),
        required("length", &NormalizerPoint::length, kLengthMeaning, kLengthTraits),
        defaulted("without_first", &NormalizerPoint::without_first, kWithoutFirstMeaning),
        sparse("samples", &NormalizerPoint::samples, kSamplesMeaning),
        defaulted("n", &NormalizerPoint::n, "The N of share.",
                  {.limits = kPositive, .whole = true}),
        defaulted("critical_n_full", &NormalizerPoint::critical_n_full,
                  "The critical N, E taken in full; null where D and E can be told apart at every "
                  "N, where no test of so few heads rejects, and where a head has no weights.",
                  {.limits = kCount, .whole = true}),
        defaulted("critical_n_factor", &NormalizerPoint::critical_n_factor,
                  "The critical N, E with the factor N/(L-1); null as above.",
                  {.limits = kCount, .whole = true}),
        defaulted("share", &NormalizerPoint::share, "N_s/N, in [0, 1]."),
        defaulted("largest_weight", &NormalizerPoint::largest_weight, "The largest weight."),
        defaulted("weight_sum", &NormalizerPoint::weight_sum, "The sum of the weights."),
        defaulted("entropy", &NormalizerPoint::entropy, "The entropy of the weights, in nats."),
        defaulted("norm", &NormalizerPoint::norm,
                  "||J||, the spectral norm of the Jacobian at the head's own T, in weights per "
                  "logit."));
  }
};

struct Figures {
  std::vector<DistancePoint> distance_by_length{}, distance_by_n{};
  std::vector<CriticalPoint> critical_n{};
  std::vector<SeparabilityPoint> separability{};
  std::vector<DirectionPoint> directions{};
  std::vector<GradientPoint> gradient{};
  std::vector<SinkPoint> sink{};
  std::vector<NormalizerPoint> normalizers{};

  static constexpr std::string_view kName = "figures";
  static constexpr std::string_view kMeaning = "What all heads show together.";
  static constexpr auto fields() {
    return field_table(
        defaulted("distance_by_length", &Figures::distance_by_length, "Against L, at one N."),
        defaulted("distance_by_n", &Figures::distance_by_n, "Against N, at the longest L."),
        defaulted("critical_n", &Figures::critical_n, "Against L."),
        defaulted("separability", &Figures::separability, "Against N, at the longest L."),
        defaulted("directions", &Figures::directions, "Of all tokens."),
        defaulted("gradient", &Figures::gradient, "Against T."),
        defaulted("sink", &Figures::sink, "Against L."),
        defaulted("normalizers", &Figures::normalizers, "Against L, for each normaliser."));
  }
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

  static constexpr std::string_view kName = "abstract_point";
  static constexpr std::string_view kMeaning =
      "A measurement behind a statement of the abstract: the fields that the statement needs.";
  static constexpr auto fields() {
    constexpr Traits kWhole{.limits = kPositive, .whole = true};
    return field_table(
        sparse("temperature", &AbstractPoint::temperature, "T.", {.limits = kPositive}),
        sparse("length", &AbstractPoint::length, kLengthMeaning, kWhole),
        sparse("n", &AbstractPoint::n, "N: selected tokens.", kWhole),
        sparse("distance", &AbstractPoint::distance,
               "D, mean over the heads, in units of the embeddings."),
        sparse(
            "expected", &AbstractPoint::expected,
            "E with the factor N/(L-1), mean over the heads: what D is at least for a random set, "
            "on average."),
        sparse("share", &AbstractPoint::share, "N_s/N, mean over the heads, in [0, 1]."),
        sparse("low", &AbstractPoint::low, "Lower end of the confidence interval of that mean."),
        sparse("high", &AbstractPoint::high, "Upper end."),
        sparse("random_share", &AbstractPoint::random_share, "N_s/N of random sets."),
        sparse("largest", &AbstractPoint::largest, "The largest T ||J|| of all heads."),
        sparse("mean_of_largest", &AbstractPoint::mean_of_largest,
               "The mean over the heads of the largest T ||J||."),
        sparse("rows", &AbstractPoint::rows, "Rows of all heads."),
        sparse("rows_above_printed_bound", &AbstractPoint::rows_above_printed_bound,
               "Of these, rows with ||J|| above the printed bound."));
  }
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

  static constexpr std::string_view kName = "statement";
  static constexpr std::string_view kMeaning =
      "A statement of the paper's abstract beside what was measured.";
  static constexpr auto fields() {
    return field_table(
        required("id", &PaperStatement::id, "\"distance\", ..."),
        required("says", &PaperStatement::says, "What the paper says."),
        defaulted("measured", &PaperStatement::measured, "What was measured, in words."),
        defaulted("estimate", &PaperStatement::estimate,
                  "The number measured, in the unit of the statement."),
        defaulted(
            "low", &PaperStatement::low,
            "Lower end of its confidence interval over the heads, or over windows and heads."),
        defaulted("high", &PaperStatement::high, "Upper end."),
        defaulted("confidence", &PaperStatement::confidence, "The confidence of the interval.",
                  {.limits = {.words = "a number between 0 and 1", .above = 0, .below = 1}}),
        defaulted("samples", &PaperStatement::samples, kSamplesMeaning),
        defaulted("judged", &PaperStatement::judged,
                  "Whether the statement speaks of this model, GPT-2 124M, and of such lengths."),
        defaulted(
            "agrees", &PaperStatement::agrees,
            "true where the whole interval lies in what is stated, false where it lies wholly "
            "outside, null where it does neither or where the statement is not judged."),
        defaulted("points", &PaperStatement::points, "The measurements behind it."));
  }
};

struct HeadClaim {
  std::uint64_t cases{}, violated{};
  std::optional<double> max_ratio{};

  static constexpr std::string_view kName = "head_claim";
  static constexpr std::string_view kMeaning = "What the cases of one claim on one head showed.";
  static constexpr auto fields() {
    return field_table(
        required("cases", &HeadClaim::cases, "Cases looked at."),
        required("violated", &HeadClaim::violated, "Cases with certainly lhs > rhs."),
        defaulted("max_ratio", &HeadClaim::max_ratio, "The largest lhs/rhs, or null."));
  }
};

/// A map draws a cell for each head.
inline constexpr Limits kHeadIndex{.words = "an index below 4096", .least = 0, .most = 4095};

struct HeadNumbers {
  std::optional<std::uint64_t> rows{};
  std::optional<double> distance{}, distance_over_bound{}, f_score{}, largest_t_norm{}, n{},
      random_share{}, share{}, sink_share{};

  static constexpr std::string_view kName = "head_numbers";
  static constexpr std::string_view kMeaning =
      "What was measured of one head, over its rows; of a run over windows, in means over them.";
  static constexpr auto fields() {
    return field_table(
        sparse("rows", &HeadNumbers::rows, "Rows measured, of experiment 5 at the head's own T."),
        sparse("distance", &HeadNumbers::distance, "D, in units of the embeddings."),
        sparse("distance_over_bound", &HeadNumbers::distance_over_bound,
               "D by the bound of Theorem 1, in [0, 1]."),
        sparse("f_score", &HeadNumbers::f_score, "The F of precision and recall, in [0, 1]."),
        sparse("largest_t_norm", &HeadNumbers::largest_t_norm, "The largest T ||J||, at most 1/2."),
        sparse("n", &HeadNumbers::n, "N of the measures of a selection: the largest that applies.",
               {.whole = true}),
        sparse("random_share", &HeadNumbers::random_share, "N_s/N of random sets, in [0, 1]."),
        sparse("share", &HeadNumbers::share, "N_s/N, in [0, 1]."),
        sparse("sink_share", &HeadNumbers::sink_share,
               "The weight of the first token that is there, in [0, 1]."));
  }
};

struct HeadRecord : HeadNumbers {
  unsigned layer{}, head{};
  std::optional<HeadNumbers> without_first{};
  std::map<std::string, HeadClaim> claims{};

  static constexpr std::string_view kName = "head";
  static constexpr std::string_view kMeaning = "One head, in means over its rows.";
  static constexpr auto fields() {
    return joined(
        field_table(required("layer", &HeadRecord::layer, "The layer, counted from 0.",
                             {.limits = kHeadIndex}),
                    required("head", &HeadRecord::head, "The head in its layer, counted from 0.",
                             {.limits = kHeadIndex})),
        HeadNumbers::fields(),
        field_table(sparse("without_first", &HeadRecord::without_first,
                           "The same where nothing can be read from the first token."),
                    defaulted("claims", &HeadRecord::claims,
                              "Claim -> what its cases of this head showed.")));
  }
};

struct NamedWindow {
  std::uint64_t window{};
  std::string words{};
  std::vector<std::string> claims{};

  static constexpr std::string_view kName = "named_window";
  static constexpr std::string_view kMeaning =
      "A window in which claims have the largest lhs/rhs of the whole run.";
  static constexpr auto fields() {
    return field_table(
        required("window", &NamedWindow::window, "Which one, counted from 1.",
                 {.limits = kFromOne}),
        defaulted("words", &NamedWindow::words, "Its first words; empty where ids were given."),
        required("claims", &NamedWindow::claims, "Ids of these claims."));
  }
};

struct WindowsRecord {
  std::uint64_t count{}, tokens_left{};
  std::optional<double> quantile_error{}, confidence{};
  std::optional<std::uint64_t> replicates{};
  std::vector<NamedWindow> worst{};

  static constexpr std::string_view kName = "windows";
  static constexpr std::string_view kMeaning =
      "A text read in consecutive windows, each by itself.";
  static constexpr auto fields() {
    return field_table(
        required("count", &WindowsRecord::count, "Windows.", {.limits = kFromOne}),
        required("tokens_left", &WindowsRecord::tokens_left,
                 "Tokens of the text after the last window, which were not read."),
        sparse("quantile_error", &WindowsRecord::quantile_error,
               "Quartiles and medians over several windows are right to this share of themselves.",
               {.limits = kShare}),
        sparse("confidence", &WindowsRecord::confidence,
               "The confidence of the intervals over windows and heads.", {.limits = kShare}),
        sparse("replicates", &WindowsRecord::replicates, "The replicates of their bootstrap."),
        sparse("worst", &WindowsRecord::worst,
               "The windows with the largest lhs/rhs of a claim, those of most claims first."));
  }
};

struct Measurements {
  std::string input{}, model{}, model_sha256{}, text_sha256{};
  std::optional<std::uint64_t> layers{}, heads_per_layer{}, positions{}, head_width{};
  std::optional<Precision> precision{};
  std::string tokens_sha256{};
  std::optional<std::uint64_t> rows{};
  std::vector<std::uint64_t> top_n{};
  std::optional<Embedding> embedding{};
  std::optional<Stead> in_place_of_queries{};
  std::string mask{};
  std::optional<std::uint64_t> padding{}, rows_left_out{}, zero_weights{}, off_sum_rows{};
  std::optional<double> farthest_sum{};
  std::optional<Rank> rank{};
  std::optional<std::vector<double>> temperatures{};
  std::optional<std::uint64_t> draws{}, draws_at_lengths{};
  std::map<std::string, std::string> not_covered{};
  std::vector<double> pattern_difference_by_layer{};
  std::optional<WindowsRecord> windows{};
  Figures figures{};
  std::optional<SetSizes> set_sizes{};
  std::vector<PaperStatement> abstract{};
  std::vector<HeadRecord> heads{};

  static constexpr std::string_view kName = "gpt2";
  static constexpr std::string_view kMeaning = "What was measured on real attention.";
  static constexpr auto fields() {
    constexpr Traits kSetting{.is_setting = true};
    constexpr Traits kSize{.limits = kFromOne, .is_setting = true};
    return field_table(
        sparse("input", &Measurements::input,
               "The name of the input, which the records of its claims bear."),
        sparse("model", &Measurements::model, "Name of the model."),
        sparse("model_sha256", &Measurements::model_sha256,
               "SHA-256 of its weights or of the recording, in hexadecimal.",
               {.pattern = "^[0-9a-f]{64}$"}),
        sparse("text_sha256", &Measurements::text_sha256,
               "SHA-256 of the text that the model read; absent where there is none.",
               {.pattern = "^[0-9a-f]{64}$"}),
        sparse("layers", &Measurements::layers, "Layers.", kSize),
        sparse("heads_per_layer", &Measurements::heads_per_layer, "Heads of a layer.", kSize),
        sparse("positions", &Measurements::positions,
               "Tokens read; of a run over windows, in each.", kSize),
        sparse("head_width", &Measurements::head_width, "d, the dimension of q and k of a head.",
               kSize),
        sparse("precision", &Measurements::precision, "The arithmetic of the forward pass.",
               kSetting),
        sparse("tokens_sha256", &Measurements::tokens_sha256,
               "Of the token ids that a model read, in decimal with commas between them. Absent "
               "for a recording.",
               {.pattern = "^[0-9a-f]{64}$", .is_setting = true}),
        sparse("rows", &Measurements::rows,
               "Rows measured of each head; of a run over windows, in each.", kSize),
        sparse("top_n", &Measurements::top_n, "The N of the experiments, ascending.", kSize),
        sparse("embedding", &Measurements::embedding,
               "What stands for x_i: the head's values, or the residual stream that its layer "
               "reads.",
               kSetting),
        sparse("in_place_of_queries", &Measurements::in_place_of_queries,
               "What was recorded in place of queries and keys: the scores, or the weights alone. "
               "Then the weights are the numbers divided by the sum of their row, and the logits "
               "the doubles next to T ln of the numbers.",
               kSetting),
        sparse("mask", &Measurements::mask,
               "Which tokens a query sees: causal, those up to its own; full, all; window:K, the "
               "last K up to its own; recorded, those that the recorded scores or weights do not "
               "hide. Of several, one for each layer. Absent: causal.",
               {.pattern = "^(causal|full|window:[0-9]+|recorded)"
                           "(,(causal|full|window:[0-9]+|recorded))*$",
                .is_setting = true}),
        sparse("padding", &Measurements::padding,
               "Positions of a recording that were left out, since no other query sees them."),
        sparse("rows_left_out", &Measurements::rows_left_out,
               "Rows of heads that see fewer than two keys, as the recording hides the others."),
        sparse("zero_weights", &Measurements::zero_weights,
               "Recorded weights that are 0 where a query sees the key."),
        sparse("off_sum_rows", &Measurements::off_sum_rows,
               "Rows of a recorded pattern whose sum differs from 1 by more than 0.01."),
        sparse("farthest_sum", &Measurements::farthest_sum, "Of these, the sum farthest from 1."),
        sparse("rank", &Measurements::rank,
               "By what the N tokens are chosen: the weight, or its product with ||x_i||.",
               kSetting),
        sparse("temperatures", &Measurements::temperatures,
               "The T that the claims were decided at; empty: the model's own, of each layer.",
               kSetting),
        sparse("draws", &Measurements::draws, "Random sets for each row and N.", kSetting),
        sparse("draws_at_lengths", &Measurements::draws_at_lengths,
               "The same of the last row of each length, where they are more.", kSetting),
        sparse(
            "not_covered", &Measurements::not_covered,
            "Claims on rows of attention that this input cannot speak to -> what it would need."),
        sparse("pattern_difference_by_layer", &Measurements::pattern_difference_by_layer,
               "Of a recording with its pattern: the largest difference between it and "
               "softmax(q.k/T), by layer."),
        sparse("windows", &Measurements::windows, "Where the text was read in windows: how many."),
        defaulted("figures", &Measurements::figures, "What all heads show together."),
        sparse("set_sizes", &Measurements::set_sizes,
               "Experiment 6, of a model that predicts tokens."),
        defaulted("abstract", &Measurements::abstract,
                  "The paper's abstract, statement by statement."),
        defaulted("heads", &Measurements::heads, "Every head; or their number alone.",
                  {.or_count = true}));
  }
};

}  // namespace attn::report
