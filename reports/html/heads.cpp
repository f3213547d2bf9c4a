#include "reports/html/heads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "reports/html/figure.hpp"
#include "reports/text/format.hpp"
#include "theory/base/quantile.hpp"

namespace attn::report {
namespace {

constexpr HeadField kFields[] = {
    {&HeadNumbers::sink_share, "Weight of the first token",
     "Mean over the rows; without it, of the second", 0},
    {&HeadNumbers::distance_over_bound, "D over its bound", "1 is a bound attained", 1},
    {&HeadNumbers::share, "Nₛ/N", "Selected tokens that can be told from the rest", 1},
    {&HeadNumbers::random_share, "Nₛ/N at random", "The same for N tokens at random", 1},
    {&HeadNumbers::f_score, "F score", "Of telling the selected tokens from the rest", 1},
    {&HeadNumbers::largest_t_norm, "Largest T ‖J‖",
     "Over the rows, at the model's own T; above 0.25 the printed bound fails", 0.5}};

/// None where nothing was measured without the first token.
const HeadNumbers* numbers_of(const HeadRecord& head, bool without_first) {
  if (!without_first) return &head;
  return head.without_first ? &*head.without_first : nullptr;
}

/// The finite values of each measure over the heads, the largest first: by its title and whether
/// they are those without the first token.
using Ranking = std::map<std::pair<std::string_view, bool>, std::vector<double>>;

Ranking ranking_of(const std::vector<HeadRecord>& heads) {
  Ranking ranking;
  for (const HeadRecord& head : heads) {
    for (const HeadField& field : kFields) {
      for (const bool without_first : {false, true}) {
        const auto value = finite_value(head, without_first, field);
        if (value) ranking[{field.title, without_first}].push_back(*value);
      }
    }
  }
  for (auto& [measure, values] : ranking) std::sort(values.begin(), values.end(), std::greater<>());
  return ranking;
}

/// "3 of 48": one more than the heads with a larger value. The no-break space leaves a narrow cell
/// two lines.
std::string place_of(double value, const std::vector<double>& values) {
  const auto larger =
      std::count_if(values.begin(), values.end(), [&](double other) { return other > value; });
  return fmt::format("{} of\u00a0{}", larger + 1, values.size());
}

DataTable measures_of(const HeadRecord& head, const Ranking& ranking) {
  DataTable table{.caption = "Measures, beside the other heads. Place 1 has the largest value.",
                  .columns = {"Measure", "tokens", "this head", "place", "median head"},
                  .text_columns = 2};
  for (const HeadField& field : kFields) {
    for (const bool without_first : {false, true}) {
      const std::optional<double> value = finite_value(head, without_first, field);
      if (!value) continue;
      const std::vector<double>& values = ranking.at({field.title, without_first});
      table.rows.push_back({field.title, tokens_cell(without_first), short_number(*value),
                            place_of(*value, values), short_number(median(values))});
    }
  }
  return table;
}

DataTable verdicts_of(const HeadRecord& head, const std::vector<ClaimView>& views) {
  DataTable table{.caption = "Claims on the rows of this head.",
                  .columns = {"Claim", "status", "cases", "fails in", "largest lhs/rhs"},
                  .text_columns = 2};
  for (const ClaimView& view : views) {
    const HeadClaim* const claim = claim_of(head, view.any().id);
    if (claim == nullptr) continue;
    table.rows.push_back({view.any().id, std::string(status_words(view.any().status)),
                          grouped(claim->cases), grouped(claim->violated),
                          claim->max_ratio ? ratio_text(*claim->max_ratio) : "-"});
  }
  return table;
}

/// The N of the measures of a selection.
std::set<double> selection_counts(std::span<const HeadRecord> heads, bool without_first) {
  std::set<double> counts;
  for (const HeadRecord& head : heads) {
    const HeadNumbers* const numbers = numbers_of(head, without_first);
    if (numbers != nullptr && numbers->n) counts.insert(*numbers->n);
  }
  return counts;
}

/// `back`: the anchor of what leads here.
std::string detail_html(const HeadRecord& head, const DataTable& measures,
                        const DataTable& verdicts, const std::string& prefix,
                        std::string_view back) {
  const std::string selection = selection_words({&head, 1});
  const std::string name = fmt::format("Layer {}, head {}", head.layer, head.head);
  return fmt::format(
      R"(<section class="head-detail" id="{}" tabindex="-1" aria-label="{}">
<p class="close"><a href="#{}{}">Close</a></p>
<h4>{}</h4>
<p class="note">{} rows{}.</p>
{}{}</section>
)",
      head_anchor(prefix, head.layer, head.head), name, prefix, back, name,
      grouped(head.rows.value_or(0)),
      selection.empty() ? "" : "; measures of a selection" + selection,
      measures.rows.empty() ? "" : table_html(measures),
      verdicts.rows.empty() ? "" : table_html(verdicts));
}

}  // namespace

std::span<const HeadField> head_fields() {
  return kFields;
}

std::optional<double> finite_value(const HeadRecord& head, bool without_first,
                                   const HeadField& field) {
  const HeadNumbers* const numbers = numbers_of(head, without_first);
  if (numbers == nullptr) return std::nullopt;
  const std::optional<double>& value = numbers->*field.member;
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string selection_words(std::span<const HeadRecord> heads) {
  const std::set<double> all = selection_counts(heads, false), rest = selection_counts(heads, true);
  if (all.size() != 1) return {};
  std::string words = fmt::format(" for N = {}", count_text(*all.begin()));
  if (rest.size() != 1 || rest == all) return words;
  return fmt::format("{}, without the first token for N = {}", words, count_text(*rest.begin()));
}

std::vector<ClaimView> claims_of(const std::vector<HeadRecord>& heads, const Report& report) {
  std::vector<ClaimView> views;
  for (ClaimView& view : by_claim(report)) {
    const std::string& id = view.any().id;
    const bool is_there = std::any_of(heads.begin(), heads.end(), [&](const HeadRecord& head) {
      return head.claims.count(id) > 0;
    });
    if (is_there) views.push_back(std::move(view));
  }
  return views;
}

const HeadClaim* claim_of(const HeadRecord& head, const std::string& id) {
  const auto found = head.claims.find(id);
  return found == head.claims.end() ? nullptr : &found->second;
}

std::string head_anchor(const std::string& prefix, unsigned layer, unsigned head) {
  return fmt::format("{}head-{}-{}", prefix, layer, head);
}

std::string head_details(const Measurements& measured, const Report& report,
                         const std::string& prefix) {
  const Ranking ranking = ranking_of(measured.heads);
  const std::vector<ClaimView> views = claims_of(measured.heads, report);
  std::string out;
  for (const HeadRecord& head : measured.heads) {
    const DataTable measures = measures_of(head, ranking), verdicts = verdicts_of(head, views);
    if (measures.rows.empty() && verdicts.rows.empty()) continue;
    out += detail_html(head, measures, verdicts, prefix,
                       ranking.empty() ? "real-failures" : "real-heads");
  }
  return out;
}

}  // namespace attn::report
