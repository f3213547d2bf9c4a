#include "reports/text/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "reports/judge/judge.hpp"
#include "reports/text/format.hpp"
#include "theory/attention/case_line.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/claims/listing.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestLine = 160;

std::size_t tokens_of(const json& input) {
  for (const char* const field : {"logits", "weights", "keys", "plan", "embeddings"}) {
    if (input.contains(field) && input[field].is_array()) return input[field].size();
  }
  return 0;
}

std::string input_line(const json& input) {
  const std::string line = case_line(input);
  if (plain_text(line).size() <= kLongestLine) return line;
  return fmt::format("a case of {} tokens", tokens_of(input));
}

/// How the search fared against mutants, as a sentence with a space before it; empty without any.
std::string mutant_sentence(const Report& report) {
  const SearchChecks guards = guards_of(report);
  if (guards.mutants == 0) return {};
  return fmt::format(" {} of {} {} caught.", grouped(guards.caught), grouped(guards.mutants),
                     guards.mutants == 1 ? "mutant was" : "mutants were");
}

/// " No attention was checked.", of the paper's own claims, which speak of it; else empty.
std::string scope_sentence(const Report& report) {
  const bool all_synthetic = std::ranges::all_of(
      report.claims, [](const ClaimRecord& record) { return record.stage == Stage::synthetic; });
  return all_synthetic && !report.catalogue ? " No attention was checked." : "";
}

/// How many claims have a record with each outcome, and how many of them are proved. A claim of
/// more than one outcome counts where it is worst.
struct Totals {
  std::size_t proved{0}, unexpected{0}, missing{0}, unsettled{0};
};

Totals totals_of(const std::vector<ClaimView>& views) {
  Totals totals;
  for (const ClaimView& view : views) {
    const Outcome worst = view.worst_outcome();
    const bool is_open = worst == Outcome::undecided || worst == Outcome::not_covered;
    totals.proved += view.is_proved() ? 1 : 0;
    totals.unexpected += worst == Outcome::unexpected ? 1 : 0;
    totals.missing += worst == Outcome::missing ? 1 : 0;
    totals.unsettled += is_open ? 1 : 0;
  }
  return totals;
}

/// Whether the paper states the claim, in a formula or in words; other works are named by their
/// numbers.
bool is_of_the_paper(const ClaimRecord& claim) {
  return claim.provenance != attn::FormulaOrigin::derived && !claim.paper.starts_with("arXiv ");
}

/// "; of 24 readings of the paper's sentences, 12 hold and 12 are false", without those claims that
/// this project or other works state; empty where there are none of either. One sentence may be
/// read in several ways, each a claim.
std::string of_the_paper(const Report& report, const std::vector<ClaimView>& views) {
  std::size_t all = 0, proved = 0;
  for (const ClaimView& view : views) {
    if (!is_of_the_paper(view.any())) continue;
    ++all;
    proved += view.is_proved() ? 1 : 0;
  }
  if (report.catalogue || all == 0 || all == views.size()) return {};
  const std::size_t wrong = all - proved;
  return fmt::format("; of {} reading{} of the paper's sentences, {} {} and {} {} false", all,
                     all == 1 ? "" : "s", proved, proved == 1 ? "holds" : "hold", wrong,
                     wrong == 1 ? "is" : "are");
}

std::string were_not_checked(std::size_t count) {
  return fmt::format("{} {} not checked", count, count == 1 ? "was" : "were");
}

/// Where some claims have no record, and nothing is wrong with the others.
std::string unchecked(std::size_t all, std::size_t missing) {
  const std::size_t others = all - missing;
  const std::string rest = others == 0
                               ? ""
                               : fmt::format("; the other {} came out as expected",
                                             others == 1 ? "one" : fmt::format("{}", others));
  return fmt::format("Of {} {}{}.", claims(all), were_not_checked(missing), rest);
}

/// Where the pattern is softmax(l/T) at another T.
std::string fitting_temperatures(const Measurements& measured) {
  std::map<double, std::vector<std::uint64_t>> layers;
  for (const std::uint64_t layer : measured.contradicted_layers) {
    const auto found = measured.fitting_temperatures.find(std::to_string(layer));
    if (found != measured.fitting_temperatures.end()) layers[found->second].push_back(layer);
  }
  std::vector<std::string> parts;
  for (const auto& [temperature, of_it] : layers) {
    parts.push_back(fmt::format("T = {:.6g} in {}", temperature, layers_in_words(of_it)));
  }
  if (parts.empty()) return {};
  return fmt::format(
      "Softmax(l/T) fits with {}: is that the T, which the metadata `temperatures` "
      "say? ",
      fmt::join(parts, ", and with "));
}

std::string contradiction(const Measurements& measured) {
  if (measured.contradicted_layers.empty()) return {};
  const bool has_sink = measured.off_sum_rows && !measured.rows_above_one;
  return fmt::format(
      "the recorded pattern differs from softmax(l/T) by up to {}, more than rounding makes, in "
      "{}: the claims there are decided on the pattern. {}{}. `report gate` fails without "
      "--allow-mismatch",
      short_number(std::ranges::max(measured.pattern_difference_by_layer)),
      layers_in_words(measured.contradicted_layers), fitting_temperatures(measured),
      has_sink ? "Its rows sum to less than 1: of a learned sink record its logit as hook_sink "
                 "[head]; of a gate or keys that were left out, pattern and v alone"
               : "Record q and k after rotary embedding and norms (hook_rot_q, hook_rot_k), or the "
                 "scores after softcap and bias (hook_attn_scores), say the T of each layer in the "
                 "metadata `temperatures`, or what a query sees in `mask`; or leave them out, and "
                 "record pattern and v alone");
}

/// Which heads of keys and values the heads of queries read; nothing where each has its own.
std::string groups_of_heads(const Measurements& measured) {
  if (!measured.key_heads || !measured.heads_per_layer) return {};
  return fmt::format("each head of {} is read by {} heads of queries in a row",
                     measured.in_place_of_queries ? "values" : "keys and values",
                     *measured.heads_per_layer / *measured.key_heads);
}

/// What a recording without a pattern leaves to what is usual.
std::string as_is_usual(const Measurements& measured) {
  const std::string_view mask = measured.mask.empty() ? kCausalMask : measured.mask;
  std::string words(mask);
  if (measured.keys && measured.positions && mask != kFullMask && mask != kRecordedMask) {
    words += fmt::format(", its {} queries as the last of {} tokens", grouped(*measured.positions),
                         grouped(*measured.keys));
  }
  const std::string groups = groups_of_heads(measured);
  return groups.empty() ? words : fmt::format("{}; {}", words, groups);
}

std::string unconfirmed(const Measurements& measured) {
  if (!measured.unconfirmed_layers) return {};
  if (!measured.checked.empty()) {
    return "these weights are taken from their recorder, which says, unchecked here: " +
           one_line(measured.checked);
  }
  return fmt::format(
      "{} recorded without a pattern: nothing shows that the model weighed by these {}, at this T "
      "and under this mask, {}",
      *measured.unconfirmed_layers == 1
          ? "1 layer was"
          : fmt::format("{} layers were", grouped(*measured.unconfirmed_layers)),
      measured.in_place_of_queries == Stead::scores ? "scores" : "queries and keys",
      as_is_usual(measured));
}

/// What a recording with a pattern and without outputs does not show. Where there is no pattern
/// either, `unconfirmed` says more.
std::string without_outputs(const Measurements& measured) {
  if (!measured.without_outputs || measured.unconfirmed_layers) return {};
  const bool is_pattern = measured.in_place_of_queries == Stead::weights;
  const std::string groups = is_pattern ? groups_of_heads(measured) : "";
  return "nothing shows that the model weighed its values by these weights, with keys and heads in "
         "one order (the outputs, hook_z [query, head, d of v], beside hook_v would)" +
         (groups.empty() ? "" : "; " + groups);
}

/// What makes rows whose sum is not 1. `farthest`: the sum that is farthest from 1.
std::string maker_of_sums(std::uint64_t rows, std::uint64_t above, double farthest) {
  constexpr double kPercent = 100, kNone = 1e-6;
  if (above == 0 && farthest < kNone)
    return "below, and so small that no sink or gate makes them, but bytes of another type do";
  if (above == rows && std::abs(farthest - kPercent) < 1)
    return "above, as per cent have it, which are to be divided by 100";
  if (above == 0)
    return "below, as a learned sink, a gate or keys that were left out make them; beside scores "
           "or q and k, record the logit of a sink as hook_sink [head]";
  if (above == rows) return "above, which no softmax makes";
  return "on both sides, as dropout makes them, where the model was not in eval(), a sigmoid in "
         "the place of softmax, a normaliser in 16 bits, weights in 8, or what was done to them "
         "later";
}

std::string off_sums(const Measurements& measured) {
  if (!measured.off_sum_rows || !measured.farthest_sum) return {};
  return fmt::format(
      "{} rows of the recorded patterns have a sum other than 1 (farthest: {}), {}. What is said "
      "of softmax is not said of these weights",
      grouped(*measured.off_sum_rows), short_number(*measured.farthest_sum),
      maker_of_sums(*measured.off_sum_rows, measured.rows_above_one.value_or(0),
                    *measured.farthest_sum));
}

std::string padding(const Measurements& measured) {
  const std::string seeing =
      measured.padding_that_sees
          ? fmt::format(", {} of them with queries that see other keys but not their own",
                        grouped(*measured.padding_that_sees))
          : "";
  const std::string inverted =
      measured.positions && *measured.padding > *measured.positions
          ? "; these are more than are left: does a tensor attention_mask or hook_mask say 1 of "
            "what it hides? Then record its opposite"
          : "";
  return fmt::format(
      "{} positions that are said to be padding, or that no other query sees{}, are left out, "
      "their queries too; rows are counted without them (where these queries are tokens, the "
      "metadata `padding` are `[]`, and a tensor hook_mask [query, key] says which keys they "
      "see){}",
      grouped(*measured.padding), seeing, inverted);
}

std::string hidden(const Measurements& measured) {
  std::vector<std::string> parts;
  if (measured.padding) parts.push_back(padding(measured));
  if (measured.rows_left_out) {
    parts.push_back(fmt::format("{} rows of heads see fewer than two keys and are left out",
                                grouped(*measured.rows_left_out)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string missing_figures(const Measurements& measured) {
  if (measured.no_lengths.empty()) return {};
  return fmt::format("there are no figures against L and N: {}", measured.no_lengths);
}

std::string zeros(const Measurements& measured) {
  if (!measured.zero_weights) return {};
  const std::string rows = measured.zero_rows ? fmt::format("; {} rows are without logits for it",
                                                            grouped(*measured.zero_rows))
                                              : "";
  return fmt::format(
      "{} recorded weights are 0 where a query sees the key, and are read as weights of 0, which "
      "small ones are rounded to{}; where a mask hides keys of some heads, a tensor hook_mask "
      "[head, "
      "query, key] says so",
      grouped(*measured.zero_weights), rows);
}

}  // namespace

Outcome ClaimView::worst_outcome() const {
  using enum Outcome;
  for (const Outcome outcome : {unexpected, missing, undecided, not_covered}) {
    if (std::ranges::find(records, outcome, &ClaimRecord::outcome) != records.end()) return outcome;
  }
  return as_expected;
}

std::vector<ClaimView> by_claim(const Report& report) {
  std::vector<ClaimView> views;
  for (const ClaimRecord& record : report.claims) {
    if (views.empty() || views.back().any().id != record.id) views.emplace_back();
    views.back().records.push_back(&record);
  }
  return views;
}

std::vector<StatementView> by_statement(const Report& report) {
  std::vector<StatementView> statements;
  for (ClaimView& view : by_claim(report)) {
    const std::string name = statement_of(view.any().paper);
    const auto same = std::ranges::find(statements, name, &StatementView::name);
    if (same == statements.end()) {
      statements.push_back({name, {std::move(view)}});
    } else {
      same->claims.push_back(std::move(view));
    }
  }
  return statements;
}

std::string_view stage_title(Stage stage) {
  switch (stage) {
    case Stage::synthetic:
      return "Search";
    case Stage::gpt2:
      return "GPT-2 attention";
    case Stage::activations:
      return "Recorded activations";
  }
  return {};
}

std::string_view status_words(Status status) {
  return status == Status::proved ? "holds" : "false as written";
}

std::string claims(std::size_t count) {
  return count == 1 ? "1 claim" : fmt::format("{} claims", count);
}

std::string headline(const Report& report) {
  const std::vector<ClaimView> views = by_claim(report);
  const Totals totals = totals_of(views);
  const std::string all = claims(views.size());
  const std::string missing =
      totals.missing == 0 ? "" : fmt::format(", and {}", were_not_checked(totals.missing));
  const std::string rest = mutant_sentence(report) + scope_sentence(report);
  if (totals.unexpected > 0) {
    return fmt::format("{} of {} did not come out as expected{}.{}", totals.unexpected, all,
                       missing, rest);
  }
  if (totals.unsettled > 0) {
    return fmt::format("None of {} came out wrong, but {} {} not settled{}.{}", all,
                       totals.unsettled, totals.unsettled == 1 ? "is" : "are", missing, rest);
  }
  if (totals.missing > 0) return unchecked(views.size(), totals.missing) + rest;
  const std::size_t refuted = views.size() - totals.proved;
  return fmt::format("{} checked: {} {}, {} {} false as written{}.{}", all, totals.proved,
                     totals.proved == 1 ? "holds" : "hold", refuted, refuted == 1 ? "is" : "are",
                     of_the_paper(report, views), rest);
}

std::string witness_line(const CaseRecord& record) {
  return fmt::format("{}: left side ${}$, right side ${}$", input_line(record.input.whole()),
                     six_digits(record.lhs), six_digits(record.rhs));
}

std::string layers_in_words(const std::vector<std::uint64_t>& layers) {
  constexpr std::size_t kMost = 8;
  const std::span shown(layers.data(), std::min(layers.size(), kMost));
  return fmt::format("{} {}{}", layers.size() == 1 ? "layer" : "layers", fmt::join(shown, ", "),
                     layers.size() > kMost ? ", ..." : "");
}

std::vector<std::string> notes_on_recordings(const Report& report) {
  std::vector<std::string> notes;
  for (const Measurements& measured : report.inputs) {
    std::vector<std::string> of_input{contradiction(measured),   unconfirmed(measured),
                                      without_outputs(measured), off_sums(measured),
                                      hidden(measured),          zeros(measured),
                                      missing_figures(measured)};
    for (const std::string& remark : measured.remarks) of_input.push_back(one_line(remark));
    for (const std::string& note : of_input) {
      if (note.empty()) continue;
      notes.push_back(fmt::format("{}: {}{}", measured.input.empty() ? "Note" : measured.input,
                                  note, note.ends_with('?') ? "" : "."));
    }
  }
  return notes;
}

}  // namespace attn::report
