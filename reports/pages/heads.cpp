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

namespace attn::report {
namespace {

/// A measure that a report has of each head.
struct Measure {
  std::optional<double> HeadNumbers::*member;
  const char* title;  ///< with marked formulas; {} is the first token
  double full;        ///< the value that gets the full colour; 0: the largest seen
};

constexpr Measure kMeasures[] = {{&HeadNumbers::sink_share, "Weight of the {}", 0},
                                 {&HeadNumbers::distance_over_bound, "$D$ over its bound", 1},
                                 {&HeadNumbers::share, "$N_s/N$", 1},
                                 {&HeadNumbers::random_share, "$N_s/N$ at random", 1},
                                 {&HeadNumbers::f_score, "$F$ score", 1},
                                 {&HeadNumbers::largest_t_norm, "Largest $T ||J||$", 0.5}};

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

/// Adds a map of what `value` gives of each head, a number or nothing, where it gives any. `full`:
/// the number that gets the full colour, 0: the largest; a number above `over` violates.
template <class Value>
void add_map(Figure& figure, const std::vector<HeadRecord>& heads, const std::string& title,
             double full, double over, const Value& value) {
  plot::HeatMap map;
  for (const HeadRecord& head : heads) {
    const std::optional<double> number = value(head);
    if (number) map.cells.push_back({head.layer, head.head, *number, *number > over});
  }
  if (map.cells.empty()) return;
  const auto [least, most] = std::ranges::minmax(map.cells, {}, &plot::HeatCell::value);
  const std::string range =
      fmt::format("{} to {}", ratio_text(least.value), ratio_text(most.value));
  map.label = fmt::format("{} by layer and head: {}", attn::plain_text(title), range);
  const double by = full > 0 ? full : std::max(most.value, 1e-300);
  for (plot::HeatCell& cell : map.cells) cell.value /= by;
  figure.panels.push_back({fmt::format("{}: {}", title, range), plot::draw(map)});
}

void add_measures(Figure& figure, const Measurements& measured) {
  for (const Measure& measure : kMeasures) {
    const std::string title = fmt::format(fmt::runtime(measure.title), first_token(measured));
    for (const bool without_first : {false, true}) {
      add_map(figure, measured.heads,
              without_first ? fmt::format("{}, {}", title, tokens_words(true, measured)) : title,
              measure.full, INFINITY,
              [&](const HeadRecord& head) { return value_of(head, without_first, measure); });
    }
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
             ? fmt::format(" Selections are of $N = {}$.", count_text(*counts.begin()))
             : "";
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
  return all == 0 ? "-" : fmt::format("{} of {}", failing, all);
}

Blocks head_maps(std::size_t index, const Report& report, const Names& names) {
  const Measurements& measured = report.inputs[index];
  const std::vector<HeadRecord>& heads = measured.heads;
  const std::string& name = names.input(index);
  Figure measures{.name = name + "-heads",
                  .caption =
                      "A cell a head, layers down and heads across; the stronger the "
                      "colour, the larger the value. Above each map its range." +
                      selection_words(heads),
                  .rows = measure_rows(heads),
                  .is_small = true};
  Figure failures{.name = name + "-failures",
                  .caption =
                      "Of the cases of a head that meet the hypotheses, the share in which a bound "
                      "that is false as written fails.",
                  .is_small = true};
  Figure ratios{.name = name + "-claims-by-head",
                .caption =
                    "The largest left side / right side of each claim on each head, from 0 "
                    "to 1 (full colour). Outlined cells in red exceed 1.",
                .rows = claim_rows(heads),
                .is_small = true};
  add_measures(measures, measured);
  for (const ClaimView& view : by_claim(report)) {
    const std::string& id = view.any().id;
    if (!view.is_proved()) {
      add_map(failures, heads, id, 1, INFINITY,
              [&](const HeadRecord& head) { return share_violated(head, id); });
    }
    add_map(ratios, heads, id, 1, 1, [&](const HeadRecord& head) {
      const HeadClaim* const claim = claim_of(head, id);
      return claim == nullptr ? std::nullopt : claim->max_ratio;
    });
  }
  Blocks blocks;
  const auto add = [&](std::string_view title, const Figure& figure) {
    if (figure.panels.empty()) return;
    blocks.emplace_back(Heading{.level = 3, .text = title});
    blocks.emplace_back(figure);
  };
  std::vector<Text> in_question;
  for (const auto& [layer, head] : heads_in_question(measured, report)) {
    in_question.push_back(fmt::format("layer {}, head {}", layer, head));
  }
  if (!in_question.empty()) {
    blocks.emplace_back(
        Paragraph{bad("A claim failed or stayed open") + " on " + joined(in_question, "; ") + "."});
  }
  add("What was measured", measures);
  add("Where false bounds fail", failures);
  add("How tight each bound is", ratios);
  if (!blocks.empty()) {
    blocks.insert(blocks.begin(), Heading{.text = "Head by head", .anchor = "heads"});
  }
  return blocks;
}

}  // namespace attn::report
