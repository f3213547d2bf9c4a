#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/plot/charts.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/report.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/number/elementary.hpp"

namespace attn::report {
namespace {

/// A measure that a report has of each head.
struct Measure {
  std::optional<double> HeadNumbers::*member;
  /// With marked formulas, {} being the first token; and of what is left without that.
  std::string_view title, without_first;
  double full;  ///< the value that gets the full colour; 0: the largest seen
};

constexpr Measure kMeasures[] = {
    {&HeadNumbers::sink_share, "Weight of the {} (all rows)", "Weight of the next token (all rows)",
     0},
    {&HeadNumbers::distance_over_bound, "$D$ / bound of Theorem 1", "$D$ / bound of Theorem 1", 1},
    {&HeadNumbers::share, "$N_s/N$", "$N_s/N$", 1},
    {&HeadNumbers::holding_90, "Tokens with 90 % of the weight", "Tokens with 90 % of the weight",
     0},
    {&HeadNumbers::f_score, "$F$ of precision and recall", "$F$ of precision and recall", 1},
    {&HeadNumbers::largest_t_norm, "Largest $T ||J||$", "Largest $T ||J||$", 0.5}};

/// Null where nothing was measured without the first token.
const HeadNumbers* numbers_of(const HeadRecord& head, bool without_first) {
  if (!without_first) return &head;
  return head.without_first ? &*head.without_first : nullptr;
}

std::optional<double> value_of(const HeadRecord& head, bool without_first, const Measure& measure) {
  const HeadNumbers* const numbers = numbers_of(head, without_first);
  if (numbers == nullptr) return std::nullopt;
  const std::optional<double>& value = numbers->*measure.member;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

const HeadClaim* claim_of(const HeadRecord& head, const std::string& id) {
  const auto found = head.claims.find(id);
  return found == head.claims.end() ? nullptr : &found->second;
}

/// What a map has besides its numbers.
struct MapLook {
  std::string title;
  double full{};          ///< the number that gets the full colour; 0: the largest
  double over{INFINITY};  ///< a number above it violates
};

/// The largest finite number above what a map's look has as `over`; none where none is.
std::optional<double> largest_over(const plot::HeatMap& map) {
  std::optional<double> largest;
  for (const plot::HeatCell& cell : map.cells) {
    if (cell.is_over && std::isfinite(cell.value))
      largest = std::max(largest, std::optional(cell.value));
  }
  return largest;
}

/// How strong the colour of a number above `over` is, by its logarithm from there to the largest
/// finite one; an infinite one alone has the full colour.
double strength_over(double value, double over, double largest) {
  constexpr double kLeast = 0.2, kMost = 0.8;
  if (!std::isfinite(value)) return 1;
  return kLeast +
         (kMost - kLeast) * reproducible::log(value / over) / reproducible::log(largest / over);
}

/// Adds a map of what `value` gives of each head, a number or nothing, where it gives any.
template <class Value>
void add_map(Figure& figure, const std::vector<HeadRecord>& heads, const MapLook& look,
             const Value& value) {
  plot::HeatMap map;
  for (const HeadRecord& head : heads) {
    const std::optional<double> number = value(head);
    if (number) map.cells.push_back({head.layer, head.head, *number, *number > look.over});
  }
  if (map.cells.empty()) return;
  const auto [least, most] = std::ranges::minmax(map.cells, {}, &plot::HeatCell::value);
  const double by = look.full > 0 ? look.full : std::max(most.value, 1e-300);
  // Of a ratio it counts whether it is 1, or nearly.
  const auto text = std::isfinite(look.over) ? ratio_text : short_number;
  const std::optional<double> reddest = largest_over(map);
  const std::string range =
      fmt::format("{} to {}, full colour at {}{}", text(least.value), text(most.value), text(by),
                  reddest ? fmt::format(", red up to {}", text(*reddest)) : "");
  map.label = fmt::format("{} by layer and head: {}", attn::plain_text(look.title), range);
  for (plot::HeatCell& cell : map.cells) {
    cell.value = cell.is_over ? strength_over(cell.value, look.over, reddest.value_or(look.over))
                              : cell.value / by;
  }
  figure.panels.push_back({fmt::format("{}: {}", look.title, range), plot::draw(map)});
}

void add_measures(Figure& figure, const Measurements& measured, bool without_first) {
  for (const Measure& measure : kMeasures) {
    const std::string_view title = without_first ? measure.without_first : measure.title;
    add_map(
        figure, measured.heads,
        {.title = fmt::format(fmt::runtime(title), first_token(measured)), .full = measure.full},
        [&](const HeadRecord& head) { return value_of(head, without_first, measure); });
  }
}

nlohmann::json measure_rows(const std::vector<HeadRecord>& heads) {
  nlohmann::json rows = nlohmann::json::array();
  for (const HeadRecord& head : heads) {
    for (const bool without_first : {false, true}) {
      const HeadNumbers* const numbers = numbers_of(head, without_first);
      if (numbers == nullptr) continue;
      nlohmann::json& row = rows.emplace_back(nlohmann::json(json_of(*numbers)));
      row.update({{"without_first", without_first}, {"layer", head.layer}, {"head", head.head}});
    }
  }
  return rows;
}

/// The share of the cases that meet the hypotheses in which the claim is violated.
std::optional<double> share_violated(const HeadClaim& claim) {
  const std::uint64_t applicable = claim.cases - claim.assumption_not_met;
  if (applicable == 0) return std::nullopt;
  return static_cast<double>(claim.violated) / static_cast<double>(applicable);
}

std::optional<double> share_violated(const HeadRecord& head, const std::string& id) {
  const HeadClaim* const claim = claim_of(head, id);
  return claim == nullptr ? std::nullopt : share_violated(*claim);
}

/// The counts of claims, one row a head and claim.
nlohmann::json claim_rows(const std::vector<HeadRecord>& heads) {
  nlohmann::json rows = nlohmann::json::array();
  for (const HeadRecord& head : heads) {
    for (const auto& [id, claim] : head.claims) {
      nlohmann::json& row = rows.emplace_back(nlohmann::json(json_of(claim)));
      row.update({{"claim", id}, {"layer", head.layer}, {"head", head.head}});
      if (const auto share = share_violated(claim)) row["share_violated"] = *share;
    }
  }
  return rows;
}

/// The N of the measures of a selection, as far as the heads agree on one.
std::string selection_words(const std::vector<HeadRecord>& heads) {
  std::set<double> counts;
  for (const HeadRecord& head : heads) {
    if (head.n) counts.insert(*head.n);
  }
  return counts.size() == 1
             ? fmt::format(" Where tokens are selected, $N = {}$.", count_text(*counts.begin()))
             : "";
}

constexpr const char* kMapWords =
    "Each cell is a head, layers down and heads across, from 0 at the top left; the stronger the "
    "colour, the larger the value. Above each map its range, and the value of the full colour. A "
    "grey cell is 0, an empty one has no value.";

/// The claims of which heads of the input have cases.
std::vector<const ClaimRecord*> claims_on_heads(const Measurements& measured,
                                                const Report& report) {
  std::vector<const ClaimRecord*> found;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage == Stage::synthetic || record.input != measured.input) continue;
    const auto has = [&](const HeadRecord& head) { return claim_of(head, record.id) != nullptr; };
    if (std::ranges::any_of(measured.heads, has)) found.push_back(&record);
  }
  return found;
}

/// The largest ratio of each head that has one, ascending.
std::vector<double> ratios_of(const std::vector<HeadRecord>& heads, const std::string& id) {
  std::vector<double> ratios;
  for (const HeadRecord& head : heads) {
    const HeadClaim* const claim = claim_of(head, id);
    if (claim != nullptr && claim->max_ratio) ratios.push_back(*claim->max_ratio);
  }
  std::ranges::sort(ratios);
  return ratios;
}

std::uint64_t heads_with_cases(const std::vector<HeadRecord>& heads, const std::string& id) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      heads, [&](const HeadRecord& head) { return share_violated(head, id).has_value(); }));
}

using Place = std::pair<unsigned, unsigned>;

/// The head that a kept case names: "layer 3, head 2, row 17".
std::optional<Place> place_of(const std::string& where) {
  const std::size_t at = where.find("layer ");
  unsigned layer = 0, head = 0;
  if (at == std::string::npos ||
      std::sscanf(where.c_str() + at, "layer %u, head %u", &layer, &head) != 2) {
    return std::nullopt;
  }
  return Place{layer, head};
}

/// The heads on which a proved claim was violated, or a claim stayed open.
std::set<Place> heads_in_question(const Measurements& measured, const Report& report) {
  std::set<Place> places;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage == Stage::synthetic || record.input != measured.input) continue;
    if (undecided_cases(record) > 0 && record.first_undecided) {
      if (const auto place = place_of(record.first_undecided->where)) places.insert(*place);
    }
    if (record.status != Status::proved) continue;
    for (const HeadRecord& head : measured.heads) {
      const HeadClaim* const claim = claim_of(head, record.id);
      if (claim != nullptr && claim->violated > 0) places.insert({head.layer, head.head});
    }
  }
  return places;
}

}  // namespace

std::string heads_words(const std::vector<HeadRecord>& heads, const std::string& id) {
  std::size_t all = 0, failing = 0;
  for (const HeadRecord& head : heads) {
    const std::optional<double> share = share_violated(head, id);
    all += share ? 1 : 0;
    failing += share > 0.0 ? 1 : 0;
  }
  return all == 0 ? "-" : fmt::format("{}\u00a0of\u00a0{}", failing, all);
}

Blocks head_maps(std::size_t index, const Report& report, const Names& names) {
  const Measurements& measured = report.inputs[index];
  Blocks blocks;
  std::vector<Text> in_question;
  for (const auto& [layer, head] : heads_in_question(measured, report)) {
    in_question.push_back(fmt::format("layer {}, head {}", layer, head));
  }
  if (!in_question.empty()) {
    blocks.emplace_back(
        Paragraph{bad("A claim failed or stayed open") + " on " + joined(in_question, "; ") + "."});
  }
  for (const bool without_first : {false, true}) {
    Figure figure{.name = names.input(index) + (without_first ? "-heads-rest" : "-heads"),
                  .caption = strong(tokens_words(without_first, measured)) + ". " +
                             (without_first ? std::string() : kMapWords) +
                             selection_words(measured.heads),
                  .rows = without_first ? nlohmann::json() : measure_rows(measured.heads),
                  .is_small = true};
    add_measures(figure, measured, without_first);
    if (figure.panels.empty()) continue;
    if (without_first) {
      blocks.emplace_back(Folded{"The same " + tokens_words(true, measured), {figure}});
    } else {
      blocks.emplace_back(figure);
    }
  }
  if (!claims_on_heads(measured, report).empty()) {
    blocks.emplace_back(Paragraph{"How tight each claim is on each head, and where it fails: " +
                                  link("claims by head", names.heads_page(index)) + "."});
  }
  if (!blocks.empty()) {
    blocks.insert(blocks.begin(), Heading{.text = "Head by head", .anchor = "heads"});
  }
  return blocks;
}

std::optional<Document> heads_page(std::size_t index, const Report& report, const Names& names) {
  const Measurements& measured = report.inputs[index];
  const std::vector<const ClaimRecord*> claims = claims_on_heads(measured, report);
  if (claims.empty()) return std::nullopt;
  const std::string& name = names.input(index);
  Table table{.caption =
                  "Each claim over the heads: the largest left side / right side of a head. "
                  "Above 1 the claim is violated there. Of a sampled expectation it is the least "
                  "that it can be; the overview's largest ratio was decided once more. A claim on "
                  "the largest steps of all heads has none.",
              .columns = {"Claim", "Status", "Cases", "Heads with cases", "Heads violated", "Least",
                          "Median", "Largest"},
              .text_columns = 2};
  Figure failures{.name = name + "-failures",
                  .caption = std::string(kMapWords) +
                             " Of the cases of a head that meet the hypotheses, the share in which "
                             "a bound that is false as written fails.",
                  .is_small = true};
  Figure ratios{
      .name = name + "-claims-by-head",
      .caption =
          "The largest left side / right side of each claim on each head, where "
          "heads differ by more than 0.05. A red cell is above 1: the claim is violated "
          "there. The stronger the red, the larger the ratio, on a logarithmic scale from "
          "1 to the largest finite ratio of the map, which stands above it; the full red "
          "is infinite. The CSV file has every claim and head.",
      .rows = claim_rows(measured.heads),
      .is_small = true};
  for (const ClaimRecord* const record : claims) {
    const std::vector<double> all = ratios_of(measured.heads, record->id);
    // Of two in the middle the lower one: ratios may be infinite.
    const auto shown = [&](double p) {
      if (all.empty()) return std::string("-");
      return ratio_text(all[static_cast<std::size_t>(p * static_cast<double>(all.size() - 1))]);
    };
    table.rows.push_back({names.claim_link(record->id), status_text(record->status),
                          grouped(record->cases),
                          grouped(heads_with_cases(measured.heads, record->id)),
                          heads_words(measured.heads, record->id), shown(0), shown(0.5), shown(1)});
    if (record->status == Status::refuted && record->violated > 0) {
      add_map(failures, measured.heads, {.title = record->id, .full = 1},
              [&](const HeadRecord& head) { return share_violated(head, record->id); });
    }
    constexpr double kDiffer = 0.05;
    if (all.empty() || !(all.back() - all.front() > kDiffer)) continue;
    add_map(ratios, measured.heads, {.title = record->id, .full = 1, .over = 1},
            [&](const HeadRecord& head) {
              const HeadClaim* const claim = claim_of(head, record->id);
              return claim == nullptr ? std::nullopt : claim->max_ratio;
            });
  }
  Document page{.path = names.heads_page(index),
                .title = fmt::format("attention-limits: {}, claims by head", short_name(measured)),
                .above = names.input_link(index),
                .heading = "Claims by head",
                .lead = "How tight each claim is on each head of " + short_name(measured) +
                        ", and where it fails."};
  page.blocks = {Heading{.text = "Every claim", .anchor = "claims"}, table};
  const auto add = [&](std::string_view title, const char* anchor, const Figure& figure) {
    if (figure.panels.empty() && figure.rows.empty()) return;
    page.blocks.emplace_back(Heading{.text = title, .anchor = anchor});
    page.blocks.emplace_back(figure);
  };
  if (!failures.panels.empty()) add("Where false bounds fail", "failures", failures);
  add("Where heads differ", "ratios", ratios);
  return page;
}

}  // namespace attn::report
