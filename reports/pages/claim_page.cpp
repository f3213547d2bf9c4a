#include <fmt/format.h>

#include <algorithm>

#include "reports/judge/case_record.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/plot/charts.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/claims/coq.hpp"

namespace attn::report {
namespace {

/// Cases longer than this are left to report.json.
constexpr std::size_t kLongestCase = 6000;

std::string_view provenance_words(attn::FormulaOrigin provenance) {
  switch (provenance) {
    case attn::FormulaOrigin::quoted:
      return "Quoted: the formula as printed";
    case attn::FormulaOrigin::reconstructed:
      return "Reconstructed: the formula rebuilt from prose, proof sketch and figures";
    case attn::FormulaOrigin::derived:
      return "Derived: stated by this project, beside a statement of the paper";
  }
  return {};
}

/// The proof, or why the statement is false, and who checked it.
Blocks argument(const ClaimView& view, bool is_own_catalogue) {
  const ClaimRecord& claim = view.any();
  Blocks blocks{Heading{.text = view.is_proved() ? "Proof" : "Counterexample", .anchor = "proof"}};
  if (!claim.argument.empty()) blocks.push_back(Paragraph{claim.argument});
  if (const auto proof = coq_proof(claim.id, claim.status); proof && !is_own_catalogue) {
    blocks.push_back(Paragraph{"Coq checks it: theorem " + code(proof->theorem) + " in " +
                               code(proof->file) + "."});
  } else {
    blocks.push_back(Paragraph{"It was read by people; no program has checked it."});
  }
  for (const ClaimRecord* const record : view.records) {
    if (record->stage != Stage::synthetic || !record->smallest_witness) continue;
    blocks.push_back(
        Paragraph{strong("Found by the search: ") + witness_line(*record->smallest_witness) + "."});
  }
  return blocks;
}

bool has_ratios(const ClaimRecord* record) {
  return std::ranges::any_of(record->ratio_histogram,
                             [](std::uint64_t cases) { return cases > 0; });
}

void add_bins(nlohmann::json& rows, const ClaimRecord& record) {
  for (std::size_t bin = 0; bin < record.ratio_histogram.size(); ++bin) {
    nlohmann::json to = "inf";
    if (bin < kRatioBins) to = static_cast<double>(bin + 1) / kRatioBins;
    rows.push_back({{"claim", record.id},
                    {"stage", to_string(record.stage)},
                    {"input", record.input},
                    {"from", static_cast<double>(bin) / kRatioBins},
                    {"to", to},
                    {"cases", record.ratio_histogram[bin]}});
  }
}

/// The histograms of lhs/rhs of a claim, one for each of its records that has ratios.
MaybeFigure ratio_histograms(const std::vector<const ClaimRecord*>& records,
                             const std::string& name) {
  Figure figure{.name = name, .rows = nlohmann::json::array()};
  for (const ClaimRecord* const record : records) {
    if (!has_ratios(record)) continue;
    const std::string title = short_source(*record);
    figure.panels.push_back(
        {title,
         plot::draw(plot::RatioHistogram{
             .label = fmt::format("Histogram of left side / right side, {}; largest: {}", title,
                                  record->max_ratio ? ratio_text(*record->max_ratio) : "not known"),
             .bins = record->ratio_histogram,
             .css_class = std::string(to_string(record->stage))})});
    add_bins(figure.rows, *record);
  }
  if (figure.panels.empty()) return std::nullopt;
  figure.caption =
      "Cases by left side / right side; ratios below 0 are in the first bar. At 1 the bound is "
      "attained, above 1 violated; there too are cases with left side above 0 and right side 0 or "
      "below, whose ratio is infinite.";
  return figure;
}

/// What the histograms of a claim's page are called. The drawings of a figure are numbered, x, x-2
/// and so on: a number at the end of a name is set apart from theirs by a second "-".
std::string histogram_name(std::string page) {
  const std::size_t dash = page.rfind('-');
  const bool is_numbered = dash != std::string::npos &&
                           page.find_first_not_of("0123456789", dash + 1) == std::string::npos;
  if (is_numbered) page.insert(dash, "-");
  return "ratios-" + page;
}

std::string case_count(std::uint64_t count) {
  return count == 1 ? "1 case" : grouped(count) + " cases";
}

/// "caught after 3 cases" or "survived 3,000 cases"; of a real input, "these rows cannot tell it
/// from the claim (38 cases)".
std::string fate_of(Stage stage, const MutantRecord& mutant) {
  if (mutant.caught || stage == Stage::synthetic) {
    return fmt::format("{} {}", mutant.caught ? "caught after" : "survived",
                       case_count(mutant.cases));
  }
  return fmt::format("these rows cannot tell it from the claim ({})", case_count(mutant.cases));
}

std::string tightness_line(const TightnessRecord& tightness) {
  if (tightness.kind == TightnessKind::attained)
    return "attained: there is a case where both sides are equal";
  return fmt::format("{}: the largest lhs/rhs found is {}, with {} of a directed search",
                     to_string(tightness.kind), ratio_text(tightness.ratio),
                     case_count(tightness.climbed));
}

/// How many cases were judged against a confidence interval; empty where none was.
std::string sampled_line(const ClaimRecord& record) {
  if (record.sampled == 0) return {};
  return fmt::format(
      "in {} of {} the expectation is enclosed by a confidence interval, at confidence {} a case; "
      "{} of these stayed open",
      grouped(record.sampled), case_count(record.cases), kSampledConfidence,
      record.sampled_open == 0 ? "none" : grouped(record.sampled_open));
}

/// The hypotheses that cases do not meet: "sparsemax: not smooth, zeros (12 cases); ...".
std::string unmet_line(const ClaimRecord& record) {
  std::string line;
  for (const auto& [hypothesis, count] : record.unmet) {
    line += fmt::format("{}{} ({})", line.empty() ? "" : "; ", hypothesis, case_count(count));
  }
  return line;
}

/// The cases by how their tokens were selected.
std::string sets_line(const ClaimRecord& record) {
  std::string line;
  for (const auto& [set, counts] : record.sets) {
    const std::uint64_t applicable = counts.cases - counts.assumption_not_met;
    line += fmt::format("{}{}: violated in {} of {} ({})", line.empty() ? "" : "; ", set,
                        grouped(counts.violated), grouped(applicable),
                        percent(counts.violated, applicable));
  }
  return line;
}

Blocks notes_on(const ClaimView& view) {
  List list;
  const auto note = [&](const ClaimRecord& record, std::string_view what, const std::string& text) {
    if (!text.empty())
      list.items.push_back(fmt::format("{} ({}): {}.", what, short_source(record), text));
  };
  for (const ClaimRecord* const record : view.records) {
    std::string families;
    for (const auto& [family, cases] : record->families) {
      families += fmt::format("{}{} {}", families.empty() ? "" : ", ", family, grouped(cases));
    }
    note(*record, "Tightness", record->tightness ? tightness_line(*record->tightness) : "");
    note(*record, "Families of generated input", families);
    note(*record, "Tokens selected", sets_line(*record));
    note(*record, "Sampled", sampled_line(*record));
    note(*record, "Hypotheses not met", unmet_line(*record));
    if (record->regressions > 0) {
      note(*record, "Kept cases", grouped(record->regressions) + " decided before the search");
    }
    note(*record, "Counterexample made smaller", record->shrinking);
  }
  return list.items.empty() ? Blocks{} : Blocks{list};
}

Blocks input_classes(const ClaimRecord& record) {
  if (record.classes.empty()) return {};
  std::uint64_t covered = 0;
  Table table{
      .caption = fmt::format(
          "Classes of input that the {} cases must contain ({}). The share is an interval at "
          "confidence {}; a class is covered where its lower end is at least the least share.",
          grouped(record.cases), short_source(record), kClassConfidence),
      .columns = {"Class", "Covered", "Cases", "Share", "Least share"},
      .text_columns = 2};
  for (const ClassRecord& input : record.classes) {
    covered += input.covered ? 1 : 0;
    table.rows.push_back(
        {input.name, input.covered ? Text("yes") : bad("no"), grouped(input.cases),
         fmt::format("{} to {}", percent(input.share_lower), percent(input.share_upper)),
         percent(input.least_share)});
  }
  return {Folded{"Input classes: " + classes_in_short(covered, record.classes.size()),
                 {table},
                 covered < record.classes.size()}};
}

Blocks mutants(const ClaimRecord& record) {
  if (record.mutants.empty()) return {};
  const bool is_search = record.stage == Stage::synthetic;
  std::uint64_t caught = 0;
  Table table{
      .caption = fmt::format("Wrong versions of the formula ({}). {}", short_source(record),
                             is_search ? "The search must find a case that violates each of them."
                                       : "One that no row of this input violates shows what these "
                                         "rows cannot tell; it says nothing against the claim."),
      .columns = {"Mutant", "What was changed", "Result"},
      .text_columns = 3};
  for (const MutantRecord& mutant : record.mutants) {
    caught += mutant.caught ? 1 : 0;
    const std::string fate = fate_of(record.stage, mutant);
    const std::string word = mutant.id.substr(mutant.id.rfind('/') + 1);  // behind the claim's id
    table.rows.push_back(
        {code(word), mutant.change, mutant.caught || !is_search ? Text(fate) : bad(fate)});
  }
  const bool survived = caught < record.mutants.size();
  return {Folded{fmt::format("Mutants ({}): {}", short_source(record),
                             mutants_in_short(caught, record.mutants.size())),
                 {table},
                 is_search && survived}};
}

/// The exact case as the command that decides it anew.
Block evaluation(const std::string& id, const CaseRecord& record, std::string_view eval) {
  if (record.input.is_null()) {
    return Paragraph{fmt::format("The exact case has more than {} numbers and is not written out.",
                                 grouped(kMostNumbers))};
  }
  if (record.input.is_longer_than(kLongestCase)) {
    return Paragraph{"The exact case is long: " +
                     code(fmt::format("report case report.json {} | {} -", id, eval)) +
                     " decides the cases of this claim again."};
  }
  const nlohmann::ordered_json line = {{{"claim", id}, {"case", record.input.whole()}}};
  return Code{fmt::format("{} - <<'EOF'\n{}\nEOF", eval, line.dump())};
}

/// What decided, where that is not the intervals that are shown.
std::string_view decider(const CaseRecord& record) {
  if (record.by == to_string(By::exact)) return ", by exact arithmetic";
  return record.by == to_string(By::attained) ? ", by what is known of the claim's equality" : "";
}

Blocks case_block(std::string_view name, const ClaimRecord& claim,
                  const std::optional<CaseRecord>& record, std::string_view eval) {
  if (!record) return {};
  const Table sides{
      .caption = fmt::format(
          "{}{}. Intervals of {} digits: each side lies between two ends.",
          record->verdict ? fmt::format("Verdict: {}", to_string(*record->verdict)) : "Decided",
          decider(*record), record->digits),
      .columns = {"Side", "At least", "At most"},
      .rows = {{"left", code(record->lhs_lower), code(record->lhs_upper)},
               {"right", code(record->rhs_lower), code(record->rhs_upper)}},
      .text_columns = 3};
  const std::string where = record->where.empty() ? "" : fmt::format(" ({})", record->where);
  return {Folded{fmt::format("{}, {}{}: left side {}, right side {}", name, short_source(claim),
                             where, six_digits(record->lhs), six_digits(record->rhs)),
                 {sides, evaluation(claim.id, *record, eval)}}};
}

/// Whether the case of the largest ratio is shown already, under another name.
bool is_worst_shown(const ClaimRecord& record) {
  if (!record.worst) return true;
  const auto shows = [&](const CaseRecord& kept) { return kept.input == record.worst->input; };
  return (record.smallest_witness && shows(*record.smallest_witness)) ||
         (record.tightness && shows(record.tightness->at));
}

Blocks cases(const ClaimView& view, std::string_view eval) {
  Blocks blocks;
  for (const ClaimRecord* const record : view.records) {
    if (record->tightness) {
      append(blocks, case_block("Tightest case", *record, record->tightness->at, eval));
    }
    const bool is_search = record->stage == Stage::synthetic;
    const bool is_worst = record->smallest_witness && record->worst &&
                          record->smallest_witness->input == record->worst->input;
    append(blocks, case_block(is_search  ? "Smallest counterexample"
                              : is_worst ? "Worst case"
                                         : "First counterexample",
                              *record, record->smallest_witness, eval));
    if (!is_worst_shown(*record))
      append(blocks, case_block("Largest ratio", *record, record->worst, eval));
    append(blocks, case_block("First undecided case", *record, record->first_undecided, eval));
  }
  if (!blocks.empty()) {
    blocks.insert(blocks.begin(), Heading{.text = "Exact cases", .anchor = "cases"});
  }
  return blocks;
}

Blocks replays(const ClaimView& view) {
  List list;
  for (const ClaimRecord* const record : view.records) {
    if (record->replay.empty()) continue;
    list.items.push_back(short_source(*record) +
                         (record->seed.empty() ? "" : ", seed " + record->seed) + ": " +
                         code(record->replay));
  }
  if (list.items.empty()) return {};
  return {Heading{.text = "Run it again", .anchor = "replay"}, list};
}

/// The comparisons of the claim with another, on the same cases.
Blocks comparisons(const std::string& id, const Report& report, const Names& names) {
  std::vector<const ComparisonRecord*> mine;
  for (const ComparisonRecord& record : report.comparisons) {
    if (record.sharp == id || record.printed == id) mine.push_back(&record);
  }
  if (mine.empty()) return {};
  return {Heading{.text = "Beside other bounds", .anchor = "bounds"},
          comparison_table(mine, names)};
}

}  // namespace

Document claim_page(const ClaimView& view, const Report& report, const Names& names) {
  const ClaimRecord& claim = view.any();
  Document page{.path = names.claim(claim.id),
                .title = plain_text(fmt::format("{}: {}", claim.id, claim.title)),
                .above = link("All claims", "index.html#claims") + " / " + claim.paper,
                .heading = claim.title,
                .lead = status_text(claim.status)};
  for (const ClaimRecord* const record : view.records) {
    if (record->outcome == Outcome::as_expected) continue;
    page.lead += "; " + short_source(*record) + ": " + outcome_text(record->outcome);
  }
  page.beside = {Paragraph{code(claim.id) + ". " + provenance_words(claim.provenance) + ".",
                           Paragraph::Tone::note}};
  page.blocks = {Heading{.text = "Statement", .anchor = "statement"}, Statement{claim.statement}};
  if (!claim.sentence.empty()) {
    page.blocks.push_back(Paragraph{strong("The paper says: ") + claim.sentence});
    page.blocks.push_back(Paragraph{strong("What is true: ") + claim.instead});
  }
  append(page.blocks, argument(view, report.catalogue.has_value()));
  append(page.blocks, {Heading{.text = "Verdicts", .anchor = "verdicts"}, verdict_table(view),
                       decider_table(view)});
  const std::string name = page.path.substr(7, page.path.size() - 12);  // without claims/ and .html
  if (auto figure = ratio_histograms(view.records, histogram_name(name))) {
    page.blocks.emplace_back(std::move(*figure));
  }
  append(page.blocks, notes_on(view));
  append(page.blocks, comparisons(claim.id, report, names));
  Blocks checks;
  for (const ClaimRecord* const record : view.records) {
    append(checks, input_classes(*record));
    append(checks, mutants(*record));
  }
  if (!checks.empty()) {
    page.blocks.emplace_back(Heading{.text = "Whether the cases can tell", .anchor = "checks"});
    append(page.blocks, checks);
  }
  append(page.blocks, cases(view, catalogue_of(report).eval));
  append(page.blocks, replays(view));
  return page;
}

}  // namespace attn::report
