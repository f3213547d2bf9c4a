#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/judge/statements.hpp"
#include "reports/record/report.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {

inline constexpr std::string_view kOverviewPage = "index.html", kDetailsPage = "details.html";

/// Where the pages of a report are, each under a name that is safe in a path and in a link.
class Names {
 public:
  explicit Names(const Report& report);

  /// "claims/lemma2.html".
  [[nodiscard]] const std::string& claim(std::string_view id) const;
  /// A link to the page of a claim with the claim's id as words; the id alone where there is none.
  [[nodiscard]] Text claim_link(std::string_view id) const;
  [[nodiscard]] Text claim_links(const std::vector<std::string>& ids) const;

  /// What the files of an input begin with, such as "tiny"; its page is inputs/tiny.html. `index`:
  /// of `Report::inputs`.
  [[nodiscard]] const std::string& input(std::size_t index) const { return inputs_.at(index); }
  [[nodiscard]] std::string input_page(std::size_t index) const;
  /// The page of an input with its claims by head.
  [[nodiscard]] std::string heads_page(std::size_t index) const;
  /// A link to that page, with the input in a word or two.
  [[nodiscard]] Text input_link(std::size_t index) const;

 private:
  std::map<std::string, std::string, std::less<>> claims_;
  std::vector<std::string> inputs_, short_names_;
};

/// An input in a word or two: "tiny" of "tiny (GPT-2 architecture, ...)", the file's name of a
/// recording.
std::string short_name(const Measurements& measured);

/// The name of an input, as records bear it, in a word or two.
std::string input_in_short(std::string_view input);

/// Where the cases of a record are from: "Search", or the input in a word or two.
std::string short_source(const ClaimRecord& record);

/// index.html: what came out of everything.
Document overview_page(const Report& report, const Names& names);

/// details.html: sharper bounds and how tight they are, normalisers, what was run.
Document details_page(const Report& report, const Names& names);

/// claims/ID.html.
Document claim_page(const ClaimView& view, const Report& report, const Names& names);

/// inputs/NAME.html. `index`: of `Report::inputs`.
Document input_page(std::size_t index, const Report& report, const Names& names);

// What an input shows, in sections of its page; `name`: of the files of their figures.

/// Which numbers were taken as exact, and what a row sees.
std::string taken_as(const Measurements& measured);

/// "From which N on the selection looks random": experiment 3.
Blocks critical_n_section(const Measurements& measured, const std::string& name);

/// "Other normalisers on the same logits".
Blocks normalizers_section(const Measurements& measured, const std::string& name);

/// "What was read": windows, layers, sizes, and which claims the input does not cover.
Blocks what_was_read(const Measurements& measured, const std::string& name, const Names& names);

/// "How many tokens a head needs": how few hold most of the weight, and experiment 6, or of an
/// input without a loss a line that says so.
Blocks set_sizes(const Measurements& measured, const std::string& name);

/// Maps of what was measured of each head, with all numbers as CSV, and the heads on which a claim
/// failed or stayed open.
Blocks head_maps(std::size_t index, const Report& report, const Names& names);

/// inputs/NAME.heads.html: how tight each claim is on each head and where false ones fail, in a
/// table and in maps, with all numbers as CSV. None where no head has a claim.
std::optional<Document> heads_page(std::size_t index, const Report& report, const Names& names);

/// How often claims that are false fail on an input, and how to decide the worst case again.
Blocks failing(const Measurements& measured, const Report& report, const Names& names);

/// "3 of 12": in how many of the heads with cases that meet the hypotheses of a claim it fails; "-"
/// where none has.
std::string heads_words(const std::vector<HeadRecord>& heads, const std::string& claim);

/// A sharper bound beside another, a row each.
Table comparison_table(const std::vector<const ComparisonRecord*>& records, const Names& names);

/// The cases of a claim by verdict, a row for each of its records.
Table verdict_table(const ClaimView& view);

/// The cases of a claim by what decided them, a row for each of its records.
Table decider_table(const ClaimView& view);

/// The plain values of an object of report.json, a row each.
Table fields_table(std::string_view caption, const nlohmann::ordered_json& object);

/// The longest report.md in bytes.
inline constexpr std::size_t kMarkdownLimit = std::size_t{12} * 1024;

/// report.md: what came out, what did not come out as expected, and where to read on. Shorter than
/// kMarkdownLimit: what would not fit is replaced by a line that says so.
std::string markdown(const Report& report);

/// Every page of a report and the files of its figures, name -> content.
std::map<std::string, std::string> pages_of(const Report& report);

// What the overview and report.md both say, in the same words.

/// "holds" or "false as written".
Text status_text(Status status);

/// The outcome of a record, marked where it is not as expected.
Text outcome_text(Outcome outcome);

/// What a reader can do now: nothing, or what to run, read or send where something is wrong.
Text what_to_do(const Report& report);

/// What did not come out as it should, the first `most` of it, each with the command that runs it
/// again; empty where there is nothing.
Blocks failure_list(const Report& report, const Names& names, std::size_t most);

/// What came out about each statement of the paper.
Blocks answer(const Report& report);

/// The paper sentence by sentence, and what is true; empty of another catalogue's report.
Blocks sentences(const Report& report, const Names& names);

// What an input shows of sentences that speak of measurements; empty where it was not measured.

/// D and the paper's bound at the first and the last N of the longest L, and the largest D between:
/// Figure 2b.
std::string plateau_numbers(const Measurements& measured);

/// The critical N of E as defined, at the longest L and both levels: Section 3.1.
std::string critical_numbers(const Measurements& measured);

/// By how much the largest g falls from the lowest T to T = 1, for each length of a step: Section
/// 3.3.
std::string drop_numbers(const Measurements& measured);

/// The sentences that are false, in short.
Blocks false_sentences(const Report& report, const Names& names);

/// The place in `Report::inputs` of the input that reaches the longest L, the first of several;
/// none where no distance was measured.
std::optional<std::size_t> longest_input(const Report& report);

// What the paper says of trained models, beside what was measured (trained_models.cpp).

/// Each sentence with its verdict on one input: borne out, not borne out, not settled or not
/// measurable, with number, interval and why; and how many tokens a head needs. Empty where nothing
/// was measured.
Entries sentences_measured(const Measurements& measured);

/// What these verdicts rest on, in words.
Text how_sure(const Measurements& measured);

/// What the sentences of the paper come to on each input, in short, a row an input.
Blocks models_table(const Report& report, const Names& names);

/// D at N = 5 of the inputs that are of one model, against their lengths; empty where no model has
/// two.
Blocks lengths_together(const Report& report, const Names& names);

/// The tolerance of the loss that figures and sentences speak of.
inline constexpr double kShownTolerance = 0.05;

/// N* at that tolerance; empty where the curve does not have it.
std::optional<double> need_of(const SetSizeCurve& curve, double tolerance);

/// Why an input has no loss, and where there is one what measures it.
std::string why_no_loss(const Measurements& measured);

// The figures of what was measured, each empty where there is nothing to draw. `name`: of their
// files.

using MaybeFigure = std::optional<Figure>;

/// A section of an input's page of what there is; empty where there is nothing.
Blocks section(std::string_view anchor, std::string_view title, std::string_view about,
               const std::vector<MaybeFigure>& figures, const Blocks& more = {});

/// "28.2 (15.5 to 34.1)": the mean and the middle half; "-" where there is none. Over windows "28.2
/// (15.5 to 34.1; the mean 27.1 to 29.3)", with the interval of the mean.
std::string spread_text(const MaybeSpread& spread);

/// Whether a figure shows what all tokens give alone, or beside it what is left where nothing can
/// be read from the first token.
enum class Tokens { all, both };

/// Sharp bounds beside the printed ones, by how much of each the cases of a search use.
MaybeFigure tightness_figure(const Report& report, const std::string& name);

MaybeFigure distance_by_length(const Measurements& measured, const std::string& name,
                               Tokens tokens);
MaybeFigure expected_share(const Measurements& measured, const std::string& name);
MaybeFigure residual_share(const Measurements& measured, const std::string& name);
MaybeFigure distance_by_n(const Measurements& measured, const std::string& name);
MaybeFigure separability_figure(const Measurements& measured, const std::string& name,
                                Tokens tokens);
MaybeFigure gradient_figure(const Measurements& measured, const std::string& name, Tokens tokens);
MaybeFigure step_figure(const Measurements& measured, const std::string& name);
MaybeFigure sink_figure(const Measurements& measured, const std::string& name);
MaybeFigure held_figure(const Measurements& measured, const std::string& name);

/// What the first token of a row is: "first token", or "learned sink".
std::string_view first_token(const Measurements& measured);

/// "all tokens" or "without the first token", "without the learned sink".
std::string tokens_words(bool without_first, const Measurements& measured);

}  // namespace attn::report
