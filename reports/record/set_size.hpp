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

  static constexpr std::string_view kName = "set_size_loss";
  static constexpr std::string_view kMeaning = "The loss where every query keeps N tokens.";
  static constexpr auto fields() {
    return field_table(
        required("n", &SetSizeLoss::n, kSetSizeMeaning, {.limits = kPositive, .whole = true}),
        required("relative", &SetSizeLoss::relative,
                 "By how much of itself the loss of the whole model grows."),
        sparse("low", &SetSizeLoss::low,
               "Lower end of its 95 % interval, by a bootstrap over the windows of the text."),
        sparse("high", &SetSizeLoss::high, "Upper end."));
  }
};

struct SetSizeNeed {
  double tolerance{}, n{};

  static constexpr std::string_view kName = "set_size_need";
  static constexpr std::string_view kMeaning =
      "The effective set size N*: how many tokens the tolerance takes.";
  static constexpr auto fields() {
    return field_table(
        required("tolerance", &SetSizeNeed::tolerance, "By how much of itself the loss may grow.",
                 {.limits = kPositive}),
        required("n", &SetSizeNeed::n,
                 "The least N tested at which it grows by no more: of the powers of two, then by "
                 "bisection, then of the three below. Of random orders, of the powers of two.",
                 {.limits = kPositive, .whole = true}));
  }
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

  static constexpr std::string_view kName = "set_size_curve";
  static constexpr std::string_view kMeaning =
      "The loss against N, at one length of the context and for one ranking.";
  static constexpr auto fields() {
    return field_table(
        required("length", &SetSizeCurve::length, "L: tokens of the context, the first included.",
                 {.limits = kPositive, .whole = true}),
        required("targets", &SetSizeCurve::targets,
                 "Over how many of the last tokens the loss is a mean.", {.limits = kFromOne}),
        required("ranking", &SetSizeCurve::ranking,
                 "What the tokens are ranked by: \"weight\", a_i; \"contribution\", a_i ||v_i||; "
                 "\"random\", an order drawn for each head."),
        required("renormalized", &SetSizeCurve::renormalized,
                 "Whether the kept weights are divided by their sum; else they stay."),
        sparse("orders", &SetSizeCurve::orders, "Random orders that the loss is a mean over."),
        required("loss", &SetSizeCurve::loss,
                 "The loss of the whole model, in nats a token: the mean of -ln p."),
        required("losses", &SetSizeCurve::losses, "In the order of N."),
        required("needs", &SetSizeCurve::needs, "For each tolerance."));
  }
};

struct SetSizeError {
  double n{};
  double kept{}, deleted{}, deleted_bound{}, mass_bound{}, renormalized{}, renormalized_bound{};
  double precision{}, recall{}, f_score{}, share{};

  static constexpr std::string_view kName = "set_size_error";
  static constexpr std::string_view kMeaning =
      "What keeping N tokens does to the output of one head, as means over the last query of every "
      "head on its own activations. Errors and bounds are in units of the length of the output.";
  static constexpr auto fields() {
    return field_table(
        required("n", &SetSizeError::n, kSetSizeMeaning, {.limits = kPositive, .whole = true}),
        required("kept", &SetSizeError::kept, "A: the share of the weight that is kept."),
        required("deleted", &SetSizeError::deleted, "||e||: the error where the weights stay."),
        required("deleted_bound", &SetSizeError::deleted_bound,
                 "Its bound by the triangle inequality (claim retrieval.deletion)."),
        required("mass_bound", &SetSizeError::mass_bound,
                 "Its bound by the weight left out (claim retrieval.deletion.mass)."),
        required("renormalized", &SetSizeError::renormalized,
                 "||o - s/A||: the error where the kept weights are divided by their sum."),
        required("renormalized_bound", &SetSizeError::renormalized_bound,
                 "Its bound (claim retrieval.renormalised)."),
        required("precision", &SetSizeError::precision, "P of experiment 4."),
        required("recall", &SetSizeError::recall, "R of experiment 4."),
        required("f_score", &SetSizeError::f_score, "Their harmonic mean."),
        required("share", &SetSizeError::share, "N_s/N of experiment 4."));
  }
};

struct SetSizes {
  std::uint64_t windows{};
  std::vector<SetSizeCurve> curves{};
  std::vector<SetSizeError> errors{};

  static constexpr std::string_view kName = "set_sizes";
  static constexpr std::string_view kMeaning =
      "Experiment 6: how many tokens a query must keep for the model to predict as before.";
  static constexpr auto fields() {
    return field_table(
        required("windows", &SetSizes::windows, "Windows of the text that the losses are means of.",
                 {.limits = kFromOne}),
        required("curves", &SetSizes::curves, "The losses, by length and ranking."),
        required("errors", &SetSizes::errors, "Head by head, at the longest length."));
  }
};

}  // namespace attn::report
