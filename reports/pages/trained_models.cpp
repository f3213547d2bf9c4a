#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/judge/intervals.hpp"
#include "reports/judge/statements.hpp"
#include "reports/pages/pages.hpp"
#include "reports/plot/charts.hpp"
#include "reports/text/format.hpp"
#include "theory/number/elementary.hpp"

namespace attn::report {
namespace {

/// An estimate, or an end of its interval, in the unit of its statement.
std::string in_unit(std::string_view id, double value) {
  const bool is_share = id == kShareStatement || id == kCriticalStatement || id == kColderStatement;
  if (is_share) return percent(value);
  return id == kGradientStatement ? rounded(value) : short_number(value);
}

/// What the number of a statement is: "power of $L$".
std::string_view unit_words(std::string_view id) {
  if (id == kGrowthStatement) return "power of $L$";
  if (id == kDistanceStatement) return "times, longest by shortest $L$";
  if (id == kCriticalStatement) return "of $L$";
  if (id == kShareStatement) return "distinguishable";
  if (id == kGradientStatement) {
    return "as mean and maximum over the heads of the largest $T||J||$ of each";
  }
  return id == kColderStatement ? "of the rows are steeper" : "";
}

/// A statement in a few words.
std::string_view short_words(std::string_view id) {
  if (id == kGrowthStatement) return "$D$ grows with $L$ at $N = 5$";
  if (id == kDistanceStatement) return "$D$ collapses at $N = L/4$";
  if (id == kCriticalStatement) return "Looks random from 6 % of $L$ on";
  if (id == kShareStatement) return "70 to 85 % distinguishable";
  if (id == kGradientStatement) return "Gradient at most $1/(4T)$";
  return id == kColderStatement ? "Colder is steeper" : id;
}

Text verdict_of(const PaperStatement& entry) {
  if (!entry.estimate) return strong("not measurable here");
  if (is_too_short(entry)) return strong("not measurable here");
  if (!entry.agrees) return strong("not settled");
  return *entry.agrees ? good("borne out") : bad("not borne out");
}

/// "0.99 (0.97 to 1.01)", with the unit.
std::string number_of(const PaperStatement& entry) {
  std::string words = in_unit(entry.id, *entry.estimate);
  if (entry.low && entry.high) {
    words +=
        fmt::format(" ({} to {})", in_unit(entry.id, *entry.low), in_unit(entry.id, *entry.high));
  }
  // Of what is said of every row the mean alone would mislead.
  const auto largest = largest_of(entry.points);
  return largest ? words + fmt::format("; largest {}", in_unit(entry.id, *largest)) : words;
}

/// Why there is no number, or what the number must be for the statement to be borne out.
Text reason(const PaperStatement& entry) {
  if (!entry.estimate)
    return fmt::format(": {}.", entry.why_not.empty() ? "no number" : entry.why_not);
  if (is_too_short(entry)) {
    return fmt::format(": the paper has 32 to 1,024 tokens. {}", entry.measured);
  }
  Text text = ". " + strong(number_of(entry)) + fmt::format(" {}", unit_words(entry.id));
  if (const auto allowed = allowed_words(entry.id); !allowed.empty()) {
    text += fmt::format("; we call it borne out if it is {}", allowed);
  }
  return text + ". " + entry.measured;
}

/// The curve of the loss that the sentence is about: tokens chosen by weight, at the longest
/// length.
const SetSizeCurve* curve_of_need(const Measurements& measured) {
  const SetSizeCurve* found = nullptr;
  if (!measured.set_sizes) return found;
  for (const SetSizeCurve& curve : measured.set_sizes->curves) {
    const bool is_by_weight = curve.ranking == "weight" && !curve.renormalized;
    if (is_by_weight && need_of(curve, kShownTolerance) &&
        (!found || curve.length > found->length)) {
      found = &curve;
    }
  }
  return found;
}

std::string need_words(const SetSizeCurve& curve) {
  const double n = *need_of(curve, kShownTolerance);
  return fmt::format("{} of {} tokens ({})", count_text(n), count_text(curve.length),
                     percent(n / curve.length));
}

std::pair<Text, Text> tokens_entry(const Measurements& measured) {
  const Text says =
      "How many tokens a head needs: those of the largest weights are kept (of arXiv 2609.37879; "
      "the paper itself gives no number).";
  const SetSizeCurve* const curve = curve_of_need(measured);
  if (curve == nullptr) return {says, strong("not measurable here") + ": " + why_no_loss(measured)};
  return {says,
          strong("measured") + ". " + strong(need_words(*curve)) +
              fmt::format(
                  " keep the loss of the last {} tokens, {} nats with all tokens, from "
                  "growing by more than {}: the least $N$ tested, the same in every head "
                  "and layer at once, with the kept weights as they are. Other ways to "
                  "judge and to keep, in a table of the page, give other $N$. One text and one "
                  "model: there is no interval.",
                  grouped(curve->targets), short_number(curve->loss), percent(kShownTolerance))};
}

/// The critical N at the longest L and the first level where D is compared with the sum in full,
/// which the paper seems to have drawn; null where it was not measured.
const CriticalPoint* critical_in_full(const Measurements& measured, bool without_first) {
  const CriticalPoint* found = nullptr;
  for (const CriticalPoint& point : measured.figures.critical_n) {
    if (point.reading != Reading::full || point.without_first != without_first) continue;
    const bool is_later = found == nullptr || point.length > found->length;
    const bool is_stricter = found && point.length == found->length && point.level < found->level;
    if (is_later || is_stricter) found = &point;
  }
  return found != nullptr && found->fraction ? found : nullptr;
}

/// " Compared with the sum in full ... it is 1.17 % ...": beside the critical N of E as defined.
std::string beside_critical_n(const Measurements& measured) {
  const CriticalPoint* const all = critical_in_full(measured, false);
  if (all == nullptr) return {};
  std::string words = fmt::format(
      " This is of $E$ as it is defined. Compared with the sum in full, which the paper's figure "
      "seems to have in its place, it is {}, {} of $L$",
      count_text(*all->n), percent(*all->fraction));
  if (const CriticalPoint* const rest = critical_in_full(measured, true)) {
    words += fmt::format(" ({} without the {})", percent(*rest->fraction), first_token(measured));
  }
  return words + ".";
}

/// What T below 0.1 is beside the model's own T, of the gradient, and of colder rows which claim
/// asks another question.
std::string beside_cold(const Measurements& measured, std::string_view id) {
  if (measured.own_temperatures.empty()) return {};
  const auto [least, most] = std::ranges::minmax(measured.own_temperatures);
  const std::string own =
      least == most ? rounded(least) : fmt::format("{} to {}", rounded(least), rounded(most));
  if (id == kColderStatement) {
    return fmt::format(
        " The claim corollary3.cold is another question: whether half of the model's own $T = {}$ "
        "is steeper.",
        own);
  }
  return fmt::format(" The model's own $T$ is {}, at least {} times as warm.", own,
                     short_number(least / kCold));
}

/// " Over the 90 key heads: 55.1 % to 60.3 %.", and whether that leads to another verdict.
std::string beside_heads(const PaperStatement& entry) {
  const std::optional<OverKeyHeads>& found = entry.over_key_heads;
  if (!found) return {};
  return fmt::format(" Over the {} key heads: {} to {}{}.", found->key_heads,
                     in_unit(entry.id, found->low), in_unit(entry.id, found->high),
                     found->agrees == entry.agrees ? "" : ", which leads to another verdict");
}

/// What a reader of one statement on this input must know besides.
std::string besides(const PaperStatement& entry, const Measurements& measured) {
  if (!entry.estimate || is_too_short(entry)) return {};
  if (entry.id == kCriticalStatement) return beside_critical_n(measured);
  const bool is_cold = entry.id == kGradientStatement || entry.id == kColderStatement;
  return beside_heads(entry) + (is_cold ? beside_cold(measured, entry.id) : "");
}

/// "; 1.17 % by the sum in full", in a table.
std::string short_besides(const PaperStatement& entry, const Measurements& measured) {
  const CriticalPoint* const full = critical_in_full(measured, false);
  if (entry.id != kCriticalStatement || full == nullptr) return {};
  return fmt::format("; {} by the sum in full", percent(*full->fraction));
}

bool is_papers_own(const Measurements& measured) {
  return std::ranges::any_of(measured.abstract, &PaperStatement::judged);
}

/// The inputs that are of one model and differ in length, the longest L of each with D at N = 5 by
/// head: (place, L). Heads of all are the same ones.
struct SameModel {
  std::string model{};
  std::vector<std::pair<double, std::size_t>> by_length{};
};

std::optional<double> longest_of(const Measurements& measured) {
  std::optional<double> longest;
  for (const DistancePoint& point : measured.figures.distance_by_length) {
    longest = std::max(longest.value_or(0), point.length);
  }
  const bool has_five =
      !measured.heads.empty() && std::ranges::all_of(measured.heads, [](const HeadRecord& head) {
        return head.distance_at_five.has_value();
      });
  return has_five ? longest : std::nullopt;
}

std::vector<SameModel> same_models(const Report& report) {
  std::vector<SameModel> models;
  for (std::size_t i = 0; i < report.inputs.size(); ++i) {
    const Measurements& measured = report.inputs[i];
    const auto length = longest_of(measured);
    if (!length || measured.model.empty()) continue;
    auto at = std::ranges::find(models, measured.model, &SameModel::model);
    const auto differs = [&](const SameModel& model) {
      return report.inputs[model.by_length.front().second].heads.size() != measured.heads.size();
    };
    if (at == models.end()) at = models.insert(at, SameModel{.model = measured.model});
    if (!at->by_length.empty() && differs(*at)) continue;
    at->by_length.emplace_back(*length, i);
  }
  for (SameModel& model : models) std::ranges::sort(model.by_length);
  std::erase_if(models, [](const SameModel& model) {
    return model.by_length.front().first == model.by_length.back().first;
  });
  return models;
}

/// The slope of ln D on ln L in each head, over the inputs; nothing where fewer than two heads have
/// one.
std::optional<MeanInterval> slope_over(const SameModel& model, const Report& report) {
  std::vector<double> slopes;
  const std::size_t heads = report.inputs[model.by_length.front().second].heads.size();
  for (std::size_t h = 0; h < heads; ++h) {
    std::vector<double> x, y;
    for (const auto& [length, input] : model.by_length) {
      x.push_back(reproducible::log(length));
      const double distance = *report.inputs[input].heads[h].distance_at_five;
      y.push_back(distance > 0 ? reproducible::log(distance) : NAN);
    }
    const double slope = slope_of(x, y);
    if (std::isfinite(slope)) slopes.push_back(slope);
  }
  if (slopes.size() < 2) return std::nullopt;
  return mean_interval(slopes);
}

}  // namespace

std::optional<double> need_of(const SetSizeCurve& curve, double tolerance) {
  const auto need = std::ranges::find(curve.needs, tolerance, &SetSizeNeed::tolerance);
  return need == curve.needs.end() ? std::nullopt : std::optional(need->n);
}

std::string why_no_loss(const Measurements& measured) {
  if (measured.mask == kFullMask) {
    return "the input is of a model that does not predict the next token, so that there is no "
           "loss.";
  }
  if (measured.tokens_sha256.empty()) {
    return "the recording has no loss; record.py --set-size N puts it in.";
  }
  return "the loss was not measured; gpt2_check run --experiment set-size measures it.";
}

Entries sentences_measured(const Measurements& measured) {
  Entries entries;
  for (const PaperStatement& entry : measured.abstract) {
    entries.items.emplace_back(entry.says,
                               verdict_of(entry) + reason(entry) + besides(entry, measured));
  }
  if (entries.items.empty()) return {};
  entries.items.push_back(tokens_entry(measured));
  return entries;
}

Text how_sure(const Measurements& measured) {
  const std::string of = measured.positions && !measured.heads.empty()
                             ? fmt::format(" ({} heads, {} tokens)", grouped(measured.heads.size()),
                                           grouped(*measured.positions))
                             : "";
  const std::string shared =
      measured.key_heads
          ? fmt::format(
                " Heads that share keys count as independent, but for the interval over the "
                "key heads, {} a layer, beside it.",
                grouped(*measured.key_heads))
          : "";
  const std::string text =
      measured.text_sha256.empty() ? ", which the recording does not name" : "";
  return "All numbers here are measured, in double arithmetic, on this text alone" + text + of +
         fmt::format(
             ", the {} included where nothing else is said: none is proved. In brackets "
             "are 95 % intervals: how far a number would move with other heads of the same "
             "kind, and where rows are named, with other rows; not with other texts or "
             "models.{} What is proved, for every input, are the ",
             first_token(measured), shared) +
         link("claims", "index.html#claims") +
         ", which are decided without a tolerance, in the cases that the page of each counts." +
         (is_papers_own(measured) ? " This is the paper's own model." : "");
}

Blocks models_table(const Report& report, const Names& names) {
  Table table{.caption =
                  "What the paper says of trained models, measured: one row for each input. In "
                  "brackets are 95 % intervals over its heads. We call a statement borne out where "
                  "the whole interval lies in what is stated, not borne out where it lies wholly "
                  "outside, or where one row does, of the gradient.",
              .columns = {"Input"},
              .text_columns = 8,
              .is_stacked = true};
  for (const std::string_view id : statement_ids()) table.columns.emplace_back(short_words(id));
  table.columns.emplace_back("Tokens that keep the loss within 5 %");
  for (std::size_t i = 0; i < report.inputs.size(); ++i) {
    const Measurements& measured = report.inputs[i];
    if (measured.abstract.empty()) continue;
    std::vector<Text>& row = table.rows.emplace_back();
    row.push_back(names.input_link(i));
    for (const std::string_view id : statement_ids()) {
      const auto entry = std::ranges::find(measured.abstract, id, &PaperStatement::id);
      if (entry == measured.abstract.end() || !entry->estimate) {
        row.emplace_back("not measurable");
      } else {
        row.push_back(verdict_of(*entry) + ": " + number_of(*entry) +
                      short_besides(*entry, measured));
      }
    }
    const SetSizeCurve* const curve = curve_of_need(measured);
    row.emplace_back(curve == nullptr ? "not measured" : need_words(*curve));
  }
  if (table.rows.empty()) return {};
  return {Heading{.text = "What the paper says of trained models, measured", .anchor = "abstract"},
          table};
}

Blocks lengths_together(const Report& report, const Names& names) {
  Blocks blocks;
  std::size_t count = 0;
  for (const SameModel& model : same_models(report)) {
    plot::LineChart chart{.label = "Distance D at N = 5 against L, a point for each input",
                          .x_label = "visible tokens L",
                          .y_label = "distance, mean over heads (in the model's own scale)",
                          .y_spacing = plot::Spacing::logarithmic};
    plot::LineSeries series{
        .name = "D, measured", .css_class = "hue-1", .mark = plot::Mark::circle};
    nlohmann::json rows = nlohmann::json::array();
    std::vector<Text> links;
    for (const auto& [length, input] : model.by_length) {
      double sum = 0;
      for (const HeadRecord& head : report.inputs[input].heads) sum += *head.distance_at_five;
      const double mean = sum / static_cast<double>(report.inputs[input].heads.size());
      series.points.push_back({.x = length, .y = mean});
      rows.push_back({{"input", names.input(input)}, {"length", length}, {"distance", mean}});
      links.push_back(names.input_link(input));
    }
    chart.series.push_back(std::move(series));
    if (!plot::has_points(chart)) continue;
    Text caption = "Inputs of " + model.model + ": " + joined(links, ", ") + ".";
    if (const auto slope = slope_over(model, report)) {
      caption += fmt::format(
          " At $N = 5$, $D$ goes like $L$ to the power {:.3g} (mean over the heads, 95 % interval "
          "{:.3g} to {:.3g}). The inputs may be of different texts, which the interval does not "
          "know.",
          slope->mean, slope->low, slope->high);
    }
    ++count;
    blocks.emplace_back(
        Figure{.name = count == 1 ? "lengths" : fmt::format("lengths-of-model-{}", count),
               .panels = {{"", plot::draw(chart)}},
               .caption = caption,
               .rows = rows});
  }
  if (blocks.empty()) return {};
  blocks.insert(blocks.begin(),
                Heading{.text = "One model at several lengths", .anchor = "lengths"});
  return blocks;
}

}  // namespace attn::report
