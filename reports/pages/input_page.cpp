#include <fmt/format.h>

#include <cmath>

#include "reports/io/csv.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

Blocks folded(std::string_view summary, const MaybeFigure& figure) {
  return figure ? Blocks{Folded{Text(summary), {*figure}}} : Blocks{};
}

/// What the gap behind the N-th weight shows of how little is left out.
Blocks mass(const Measurements& measured, const std::string& name) {
  const std::vector<MassPoint>& points = measured.figures.mass;
  if (points.empty()) return {};
  Table table{.caption =
                  "In how many rows the $N$ largest weights leave out so little, and in how "
                  "many the $N$-th weight and the next one alone show it (mass.gap).",
              .columns = {"$N$", "Left out at most", "Rows", "True", "Shown by the gap"}};
  for (const MassPoint& point : points) {
    table.rows.push_back({count_text(point.n), percent(point.left_out), grouped(point.rows),
                          percent(point.true_rows, point.rows),
                          percent(point.certified_rows, point.rows)});
  }
  return {Folded{"How little the tokens that are not selected weigh",
                 {table, Figure{.name = name + "-mass",
                                .caption = "All counts.",
                                .rows = csv_rows(points),
                                .is_small = true}}}};
}

/// What stands beside D and E, folded.
Blocks more_on_distances(const Measurements& measured, const std::string& name) {
  Blocks blocks =
      folded("E beside what it can be at most", expected_share(measured, name + "-expected-share"));
  append(blocks, folded("The residual of Theorem 1 beside its main sum",
                        residual_share(measured, name + "-residual")));
  append(blocks, mass(measured, name));
  return blocks;
}

/// What the first token takes at the longest L, and the curve folded.
Blocks sink_blocks(const Measurements& measured, const std::string& name) {
  const MaybeFigure figure = sink_figure(measured, name);
  if (!figure) return {};
  return {Paragraph{figure->caption}, Folded{"Against the length", {*figure}}};
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

/// ", $T = 8$"; empty where layers differ, or it is not known.
std::string own_temperature(const Measurements& measured) {
  const std::vector<double>& own = measured.own_temperatures;
  return own.size() == 1 ? fmt::format(", $T = {}$", rounded(own.front())) : "";
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
  return {Folded{
      "How far the embeddings are from those of Theorem 2",
      {Paragraph{"Theorem 2 assumes vectors drawn independently and uniformly from a sphere: "
                 "lengths without spread, a mean direction of length about $1/sqrt(L)$, and a "
                 "leading direction with about $1/d$ of the second moments. Those of a model "
                 "differ, so a share beyond the bounds contradicts nothing."},
       table}}};
}

}  // namespace

Blocks section(std::string_view anchor, std::string_view title, std::string_view about,
               const std::vector<MaybeFigure>& figures, const Blocks& more) {
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
  if (Entries entries = sentences_measured(measured); !entries.items.empty()) {
    page.blocks.emplace_back(
        Heading{.text = "What the paper says of trained models, measured", .anchor = "abstract"});
    entries.items.emplace(entries.items.begin(), "How sure the numbers are", how_sure(measured));
    page.blocks.emplace_back(std::move(entries));
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
                more_on_distances(measured, name)),
        critical_n_section(measured, name),
        section("separability", "How many selected tokens are distinguishable",
                "Let $r$ be the distance from the sum of the selected tokens to the nearest token "
                "that was not selected. $N_s$ counts the selected tokens within $r$. The paper's "
                "definition also asks that every other token is beyond $r$, which the nearest one "
                "never is: $N_s$ would be 0 for every input. With one token selected $N_s/N$ is 1 "
                "whatever the choice, so a random choice stands beside every value. Precision, "
                "recall and all rows are in the CSV file.",
                {separability_figure(measured, figure("separability"), Tokens::both)},
                directions(measured)),
        section("gradient", "How strongly the weights answer to the logits",
                fmt::format(
                    "$J$ is the derivative of a row's weights by its logits; its norm is the "
                    "largest factor by which a small step is stretched. The logits are those of "
                    "the model before it divides them by its own temperature{}; here $T$ is varied "
                    "in its place. A step of finite length changes the weights by $g$ times its "
                    "length.",
                    own_temperature(measured)),
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
                {}, sink_blocks(measured, figure("first-token"))),
        normalizers_section(measured, name), set_sizes(measured, name),
        head_maps(index, report, names), failing(measured, report, names)}) {
    append(page.blocks, part);
  }
  append(page.blocks, what_was_read(measured, name, names));
  return page;
}

}  // namespace attn::report
