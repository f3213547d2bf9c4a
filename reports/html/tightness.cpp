#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "reports/html/sections.hpp"
#include "reports/plot/dot_chart.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

using plot::Mark;

constexpr double kWideChart = 960, kNarrowChart = 350;

Mark mark_of(Stage stage) {
  switch (stage) {
    case Stage::synthetic:
      return Mark::circle;
    case Stage::gpt2:
      return Mark::diamond;
    case Stage::activations:
      break;
  }
  return Mark::square;
}

/// The ratio below which a share of the cases lies, to within a bin; ratios above 1 count as 1.
double quantile(const std::vector<std::uint64_t>& bins, double share) {
  const auto total =
      static_cast<double>(std::accumulate(bins.begin(), bins.end(), std::uint64_t{0}));
  double below = 0;
  for (std::size_t i = 0; i < kRatioBins; ++i) {
    const auto here = static_cast<double>(bins[i]);
    if (here > 0 && below + here >= share * total) {
      return (static_cast<double>(i) + (share * total - below) / here) / kRatioBins;
    }
    below += here;
  }
  return 1;
}

/// Where the middle half of the cases lies; an empty range where that is not known.
std::pair<double, double> middle_half(const std::vector<std::uint64_t>& bins) {
  if (bins.size() != kRatioBins + 1) return {0, 0};
  return {quantile(bins, 0.25), quantile(bins, 0.75)};
}

plot::DotRow row_of(const ClaimView& view) {
  plot::DotRow row{.label = view.any().id};
  for (const ClaimRecord* const record : view.records) {
    if (!record->max_ratio) continue;
    const auto [low, high] = middle_half(record->ratio_histogram);
    row.dots.push_back({*record->max_ratio, low, high, mark_of(record->stage),
                        fmt::format("dot {}", stage_class(record->stage)),
                        fmt::format("{}, {}: {}", record->id, source_title(source_of(*record)),
                                    ratio_text(*record->max_ratio))});
  }
  return row;
}

plot::Svg chart(const std::vector<ClaimView>& views, double width, bool labels_above) {
  plot::DotChart chart{.label =
                           "The largest ratio of left to right side, by claim and stage. The "
                           "table below has the numbers.",
                       .width = width,
                       .labels_above = labels_above};
  for (const bool proved : {true, false}) {
    chart.rows.push_back(
        {.label = proved ? "Holds" : "False as written", .dots = {}, .is_heading = true});
    const std::size_t before = chart.rows.size();
    for (const ClaimView& view : views) {
      if (view.is_proved() == proved) chart.rows.push_back(row_of(view));
    }
    if (chart.rows.size() == before) chart.rows.pop_back();
  }
  return plot::draw(chart);
}

std::vector<plot::Key> keys_of(const std::vector<Stage>& stages) {
  std::vector<plot::Key> keys;
  keys.reserve(stages.size());
  for (const Stage stage : stages) {
    keys.push_back({std::string(stage_title(stage)), std::string(stage_class(stage)),
                    plot::Key::Shape::mark, mark_of(stage)});
  }
  return keys;
}

nlohmann::json rows_of(const std::vector<ClaimView>& views) {
  nlohmann::json rows = nlohmann::json::array();
  for (const ClaimView& view : views) {
    for (const ClaimRecord* const record : view.records) {
      if (!record->max_ratio) continue;
      const auto [low, high] = middle_half(record->ratio_histogram);
      rows.push_back({{"claim", record->id},
                      {"status", to_string(record->status)},
                      {"stage", to_string(record->stage)},
                      {"input", record->input},
                      {"max_ratio", *record->max_ratio},
                      {"q1", low < high ? nlohmann::json(low) : nlohmann::json()},
                      {"q3", low < high ? nlohmann::json(high) : nlohmann::json()}});
    }
  }
  return rows;
}

std::string table(const std::vector<ClaimView>& views, const std::vector<Source>& sources) {
  std::string out =
      R"(<details><summary>The numbers behind the figure</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Largest ratios">
<table>
<caption>The largest lhs/rhs seen, over cases with rhs &gt; 0: at least this, where an expectation was sampled.</caption>
<thead><tr><th scope="col">Claim</th><th scope="col">Status</th>)";
  for (const Source& source : sources) {
    out +=
        fmt::format(R"(<th scope="col" class="number">{}</th>)", escape_html(source_title(source)));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const ClaimView& view : views) {
    out += fmt::format(R"(<tr><th scope="row">{}</th><td>{}</td>)", claim_link(view.any().id),
                       status_words(view.any().status));
    for (const Source& source : sources) {
      const ClaimRecord* const record = view.in(source);
      const bool known = record != nullptr && record->max_ratio;
      out += fmt::format(R"(<td class="number">{}</td>)",
                         known ? ratio_text(*record->max_ratio) : "-");
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n</details>\n";
}

}  // namespace

std::string tightness_section(const Report& report, FigureFiles& files) {
  const std::vector<ClaimView> views = by_claim(report);
  const plot::Svg wide = chart(views, kWideChart, false);
  const std::vector<plot::Key> keys = keys_of(stages_of(report));
  return fmt::format(
      R"(<section id="tightness">
<h2>How tight the bounds are</h2>
<p>For every claim lhs ≤ rhs, the largest lhs/rhs met in any case. At 1 the bound is attained and cannot be improved by a constant; near 0 it says little; above 1 it is broken.</p>
<figure>
{}<div class="wide">{}</div>
<div class="narrow">{}</div>
<figcaption>The largest lhs/rhs by claim (marks), and the middle half of all cases (pale bars, to within 1/20). Left of the line at 1 the scale is linear, right of it logarithmic. Only cases with rhs &gt; 0 have a ratio. {}</figcaption>
</figure>
{}</section>
)",
      plot::legend(keys), wide.str(), chart(views, kNarrowChart, true).str(),
      add_files(files, "tightness", {{"Largest lhs/rhs by claim", wide, keys}}, rows_of(views)),
      table(views, sources_of(report)));
}

}  // namespace attn::report
