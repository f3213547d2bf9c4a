#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/figures.hpp"
#include "reports/record/paper_statement.hpp"
#include "reports/record/set_size.hpp"
#include "reports/record/words.hpp"

namespace attn::report {

// The real-input block of report.json (`gpt2`). A number that a report does not have is empty: each
// part of a page draws what is there.

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
      (sparse, std::optional<double>, holding_50,
       "Least number of tokens that hold 50 % of a row's weight, mean over the last rows of the "
       "longest L.",
       kMean),
      (sparse, std::optional<double>, holding_90,
       "Least number of tokens that hold 90 % of a row's weight, mean over these rows.", kMean),
      (sparse, std::optional<double>, holding_99,
       "Least number of tokens that hold 99 % of a row's weight, mean over these rows.", kMean),
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
       "The share of its rows with a larger ||J|| at a T below 0.1 than at 0.1, mean over these T.",
       kMean));
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
      (sparse, std::optional<std::uint64_t>, padding_that_sees,
       "Of these, positions whose query sees other keys, but not its own."),
      (sparse, std::optional<std::uint64_t>, rows_left_out,
       "Rows of heads that see fewer than two keys, as the recording hides the others."),
      (sparse, std::optional<std::uint64_t>, zero_weights,
       "Recorded weights that are 0 where a query sees the key."),
      (sparse, std::optional<std::uint64_t>, zero_rows,
       "Rows that hold such a weight and have no logits, as nothing beside the weights gives them."),
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
      (sparse, ByName<double>, fitting_temperatures,
       "Of these layers, the T at which softmax(l/T) is the pattern, where there is one."),
      (sparse, std::vector<std::string>, remarks,
       "What else of a recording may not be as it was meant, a sentence each."),
      (sparse, std::optional<std::uint64_t>, unconfirmed_layers,
       "Layers of a recording without a pattern, which would show that the model weighed by the "
       "recorded logits."),
      (sparse, std::string, checked, "What its recorder says of these."),
      (sparse, std::optional<std::uint64_t>, without_outputs,
       "Layers of a recording with values or weights and without outputs, which would show that the "
       "model weighed these values by these weights."),
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
