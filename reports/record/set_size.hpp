#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/fields.hpp"

namespace attn::report {

// Experiment 6: how many tokens a query must keep for a causal language model to predict as before,
// after arXiv 2609.37879 (equations 7, 8 and 10). At every layer, head and query the N first tokens
// of a ranking are kept and the weights of the others set to 0; the ranking is made anew from the
// activations of the changed pass.

inline constexpr std::string_view kSetSizeMeaning = "N: tokens that every query keeps.";

struct SetSizeLoss {
  ATTN_RECORD(
      SetSizeLoss, "set_size_loss", "The loss where every query keeps N tokens.",
      (required, double, n, kSetSizeMeaning, {.limits = kPositive, .whole = true}),
      (required, double, relative, "By how much of itself the loss of the whole model grows."),
      (sparse, std::optional<std::uint64_t>, orders,
       "Over how many random orders it is a mean: further ones are drawn until the standard "
       "error is a quarter of the distance to the nearest tolerance, from four on, up to the "
       "curve's number.",
       {.limits = kFromOne}),
      (sparse, std::optional<double>, standard_error,
       "Standard error of the growth over the orders. Drawing stops where it is small: the "
       "true one can be 1.4 times as large.",
       {.limits = kNotNegative}),
      (sparse, std::optional<double>, low,
       "Lower end of its 95 % interval, by a bootstrap over the windows of the text."),
      (sparse, std::optional<double>, high, "Upper end."));
};

struct SetSizeNeed {
  ATTN_RECORD(SetSizeNeed, "set_size_need",
              "The effective set size N*: how many tokens the tolerance takes.",
              (required, double, tolerance, "By how much of itself the loss may grow.",
               {.limits = kPositive}),
              (required, double, n,
               "The least N tested at which it grows by no more: of the powers of two, then by "
               "bisection, then of the three below. Of random orders, of the powers of two.",
               {.limits = kPositive, .whole = true}));
};

struct SetSizeCurve {
  ATTN_RECORD(
      SetSizeCurve, "set_size_curve",
      "The loss against N, at one length of the context and for one ranking.",
      (required, double, length, "L: tokens of the context, the first included.",
       {.limits = kPositive, .whole = true}),
      (required, std::uint64_t, targets, "Over how many of the last tokens the loss is a mean.",
       {.limits = kFromOne}),
      (required, std::string, ranking,
       "What the tokens are ranked by: \"weight\", a_i; \"contribution\", a_i ||v_i||; "
       "\"random\", an order drawn for each head."),
      (required, bool, renormalized,
       "Whether the kept weights are divided by their sum; else they stay."),
      (sparse, std::optional<std::uint64_t>, orders,
       "Random orders: so many at most where the losses say their own numbers, else just so "
       "many."),
      (required, double, loss, "The loss of the whole model, in nats a token: the mean of -ln p."),
      (required, std::vector<SetSizeLoss>, losses, "In the order of N."),
      (required, std::vector<SetSizeNeed>, needs, "For each tolerance."));
};

struct SetSizeError {
  ATTN_RECORD(
      SetSizeError, "set_size_error",
      "What keeping N tokens does to the output of one head, as means over the last query of every "
      "head on its own activations. Errors and bounds are in units of the length of the output.",
      (required, double, n, kSetSizeMeaning, {.limits = kPositive, .whole = true}),
      (required, double, kept, "A: the share of the weight that is kept."),
      (required, double, deleted, "||e||: the error where the weights stay."),
      (required, double, deleted_bound,
       "Its bound by the triangle inequality (claim retrieval.deletion)."),
      (required, double, mass_bound,
       "Its bound by the weight left out (claim retrieval.deletion.mass)."),
      (required, double, renormalized,
       "||o - s/A||: the error where the kept weights are divided by their sum."),
      (required, double, renormalized_bound, "Its bound (claim retrieval.renormalised)."),
      (required, double, precision, "P of experiment 4."),
      (required, double, recall, "R of experiment 4."),
      (required, double, f_score, "Their harmonic mean."),
      (required, double, share, "N_s/N of experiment 4."));
};

struct SetSizes {
  ATTN_RECORD(SetSizes, "set_sizes",
              "Experiment 6: how many tokens a query must keep for the model to predict as before.",
              (required, std::uint64_t, windows,
               "Windows of the text that the losses are means of.", {.limits = kFromOne}),
              (required, std::vector<SetSizeCurve>, curves, "The losses, by length and ranking."),
              (required, std::vector<SetSizeError>, errors,
               "Head by head, at the longest length."));
};

}  // namespace attn::report
