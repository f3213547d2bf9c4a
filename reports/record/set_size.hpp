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
  double n{}, relative{};
  std::optional<double> low{}, high{};

  ATTN_RECORD(
      SetSizeLoss, "set_size_loss", "The loss where every query keeps N tokens.",
      required(ATTN_FIELD(n), kSetSizeMeaning, {.limits = kPositive, .whole = true}),
      required(ATTN_FIELD(relative), "By how much of itself the loss of the whole model grows."),
      sparse(ATTN_FIELD(low),
             "Lower end of its 95 % interval, by a bootstrap over the windows of the text."),
      sparse(ATTN_FIELD(high), "Upper end."));
};

struct SetSizeNeed {
  double tolerance{}, n{};

  ATTN_RECORD(
      SetSizeNeed, "set_size_need",
      "The effective set size N*: how many tokens the tolerance takes.",
      required(ATTN_FIELD(tolerance), "By how much of itself the loss may grow.",
               {.limits = kPositive}),
      required(ATTN_FIELD(n),
               "The least N tested at which it grows by no more: of the powers of two, then by "
               "bisection, then of the three below. Of random orders, of the powers of two.",
               {.limits = kPositive, .whole = true}));
};

struct SetSizeCurve {
  double length{};
  std::uint64_t targets{};
  std::string ranking{};
  bool renormalized{};
  std::optional<std::uint64_t> orders{};
  double loss{};
  std::vector<SetSizeLoss> losses{};
  std::vector<SetSizeNeed> needs{};

  ATTN_RECORD(
      SetSizeCurve, "set_size_curve",
      "The loss against N, at one length of the context and for one ranking.",
      required(ATTN_FIELD(length), "L: tokens of the context, the first included.",
               {.limits = kPositive, .whole = true}),
      required(ATTN_FIELD(targets), "Over how many of the last tokens the loss is a mean.",
               {.limits = kFromOne}),
      required(ATTN_FIELD(ranking),
               "What the tokens are ranked by: \"weight\", a_i; \"contribution\", a_i ||v_i||; "
               "\"random\", an order drawn for each head."),
      required(ATTN_FIELD(renormalized),
               "Whether the kept weights are divided by their sum; else they stay."),
      sparse(ATTN_FIELD(orders), "Random orders that the loss is a mean over."),
      required(ATTN_FIELD(loss),
               "The loss of the whole model, in nats a token: the mean of -ln p."),
      required(ATTN_FIELD(losses), "In the order of N."),
      required(ATTN_FIELD(needs), "For each tolerance."));
};

struct SetSizeError {
  double n{};
  double kept{}, deleted{}, deleted_bound{}, mass_bound{}, renormalized{}, renormalized_bound{};
  double precision{}, recall{}, f_score{}, share{};

  ATTN_RECORD(
      SetSizeError, "set_size_error",
      "What keeping N tokens does to the output of one head, as means over the last query of every "
      "head on its own activations. Errors and bounds are in units of the length of the output.",
      required(ATTN_FIELD(n), kSetSizeMeaning, {.limits = kPositive, .whole = true}),
      required(ATTN_FIELD(kept), "A: the share of the weight that is kept."),
      required(ATTN_FIELD(deleted), "||e||: the error where the weights stay."),
      required(ATTN_FIELD(deleted_bound),
               "Its bound by the triangle inequality (claim retrieval.deletion)."),
      required(ATTN_FIELD(mass_bound),
               "Its bound by the weight left out (claim retrieval.deletion.mass)."),
      required(ATTN_FIELD(renormalized),
               "||o - s/A||: the error where the kept weights are divided by their sum."),
      required(ATTN_FIELD(renormalized_bound), "Its bound (claim retrieval.renormalised)."),
      required(ATTN_FIELD(precision), "P of experiment 4."),
      required(ATTN_FIELD(recall), "R of experiment 4."),
      required(ATTN_FIELD(f_score), "Their harmonic mean."),
      required(ATTN_FIELD(share), "N_s/N of experiment 4."));
};

struct SetSizes {
  std::uint64_t windows{};
  std::vector<SetSizeCurve> curves{};
  std::vector<SetSizeError> errors{};

  ATTN_RECORD(SetSizes, "set_sizes",
              "Experiment 6: how many tokens a query must keep for the model to predict as before.",
              required(ATTN_FIELD(windows), "Windows of the text that the losses are means of.",
                       {.limits = kFromOne}),
              required(ATTN_FIELD(curves), "The losses, by length and ranking."),
              required(ATTN_FIELD(errors), "Head by head, at the longest length."));
};

}  // namespace attn::report
