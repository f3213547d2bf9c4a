#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "reports/io/csv.hpp"
#include "reports/judge/statements.hpp"
#include "reports/pages/pages.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/report.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// Which numbers were taken as exact, and what a row sees.
std::string taken_as(const Measurements& measured) {
  std::string_view numbers = "Queries, keys and values are taken as exact numbers";
  if (measured.in_place_of_queries == Stead::scores) {
    numbers = "Scores and values are taken as exact numbers";
  } else if (measured.in_place_of_queries == Stead::weights) {
    numbers =
        "Weights, divided by the sum of their row, and values are taken as exact numbers; the "
        "logits are the doubles next to T ln of the weights as they were recorded, and a row with "
        "a weight of 0 has none";
  }
  const bool differ = std::ranges::any_of(measured.layer_sizes, [&](const LayerSizes& layer) {
    return layer.in_place_of_queries != measured.layer_sizes.front().in_place_of_queries;
  });
  if (differ) {
    numbers =
        "Queries and keys, scores or weights, whichever a layer has, and values are taken as exact "
        "numbers";
  }
  std::string seen = "a row sees the tokens up to its own";
  if (measured.mask == kRecordedMask) {
    seen = "a row sees the tokens that the recorded scores or weights do not hide";
  } else if (measured.mask == kFullMask) {
    seen = "a row sees all tokens";
  } else if (measured.mask.find(',') != std::string::npos) {
    seen = "a row sees what the mask of its layer shows (" + measured.mask + ")";
  } else if (measured.mask.starts_with(kWindowMask)) {
    seen = fmt::format("a row sees the last {} tokens up to its own",
                       measured.mask.substr(kWindowMask.size()));
  }
  return fmt::format("{}; {}.", numbers, seen);
}

Blocks not_covered(const Measurements& measured, const Names& names) {
  std::map<std::string, std::vector<std::string>> by_need;
  for (const auto& [claim, need] : measured.not_covered) by_need[need].push_back(claim);
  Blocks blocks;
  for (const auto& [need, claims] : by_need) {
    blocks.push_back(Paragraph{fmt::format("Not covered by this input, which has no {}: ", need) +
                                   names.claim_links(claims) + ".",
                               Paragraph::Tone::note});
  }
  return blocks;
}

/// "The text was read in 40 windows of 1,024 tokens, each by itself; 512 tokens after the last were
/// not read."
std::string windows_words(const Measurements& measured) {
  const WindowsRecord& windows = *measured.windows;
  const std::string count = windows.count == 1 ? "one window" : grouped(windows.count) + " windows";
  std::string words = fmt::format("The text was read in {} of {} tokens{}", count,
                                  grouped(measured.positions.value_or(0)),
                                  windows.count == 1 ? "" : ", each by itself");
  if (windows.tokens_left > 0) {
    words +=
        fmt::format("; {} after {} not read",
                    windows.tokens_left == 1 ? "1 token" : grouped(windows.tokens_left) + " tokens",
                    windows.tokens_left == 1 ? "the last was" : "the last were");
  }
  return words + ".";
}

Blocks windows(const Measurements& measured) {
  if (!measured.windows) return {};
  const WindowsRecord& windows = *measured.windows;
  Blocks blocks{Paragraph{windows_words(measured)}};
  if (windows.count == 1) return blocks;
  blocks.emplace_back(Paragraph{fmt::format(
      "The numbers are over the heads of all windows; quartiles and medians are right to "
      "{} of themselves. The interval of a mean is its {} interval from {} replicates of a "
      "bootstrap that draws windows and heads anew: how far the mean moves with the choice "
      "of both, not of models.",
      percent(windows.quantile_error.value_or(0)), percent(windows.confidence.value_or(0)),
      windows.replicates.value_or(0))});
  return blocks;
}

std::string count_or_none(const std::optional<std::uint64_t>& count) {
  return count ? grouped(*count) : "-";
}

/// What each layer has, where they are not all alike.
Blocks layers(const Measurements& measured, const std::string& name) {
  if (measured.layer_sizes.empty()) return {};
  Table table{.caption = "What each layer has.",
              .columns = {"Layer", "Read", "Heads", "Of keys", "Queries", "Keys", "Width of q, k",
                          "Of values", "Learned sink"},
              .text_columns = 2};
  for (const LayerSizes& layer : measured.layer_sizes) {
    table.rows.push_back(
        {grouped(layer.layer),
         layer.in_place_of_queries ? to_string(*layer.in_place_of_queries) : "q and k",
         grouped(layer.heads), count_or_none(layer.key_heads), grouped(layer.queries),
         grouped(layer.keys), count_or_none(layer.width), count_or_none(layer.value_width),
         layer.learned_sink ? "yes" : "no"});
  }
  return {table, Figure{.name = name + "-layers",
                        .caption = "Every layer.",
                        .rows = csv_rows(measured.layer_sizes),
                        .is_small = true}};
}

// The experiments

/// A section of what there is; empty where there is nothing.
Blocks section(std::string_view anchor, std::string_view title, std::string_view about,
               const std::vector<MaybeFigure>& figures, const Blocks& more = {}) {
  Blocks blocks;
  for (const MaybeFigure& figure : figures) {
    if (figure) blocks.emplace_back(*figure);
  }
  append(blocks, more);
  if (blocks.empty()) return {};
  Blocks all{Heading{.text = title, .anchor = std::string(anchor)}, Paragraph{about}};
  append(all, blocks);
  return all;
}

Blocks folded(std::string_view summary, const MaybeFigure& figure) {
  return figure ? Blocks{Folded{Text(summary), {*figure}}} : Blocks{};
}

/// The measurements behind the statements of the paper, one row a point.
nlohmann::json abstract_rows(const Measurements& measured) {
  nlohmann::json rows = nlohmann::json::array();
  for (const PaperStatement& entry : measured.abstract) {
    for (nlohmann::json row : csv_rows(entry.points)) {
      row["name"] = entry.id;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string_view reading_words(Reading reading) {
  switch (reading) {
    case Reading::mean:
      return "$E$, sampled";
    case Reading::factor:
      return "its lower bound, with the factor $N/(L-1)$";
    case Reading::full:
      return "the sum in full";
  }
  return {};
}

/// The exponent b of N = c L^b by least squares of logarithms, with its 95 % interval by Student's
/// t: "0.62 (0.41 to 0.83)"; "-" of fewer than three lengths.
std::string exponent_text(const std::vector<const CriticalPoint*>& points) {
  const auto count = static_cast<double>(points.size());
  if (points.size() < 3) return "-";
  double mean_x = 0;
  double mean_y = 0;
  for (const CriticalPoint* const point : points) {
    mean_x += std::log(point->length) / count;
    mean_y += std::log(*point->n) / count;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const CriticalPoint* const point : points) {
    const double x = std::log(point->length) - mean_x;
    const double y = std::log(*point->n) - mean_y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  if (xx == 0) return "-";
  const double slope = xy / xx;
  const double left = std::max(0.0, yy - slope * xy);
  const boost::math::students_t t(count - 2);
  const double reach = boost::math::quantile(t, 0.975) * std::sqrt(left / (count - 2) / xx);
  return fmt::format("{} ({} to {})", rounded(slope, 2), rounded(slope - reach, 2),
                     rounded(slope + reach, 2));
}

/// How the critical N grows: 0.06 L is linear, with the exponent 1.
Blocks critical_exponents(const Measurements& measured) {
  std::map<std::tuple<bool, Reading, double>, std::vector<const CriticalPoint*>> series;
  for (const CriticalPoint& point : measured.figures.critical_n) {
    std::vector<const CriticalPoint*>& points =
        series[{point.without_first, point.reading, point.level}];
    if (point.n && *point.n > 0) points.push_back(&point);
  }
  Table table{.caption =
                  "The exponent $b$ of $N = c L^b$, fitted to the lengths that have a "
                  "critical $N$, with its 95 % interval. A linear $N$ has 1.",
              .columns = {"Tokens", "$D$ is compared with", "Level", "Lengths", "Exponent"},
              .text_columns = 2};
  bool is_fitted = false;
  for (const auto& [key, points] : series) {
    const auto& [without_first, reading, level] = key;
    table.rows.push_back({tokens_words(without_first, measured), reading_words(reading),
                          fmt::format("{}", level), count_text(static_cast<double>(points.size())),
                          exponent_text(points)});
    is_fitted = is_fitted || points.size() > 2;
  }
  return is_fitted ? Blocks{table} : Blocks{};
}

Blocks critical_n(const Measurements& measured, const std::string& name) {
  const std::vector<CriticalPoint>& points = measured.figures.critical_n;
  constexpr std::string_view kTitle = "From which N on the selection looks random";
  const std::string anchor = "critical-n";
  if (lacks_heads_for_critical_n(measured) && points.empty()) {
    return {Heading{.text = kTitle, .anchor = anchor},
            Paragraph{"There is no critical $N$: with four heads or fewer no exact two-sample "
                      "Kolmogorov-Smirnov test rejects at level 0.01 or 0.05, however far apart "
                      "$D$ and $E$ are."}};
  }
  double longest = 0;
  for (const CriticalPoint& point : points) longest = std::max(longest, point.length);
  Table table{
      .caption = fmt::format("The critical $N$ at $L = {}$; shorter ones are in the CSV file. "
                             "None: $D$ and $E$ differ at every $N$.",
                             count_text(longest)),
      .columns = {"Tokens", "$D$ is compared with", "Level", "Critical $N$", "95 % interval",
                  "Share of $L$"},
      .text_columns = 2};
  for (const CriticalPoint& point : points) {
    if (point.length != longest) continue;
    const bool has_interval = point.low && point.high;
    table.rows.push_back(
        {tokens_words(point.without_first, measured), reading_words(point.reading),
         rounded(point.level, 2), point.n ? count_text(*point.n) : "none",
         has_interval ? fmt::format("{} to {}", count_text(*point.low), count_text(*point.high))
                      : "-",
         point.fraction ? percent(*point.fraction) : "-"});
  }
  Blocks tables;
  if (!table.rows.empty()) tables.emplace_back(table);
  if (const Blocks fitted = critical_exponents(measured); !fitted.empty()) {
    tables.emplace_back(Folded{"How each critical N grows with L", fitted});
  }
  return section(anchor, kTitle,
                 "The critical $N$ is the first $N$ at which a two-sample Kolmogorov-Smirnov test "
                 "cannot tell the values of $D$ and of $E$ apart, one value a head, on the last "
                 "row of each length. The paper has two levels, 0.01 and 0.05. That does not show "
                 "that they are alike: fewer heads give an earlier critical $N$. The sum in full "
                 "is not $E$, but it is what the paper's figure has.",
                 {critical_n_figure(measured, name + "-critical-n")}, tables);
}

/// "28.2 (15.5 to 34.1)": the mean and the middle half; "-" where there is none. Over windows "28.2
/// (15.5 to 34.1; the mean 27.1 to 29.3)", with the interval of the mean.
std::string spread_text(const MaybeSpread& spread) {
  if (!spread || std::isnan(spread->mean)) return "-";
  std::string interval;
  if (spread->windows && spread->windows->low && spread->windows->high) {
    interval =
        fmt::format("; the\u00a0mean {}\u00a0to\u00a0{}", short_number(*spread->windows->low),
                    short_number(*spread->windows->high));
  }
  // No-break spaces keep the range on one line of a narrow cell.
  return fmt::format("{} ({}\u00a0to\u00a0{}{})", short_number(spread->mean),
                     short_number(spread->q1), short_number(spread->q3), interval);
}

/// How far the embeddings are from those that Theorem 2 assumes.
Blocks directions(const Measurements& measured) {
  const std::vector<DirectionPoint>& points = measured.figures.directions;
  if (points.empty() || !points.front().length_spread) return {};
  Table table{.caption = "The embeddings, as means over the heads; in brackets, their middle half.",
              .columns = {"Tokens", "Spread of lengths", "Mean direction", "Leading direction"}};
  for (const DirectionPoint& point : points) {
    table.rows.push_back({tokens_words(point.without_first, measured),
                          spread_text(point.length_spread), spread_text(point.mean_direction),
                          spread_text(point.leading_share)});
  }
  return {Paragraph{"Theorem 2 assumes vectors drawn independently and uniformly from a sphere: "
                    "lengths without spread, a mean direction of length about $1/sqrt(L)$, and a "
                    "leading direction with about $1/d$ of the second moments. Those of a model "
                    "differ, so a share beyond the bounds contradicts nothing."},
          table};
}

/// The critical N of a normaliser: "12", or that there is none, and why.
std::string critical_n_words(const Measurements& measured, const NormalizerPoint& point,
                             const std::optional<double>& n) {
  if (n) return count_text(*n);
  if (!point.largest_weight) return "none: weights undefined";
  return lacks_heads_for_critical_n(measured) ? "none: too few heads" : "none";
}

std::size_t count_of_names(const std::vector<NormalizerPoint>& points) {
  std::set<std::string_view> names;
  for (const NormalizerPoint& point : points) names.insert(point.name);
  return names.size();
}

Blocks normalizers(const Measurements& measured, const std::string& name) {
  const std::vector<NormalizerPoint>& points = measured.figures.normalizers;
  if (points.empty()) return {};
  const double longest = std::ranges::max(points, {}, &NormalizerPoint::length).length;
  Table table{.caption = fmt::format("At $L = {}$: means over the heads; in brackets, their middle "
                                     "half.",
                                     count_text(longest)),
              .columns = {"Normaliser", "Tokens", "Critical $N$, sum in full",
                          "Critical $N$, lower bound of $E$", "$N_s/N$", "At $N$", "Largest weight",
                          "Weight sum", "Entropy, nats", "$||J||$"},
              .text_columns = 2};
  for (const NormalizerPoint& point : points) {
    if (point.length != longest) continue;
    table.rows.push_back({point.name, tokens_words(point.without_first, measured),
                          critical_n_words(measured, point, point.critical_n_full),
                          critical_n_words(measured, point, point.critical_n_factor),
                          spread_text(point.share), point.n ? count_text(*point.n) : "-",
                          spread_text(point.largest_weight), spread_text(point.weight_sum),
                          spread_text(point.entropy), spread_text(point.norm)});
  }
  const Figure all{.name = name + "-normalizers",
                   .caption = "All lengths.",
                   .rows = csv_rows(points),
                   .is_small = true};
  return section(
      "normalizers", "Other normalisers on the same logits",
      "The same rows of logits, turned into weights in other ways. The model was "
      "trained with softmax at its own temperature: the table does not say how a model "
      "trained with the others would behave. The entropy is that of the weights divided "
      "by their sum.",
      {},
      {Folded{fmt::format("{} normalisers at L = {}", count_of_names(points), count_text(longest)),
              {table}},
       all});
}

}  // namespace

Document input_page(std::size_t index, const Report& report, const Names& names) {
  const Measurements& measured = report.inputs[index];
  const std::string& name = names.input(index);
  Document page{.path = names.input_page(index),
                .title = "attention-limits: " + short_name(measured),
                .above = link("All inputs", "index.html#inputs"),
                .heading = short_name(measured),
                .lead =
                    "The same claims, decided by the same code, on the attention of a trained "
                    "model."};
  page.beside = {
      Paragraph{measured.input.empty() ? measured.model : measured.input, Paragraph::Tone::note},
      Paragraph{taken_as(measured)}};
  if (const Blocks entries = sentences_measured(measured); !entries.empty()) {
    page.blocks.emplace_back(
        Heading{.text = "What the paper says of trained models, measured", .anchor = "abstract"});
    page.blocks.emplace_back(Paragraph{how_sure(measured)});
    append(page.blocks, entries);
    page.blocks.emplace_back(Figure{.name = name + "-abstract",
                                    .caption = "What the estimates rest on.",
                                    .rows = abstract_rows(measured),
                                    .is_small = true});
  }
  const auto figure = [&](const char* which) { return fmt::format("{}-{}", name, which); };
  for (const Blocks& part :
       {section("distance", "How far the other tokens are",
                "A head selects the $N$ tokens of the largest weights. $D$ adds up how far the "
                "weighted vectors of all other tokens are from the weighted sum of the selected "
                "ones.",
                {distance_by_length(measured, figure("distance-by-length"), Tokens::both),
                 distance_by_n(measured, figure("distance-by-n"))},
                folded("E beside what it can be at most",
                       expected_share(measured, figure("expected-share")))),
        critical_n(measured, name),
        section("separability", "How many selected tokens are distinguishable",
                "Let $r$ be the distance from the sum of the selected tokens to the nearest token "
                "that was not selected. $N_s$ counts the selected tokens within $r$. With one "
                "token selected $N_s/N$ is 1 whatever the choice, so a random choice stands "
                "beside every value. Precision, recall and all rows are in the CSV file.",
                {separability_figure(measured, figure("separability"), Tokens::both)},
                directions(measured)),
        section("gradient", "How strongly the weights answer to the logits",
                "$J$ is the derivative of a row's weights by its logits; its norm is the largest "
                "factor by which a small step is stretched. The logits are those of the model, the "
                "temperature is varied. A step of finite length changes the weights by $g$ times "
                "its length.",
                {gradient_figure(measured, figure("gradient"), Tokens::both)},
                folded("Steps of finite length", step_figure(measured, figure("steps")))),
        section("sink", fmt::format("How much the {} takes", first_token(measured)),
                measured.learned_sink.value_or(false)
                    ? "Each head has a key of its own beside those of the tokens, whose logit it "
                      "has learned and whose value is 0 (a learned sink): the claims take it for "
                      "the first token of each row. So each measure is taken a second time without "
                      "it."
                    : "Trained models often put weight on the first token, which says little about "
                      "the text (an attention sink). So each measure is taken a second time where "
                      "nothing can be read from the first token.",
                {sink_figure(measured, figure("first-token"))}),
        normalizers(measured, name), set_sizes(measured, name), head_maps(index, report, names),
        failing(measured, report, names)}) {
    append(page.blocks, part);
  }
  page.blocks.emplace_back(Heading{.text = "What was read", .anchor = "read"});
  append(page.blocks, windows(measured));
  append(page.blocks, layers(measured, name));
  nlohmann::ordered_json read = json_of(measured);
  for (const char* const said_elsewhere : {"not_covered", "layer_sizes", "no_lengths"}) {
    read.erase(said_elsewhere);
  }
  if (measured.mask.empty()) read["mask"] = kCausalMask;
  page.blocks.emplace_back(
      Folded{"Sizes, rows, mask and settings", {fields_table("What was read.", read)}});
  append(page.blocks, not_covered(measured, names));
  return page;
}

}  // namespace attn::report
