#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/record/report.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {
namespace {

/// Failures that the overview lists.
constexpr std::size_t kMostListed = 50;

Text paper() {
  return Text("attention-limits: a check of ") +
         link("Limitations of Normalization in Attention Mechanism (arXiv 2508.17821)",
              "https://arxiv.org/abs/2508.17821");
}

/// What the claims were checked on, and with what.
Text checked_on(const Report& report, const Names& names) {
  const RunInfo& from = report.provenance;
  std::vector<Text> inputs;
  if (from.effort != Effort::none || report.inputs.empty()) {
    inputs.push_back(fmt::format(
        "generated cases ({}seed {})",
        from.effort == Effort::none ? "" : fmt::format("effort {}, ", to_string(from.effort)),
        from.seed));
  }
  for (std::size_t i = 0; i < report.inputs.size(); ++i) inputs.push_back(names.input_link(i));
  return "Checked on " + joined(inputs, "; ") +
         fmt::format(". Started {}, took {}; commit {}{}.", from.started, duration(from.seconds),
                     from.commit.substr(0, 12), from.dirty ? " with local changes" : "");
}

Text what_the_words_mean(const Report& report) {
  Text text = Text("Each claim is an inequality. ") + good("holds") +
              ": there is a proof, and no case violates it. " + bad("false as written") +
              ": there is a counterexample.";
  if (guards_of(report).mutants > 0) {
    text += " A mutant is a claim made wrong on purpose, which the search must notice.";
  }
  return text;
}

/// The figures below the first screen.
Blocks key_figures(const Report& report) {
  Columns figures;
  const auto add = [&](std::string_view title, MaybeFigure figure) {
    if (figure) figures.columns.push_back({Heading{.level = 3, .text = title}, *figure});
  };
  if (const auto input = longest_input(report)) {
    const Measurements& longest = report.inputs[*input];
    add("How far the other tokens are", distance_by_length(longest, "distance", Tokens::all));
    add("How many selected tokens are distinguishable",
        separability_figure(longest, "separability", Tokens::all));
  }
  if (figures.columns.empty()) return {};
  Blocks blocks{Heading{.text = "Measured and proved", .anchor = "figures"}, figures};
  if (tightness_figure(report, "tightness")) {
    blocks.emplace_back(Paragraph{
        "How much of each bound the cases of the search use, the printed ones beside "
        "sharper ones: " +
            link("how tight the bounds are", std::string(kDetailsPage) + "#tightness") + ".",
        Paragraph::Tone::note});
  }
  return blocks;
}

/// The gradient on the input with the longest context; of a report without one how tight the bounds
/// are, which the details have too.
MaybeFigure first_figure(const Report& report) {
  std::optional<std::size_t> input = longest_input(report);
  for (std::size_t i = 0; !input && i < report.inputs.size(); ++i) {
    if (!report.inputs[i].figures.gradient.empty()) input = i;
  }
  MaybeFigure figure;
  if (input) figure = gradient_figure(report.inputs[*input], "gradient", Tokens::all);
  if (!figure) return tightness_figure(report, "bounds");
  figure->caption = strong("The gradient of softmax, times T. ") + figure->caption;
  return figure;
}

std::string largest_ratio(const ClaimView& view) {
  std::optional<double> largest;
  for (const ClaimRecord* const record : view.records) {
    largest = std::max(largest, record->max_ratio);
  }
  return largest ? ratio_text(*largest) : "-";
}

/// "holds"; "false as written", and whether its counterexample is elsewhere; and the outcome where
/// it is not as expected.
Text status_here(const ClaimView& view) {
  const bool is_violated = std::ranges::any_of(
      view.records, [](const ClaimRecord* record) { return record->violated > 0; });
  Text status = status_text(view.any().status);
  if (!view.is_proved() && !is_violated) status += ", not in these cases";
  const Outcome outcome = view.worst_outcome();
  return outcome == Outcome::as_expected ? status : status + "; outcome: " + outcome_text(outcome);
}

Blocks claims_table(const Report& report, const Names& names) {
  Table table{
      .caption =
          "Every claim. What holds was violated nowhere, and of what is false the search, where "
          "there was one, found a violation; where not, the status names the outcome. Largest "
          "ratio: of left to right side in the cases of this report, where it is known; 1 is a "
          "bound that is attained, or nearer than 1e-16, more than 1 a violated one. A claim that "
          "is false by a counterexample elsewhere may stay below 1 here.",
      .columns = {"Claim", "Id", "About", "Status", "Largest ratio"},
      .text_columns = 4,
      .is_compact = true,
      .is_stacked = true};
  for (const StatementView& statement : by_statement(report)) {
    for (const ClaimView& view : statement.claims) {
      const ClaimRecord& claim = view.any();
      table.rows.push_back({claim.title, names.claim_link(claim.id), statement.name,
                            status_here(view), largest_ratio(view)});
    }
  }
  return {Heading{.text = "All claims", .anchor = "claims"}, table};
}

/// "4", or "2 to 4" where layers differ.
std::string in_each_layer(const Measurements& measured, const std::optional<std::uint64_t>& common,
                          std::uint64_t LayerSizes::*member) {
  if (common || measured.layer_sizes.empty()) return grouped(common.value_or(0));
  const auto [least, most] = std::ranges::minmax(measured.layer_sizes, {}, member);
  const std::uint64_t from = least.*member, to = most.*member;
  return from == to ? grouped(to) : fmt::format("{} to {}", grouped(from), grouped(to));
}

std::string size_of(const Measurements& measured) {
  const std::string queries = in_each_layer(measured, measured.positions, &LayerSizes::queries);
  const bool are_alike = std::ranges::all_of(
      measured.layer_sizes, [](const LayerSizes& layer) { return layer.queries == layer.keys; });
  std::string tokens = fmt::format("{} tokens", queries);
  if (measured.keys || !are_alike) {
    tokens = fmt::format("{} queries and {} keys", queries,
                         in_each_layer(measured, measured.keys, &LayerSizes::keys));
  }
  if (!measured.layers) return tokens;
  return fmt::format(
      "{} layers, {} heads each, {}{}", grouped(*measured.layers),
      in_each_layer(measured, measured.heads_per_layer, &LayerSizes::heads), tokens,
      measured.windows ? fmt::format(", {} windows", grouped(measured.windows->count)) : "");
}

/// How many claims the input speaks to, and how many came out as expected.
std::string covered_by(const Report& report, const Measurements& measured) {
  std::size_t all = 0, fine = 0;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage == Stage::synthetic || record.input != measured.input) continue;
    ++all;
    fine += record.outcome == Outcome::as_expected ? 1 : 0;
  }
  std::string words = fmt::format("{}, {} as expected", claims(all), fine);
  if (!measured.not_covered.empty()) {
    words += fmt::format("; not covered: {}", measured.not_covered.size());
  }
  return words;
}

Blocks inputs_table(const Report& report, const Names& names) {
  Table table{.caption = "The attention that was checked.",
              .columns = {"Input", "What it is", "Size", "Claims"},
              .text_columns = 4,
              .is_stacked = true};
  for (std::size_t i = 0; i < report.inputs.size(); ++i) {
    const Measurements& measured = report.inputs[i];
    table.rows.push_back({names.input_link(i),
                          measured.input.empty() ? measured.model : measured.input,
                          size_of(measured), covered_by(report, measured)});
  }
  if (table.rows.empty()) return {};
  return {Heading{.text = "Inputs", .anchor = "inputs"}, table};
}

/// The ids of the claims of which `is` holds.
template <class Is>
std::vector<std::string> ids_where(const Report& report, const Is& is) {
  std::vector<std::string> ids;
  for (const ClaimView& view : by_claim(report)) {
    if (std::invoke(is, view)) ids.push_back(view.any().id);
  }
  return ids;
}

/// Whether no row of attention was asked about the claim.
bool is_synthetic(const ClaimView& view) {
  return std::ranges::all_of(
      view.records, [](const ClaimRecord* record) { return record->stage == Stage::synthetic; });
}

Blocks limits(const Report& report, const Names& names) {
  List list{
      {strong("Proved") + " means that the claim's page has a proof. That no case violates a claim "
                          "proves nothing by itself.",
       strong("Violated") +
           " means that for one exact input the two sides, enclosed in intervals "
           "with outward rounding, are apart. Anyone can decide it again with " +
           code(catalogue_of(report).eval) + ".",
       strong("Measured") + " numbers hold for the cases of this run. They are no bounds for other "
                            "inputs, texts or models. Activations are taken as exact numbers; "
                            "nothing is said about the rounding of the model that produced them."}};
  const std::vector<std::string> synthetic = ids_where(report, is_synthetic);
  if (!report.inputs.empty() && !synthetic.empty()) {
    list.items.push_back(
        "Attention is asked only about claims that speak of a row of attention. These were checked "
        "on generated cases alone: " +
        names.claim_links(synthetic) + ".");
  }
  if (guards_of(report).sampled > 0) {
    list.items.push_back(strong("Sampled") +
                         " expectations are not computed but enclosed by a confidence interval, "
                         "at confidence " +
                         kSampledConfidence +
                         " in each case. A case that it does not settle stays open, and speaks "
                         "neither for nor against the claim.");
  }
  if (const auto rebuilt = ids_where(report, &ClaimView::is_rebuilt); !rebuilt.empty()) {
    list.items.push_back(strong("Reconstructed") +
                         " formulas were rebuilt from prose, proof sketches and figures: " +
                         names.claim_links(rebuilt) +
                         ". To refute one is to refute the statement as written here.");
  }
  return {Heading{.text = "What is not claimed", .anchor = "limits"}, list};
}

Blocks replays(const Report& report) {
  std::set<std::string> real;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage != Stage::synthetic && !record.replay.empty()) real.insert(record.replay);
  }
  List list{
      {Text("A claim's page has the command that repeats its search, and exact cases with "
            "the command that decides them again.")}};
  for (const std::string& command : real) {
    list.items.push_back("An input, with the files that it names: " + code(command));
  }
  list.items.push_back(
      Text("All numbers: ") + code("report.json") + "; figures as SVG and CSV in " +
      code("figures/") + "; in short: " + code("report.md") + "; for CI: " + code("junit.xml") +
      ". What was run" + (report.comparisons.empty() ? "" : ", how tight the bounds are") +
      (report.normalizers.empty() ? "" : ", normalisers") + ": " + link("details", kDetailsPage) +
      ".");
  return {Heading{.text = "How to check it again", .anchor = "replay"}, list};
}

}  // namespace

Document overview_page(const Report& report, const Names& names) {
  Document page{.path = std::string(kOverviewPage),
                .title = "attention-limits: " + headline(report),
                .above = paper(),
                .heading = "Which limits of softmax attention hold?",
                .lead = headline(report),
                .figure = first_figure(report)};
  for (const std::string& note : notes_on_recordings(report)) {
    page.beside.push_back(Paragraph{strong(note)});
  }
  append(page.beside, {Paragraph{what_to_do(report)}, Paragraph{what_the_words_mean(report)},
                       Paragraph{checked_on(report, names), Paragraph::Tone::note}});
  for (const Blocks& part :
       {failure_list(report, names, kMostListed), models_table(report, names), answer(report),
        lengths_together(report, names), sentences(report, names), key_figures(report),
        claims_table(report, names), inputs_table(report, names)}) {
    append(page.blocks, part);
  }
  page.blocks.push_back(Columns{{limits(report, names), replays(report)}});
  return page;
}

}  // namespace attn::report
