#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

#include "reports/html/figure.hpp"
#include "reports/html/real_input.hpp"
#include "reports/io/csv.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

using plot::Mark;

constexpr double kTrue = 0.5;  // the proved bound on T ||J||
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kHues[] = {"hue-1", "hue-2", "hue-3", "hue-4"};
constexpr Mark kMarks[] = {Mark::circle, Mark::diamond, Mark::square, Mark::triangle};

struct DirectionName {
  Direction direction;
  const char* name;
};
constexpr DirectionName kDirections[] = {{Direction::random, "random signs"},
                                         {Direction::top, "between the two largest logits"}};

/// All tokens first, then by temperature.
std::vector<GradientPoint> in_order(std::vector<GradientPoint> points) {
  const auto key = [](const GradientPoint& point) {
    return std::pair(point.without_first, point.temperature);
  };
  std::stable_sort(points.begin(), points.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return points;
}

plot::LinePoint norm_point(double temperature, const std::optional<double>& norm,
                           const char* what) {
  return {
      .x = temperature,
      .y = norm.value_or(kGap),
      .tooltip = fmt::format("{}, T = {}: {}", what, short_number(temperature), number_text(norm))};
}

/// The printed bound on T ||J||.
double printed_bound(double temperature) {
  return std::min(0.25, std::numbers::sqrt2 * temperature);
}

plot::LineChart norm_chart(const std::vector<GradientPoint>& points) {
  plot::LineChart chart{.label = "T ||J|| against T. The table below has the numbers.",
                        .x_label = "temperature T",
                        .y_label = "T ||J||",
                        .references = {{"1/2, the proved bound", "hue-4 dotted", kTrue}},
                        .width = kPanelWidth};
  plot::LineSeries printed{.name = "printed bound, min{1/4, √2 T}", .css_class = "ink dashed"};
  plot::LineSeries largest{
      .name = "largest of all rows", .css_class = "hue-2", .mark = Mark::diamond};
  plot::LineSeries heads{.name = "each head's largest", .css_class = "hue-3", .mark = Mark::square};
  plot::LineSeries mean{.name = "mean of all rows", .css_class = "hue-1", .mark = Mark::circle};
  for (const GradientPoint& point : points) {
    const double t = point.temperature;
    largest.points.push_back(norm_point(t, point.largest_t_norm, "largest"));
    heads.points.push_back(
        spread_point(t, point.t_norm, fmt::format("each head's largest, T = {}", short_number(t))));
    printed.points.push_back({.x = t, .y = printed_bound(t)});
    mean.points.push_back(norm_point(t, point.mean_t_norm, "mean"));
  }
  if (!points.empty()) chart.series.push_back(printed);
  for (plot::LineSeries* const series : {&largest, &heads, &mean}) {
    const bool any = std::any_of(series->points.begin(), series->points.end(),
                                 [](const plot::LinePoint& p) { return std::isfinite(p.y); });
    if (any) chart.series.push_back(std::move(*series));
  }
  return chart;
}

DataTable norm_numbers(const std::vector<GradientPoint>& points) {
  DataTable table{.caption =
                      "$T ||J||$ over all rows and heads; each head's largest as its mean over "
                      "heads, in brackets the middle half.",
                  .columns = {"Tokens", "$T$", "rows", "mean", "largest", "each head's largest",
                              "rows above the printed bound", "share"}};
  for (const GradientPoint& point : points) {
    const bool counted = point.rows && point.rows_above_printed_bound;
    table.rows.push_back({tokens_cell(point.without_first), short_number(point.temperature),
                          point.rows ? grouped(*point.rows) : "-", number_text(point.mean_t_norm),
                          point.largest_t_norm ? ratio_text(*point.largest_t_norm) : "-",
                          spread_text(point.t_norm),
                          counted ? grouped(*point.rows_above_printed_bound) : "-",
                          counted ? percent(*point.rows_above_printed_bound, *point.rows) : "-"});
  }
  return table;
}

/// How often the printed bound fails, and that the proved one does not, in words.
std::string norm_verdict(const std::vector<GradientPoint>& points) {
  std::uint64_t rows = 0, above = 0;
  double largest = 0;
  for (const GradientPoint& point : points) {
    rows += point.rows.value_or(0);
    above += point.rows_above_printed_bound.value_or(0);
    largest = std::max(largest, point.largest_t_norm.value_or(0));
  }
  if (rows == 0) return {};
  return fmt::format(
      " Over all temperatures {} of the rows lie above the printed bound; the largest $T ||J||$ is "
      "{}, {} $1/2$.",
      percent(above, rows), ratio_text(largest), largest <= kTrue ? "not above" : "above");
}

std::string norm_figure(const std::vector<GradientPoint>& points, const nlohmann::json& rows,
                        FigureFiles& files) {
  std::vector<plot::Panel> panels;
  for (const bool without_first : {false, true}) {
    const plot::LineChart chart = norm_chart(points_with(points, without_first));
    if (plot::has_points(chart)) panels.push_back(panel(tokens_words(without_first), chart));
  }
  const std::string caption =
      "$T ||J||$ against $T$, with $T$ times the printed bound $min{1/(4T), sqrt 2}$ and the "
      "proved one, $1/2$. A mark above the dashed line is a row in which the printed bound fails." +
      norm_verdict(points);
  return figure_html({"gradient", panels, caption, norm_numbers(points), rows}, files);
}

std::set<double> epsilons_of(const std::vector<GradientPoint>& points) {
  std::set<double> epsilons;
  for (const GradientPoint& point : points) {
    for (const StepPoint& step : point.steps) epsilons.insert(step.epsilon);
  }
  return epsilons;
}

/// One line for each epsilon in one direction: the measured values, or a bound.
plot::LineSeries step_series(const std::vector<GradientPoint>& points,
                             const DirectionName& direction, double epsilon,
                             std::optional<double> StepPoint::*value, const std::string& name,
                             const std::string& css_class) {
  plot::LineSeries series{.name = name, .css_class = css_class};
  for (const GradientPoint& point : points) {
    for (const StepPoint& step : point.steps) {
      if (step.epsilon != epsilon || step.direction != direction.direction) continue;
      series.points.push_back(
          {.x = point.temperature,
           .y = (step.*value).value_or(kGap),
           .tooltip = fmt::format("{}, T = {}: {}", name, short_number(point.temperature),
                                  number_text(step.*value))});
    }
  }
  return series;
}

plot::LineChart step_chart(const std::vector<GradientPoint>& points,
                           const DirectionName& direction) {
  plot::LineChart chart{.label = "Largest finite difference g against T, by step length.",
                        .x_label = "temperature T",
                        .y_label = "largest g",
                        .y_spacing = plot::Spacing::logarithmic,
                        .width = kPanelWidth};
  const std::set<double> epsilons = epsilons_of(points);
  if (epsilons.empty()) return chart;
  chart.series.push_back(step_series(points, direction, *epsilons.begin(),
                                     &StepPoint::printed_bound, "printed bound", "ink dashed"));
  std::size_t i = 0;
  for (const double epsilon : epsilons) {
    const std::string step = fmt::format("step {}", rounded(epsilon, 2)), hue = kHues[i % 4];
    chart.series.push_back(step_series(points, direction, epsilon, &StepPoint::true_bound,
                                       step + ", proved bound", hue + " dotted"));
    chart.series.push_back(step_series(points, direction, epsilon, &StepPoint::largest, step, hue));
    chart.series.back().mark = kMarks[i % 4];
    ++i;
  }
  return chart;
}

DataTable step_numbers(const std::vector<GradientPoint>& points) {
  DataTable table{.caption = "The largest $g$ over heads and rows, and the bounds.",
                  .columns = {"Direction", "Tokens", "$T$", "step", "largest $g$", "printed bound",
                              "proved bound"},
                  .text_columns = 2};
  for (const GradientPoint& point : points) {
    for (const StepPoint& step : point.steps) {
      const auto* const direction =
          std::ranges::find(kDirections, step.direction, &DirectionName::direction);
      table.rows.push_back({direction->name, tokens_cell(point.without_first),
                            short_number(point.temperature), short_number(step.epsilon),
                            number_text(step.largest), number_text(step.printed_bound),
                            number_text(step.true_bound)});
    }
  }
  return table;
}

std::vector<plot::Panel> step_panels(const std::vector<GradientPoint>& points, bool without_first) {
  std::vector<plot::Panel> panels;
  for (const DirectionName& direction : kDirections) {
    const plot::LineChart chart = step_chart(points_with(points, without_first), direction);
    if (!plot::has_points(chart)) continue;
    panels.push_back(
        panel(fmt::format("{}, {}", direction.name, tokens_words(without_first)), chart));
  }
  return panels;
}

/// How many of the largest values exceed the printed bound, and the proved one.
std::string step_verdict(const std::vector<GradientPoint>& points) {
  std::size_t all = 0, above_printed = 0, above_true = 0;
  for (const GradientPoint& point : points) {
    for (const StepPoint& step : point.steps) {
      if (!step.largest || !step.printed_bound || !step.true_bound) continue;
      ++all;
      above_printed += *step.largest > *step.printed_bound ? 1 : 0;
      above_true += *step.largest <= *step.true_bound ? 0 : 1;
    }
  }
  if (all == 0) return {};
  return fmt::format(" Of {} such values {} exceed the printed bound and {} the proved one.", all,
                     above_printed, above_true == 0 ? "none" : fmt::format("{}", above_true));
}

std::string step_figures(const std::vector<GradientPoint>& points, const nlohmann::json& rows,
                         FigureFiles& files) {
  const std::vector<plot::Panel> with = step_panels(points, false),
                                 without = step_panels(points, true);
  if (with.empty() && without.empty()) return {};
  const std::string caption =
      "The largest $g$ over heads and rows against $T$, for steps of several lengths. Dashed: the "
      "printed bound $min{1/(4T), sqrt 2}$. Dotted: the proved bound $(sqrt(2)/step) "
      "tanh(step/(2 sqrt(2) T))$." +
      step_verdict(points);
  const std::string intro = "<h4>Steps of finite length</h4>\n" +
                            paragraph(
                                "$g$ is the change of the weights divided by the length of the "
                                "step that caused it. Steps go in a direction of random signs, or "
                                "from the second largest logit to the largest one.");
  if (with.empty()) {
    return intro + figure_html({"steps", without, caption, step_numbers(points), rows}, files);
  }
  const std::string rest = figure_html({"steps-without-first", without, caption, {}, rows}, files);
  return intro + figure_html({"steps", with, caption, step_numbers(points), rows}, files) +
         (rest.empty() ? rest
                       : "<details><summary>The same without the first token</summary>\n" + rest +
                             "</details>\n");
}

}  // namespace

std::string real_gradient(const Measurements& measured, FigureFiles& files) {
  const std::vector<GradientPoint> points = in_order(measured.figures.gradient);
  const nlohmann::json rows = csv_rows(measured.figures.gradient);
  const std::string norms = norm_figure(points, rows, files);
  const std::string steps = step_figures(points, unfolded(rows, "step"), files);
  if (norms.empty() && steps.empty()) return {};
  return heading(files, "real-gradient", "How strongly the weights answer to the logits") +
         paragraph(
             "$J$ is the derivative of a row's weights by its logits; its norm is the largest "
             "factor by which a small step is stretched. The logits are those of the model, the "
             "temperature is varied. Multiplied by $T$, the norm has the same bound at every "
             "temperature.") +
         norms + steps;
}

}  // namespace attn::report
