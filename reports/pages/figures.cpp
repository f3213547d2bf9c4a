#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "reports/pages/figure_parts.hpp"
#include "reports/record/walk.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

constexpr double kPaperLow = 0.70, kPaperHigh = 0.85;  // of N_s/N
constexpr double kTrueGradient = 0.5;                  // the proved bound on T ||J||

// Separability

LineChart separability_chart(const std::vector<SeparabilityPoint>& points) {
  LineChart chart{.label = "Share of distinguishable tokens against N, with bounds",
                  .x_label = "selected tokens N",
                  .y_label = "share of the selected tokens that are distinguishable",
                  .is_of_shares = true,
                  .region = plot::Region{"paper's range", kPaperLow, kPaperHigh}};
  using P = SeparabilityPoint;
  constexpr auto kN = &P::n;
  chart.series = {
      line_of({"upper, if random", "hue-4 dashed", {}}, points, kN, &P::upper_bound),
      line_of({"lower, if random", "hue-3 dotted", {}}, points, kN, &P::lower_bound_sharp),
      line_of({"paper's lower", "ink dashed", {}}, points, kN, &P::lower_bound),
      line_of({"N at random", "hue-2", Mark::diamond}, points, kN, &P::random_share),
      line_of({"N largest weights", "hue-1", Mark::circle}, points, kN, &P::share)};
  return chart;
}

/// Whether the share falls as N grows, and stays above that of random sets, as the means have it.
std::string course_of_share(const std::vector<SeparabilityPoint>& points) {
  std::vector<SeparabilityPoint> all = points_with(points, false);
  std::erase_if(all, [](const SeparabilityPoint& point) { return !point.share; });
  if (all.size() < 2) return {};
  std::size_t falls = 0, above = 0, compared = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    falls += i > 0 && all[i].share->mean <= all[i - 1].share->mean ? 1 : 0;
    // A token alone is distinguishable whatever it is.
    if (!all[i].random_share || all[i].n == 1) continue;
    ++compared;
    above += all[i].share->mean > all[i].random_share->mean ? 1 : 0;
  }
  std::string words = fmt::format(
      " From $N = {}$ to $N = {}$ it {}", count_text(all.front().n), count_text(all.back().n),
      falls + 1 == all.size() ? "falls at every step"
      : falls == 0            ? "rises at every step"
                              : fmt::format("falls in {} of {} steps", falls, all.size() - 1));
  if (compared > 0) {
    words += fmt::format(", and is above that of random sets at {} of the {} values of $N$ above 1",
                         above, compared);
  }
  return words + ".";
}

std::string last_share(const std::vector<SeparabilityPoint>& points) {
  const std::vector<SeparabilityPoint> all = points_with(points, false);
  if (all.empty() || !all.back().share) return {};
  const SeparabilityPoint& last = all.back();
  std::string words = fmt::format(" At $N = {}$, {} of the selected tokens are distinguishable",
                                  count_text(last.n), percent(last.share->mean));
  if (last.random_share) {
    words += fmt::format(", of tokens chosen at random {}", percent(last.random_share->mean));
  }
  return words + "; the paper has 70 to 85 %.";
}

// Gradient

LineChart gradient_chart(const std::vector<GradientPoint>& points) {
  LineChart chart{.label = "T ||J|| against T, with the printed and the proved bound",
                  .x_label = "temperature T",
                  .y_label = "T ||J|| (no unit)"};
  using P = GradientPoint;
  constexpr auto kT = &P::temperature;
  chart.series = {
      line_of({"largest of all rows", "hue-2", Mark::diamond}, points, kT, &P::largest_t_norm),
      line_of({"heads' largest, mean", "hue-3", Mark::square}, points, kT, &P::t_norm),
      line_of({"mean of all rows", "hue-1", Mark::circle}, points, kT, &P::mean_t_norm)};
  if (!plot::has_points(chart)) return chart;
  chart.series.insert(chart.series.end(),
                      {line_of({"our bound, 1/2", "hue-4 dotted", {}}, points, kT,
                               [](const P&) { return kTrueGradient; }),
                       line_of({"paper's bound", "ink dashed", {}}, points, kT, [](const P& p) {
                         return std::min(0.25, std::numbers::sqrt2 * p.temperature);
                       })});
  return chart;
}

/// The share of the rows in which the printed bound fails.
double failing_share(const GradientPoint& point) {
  return static_cast<double>(point.rows_above_printed_bound.value_or(0)) /
         static_cast<double>(*point.rows);
}

/// How often the printed bound fails, and that the proved one does not, in words: of all tokens, or
/// where there are no such points of the others.
std::string gradient_verdict(const std::vector<GradientPoint>& all,
                             const std::vector<double>& own_temperatures) {
  std::vector<GradientPoint> points = points_with(all, false);
  if (points.empty()) points = all;
  std::erase_if(points, [](const GradientPoint& point) { return point.rows.value_or(0) == 0; });
  if (points.empty()) return {};
  const auto [least, most] = std::ranges::minmax_element(points, {}, failing_share);
  const auto at = [](const GradientPoint& point, std::string_view which) {
    return fmt::format(" {} at {}$T = {}$", percent(failing_share(point)), which,
                       rounded(point.temperature));
  };
  std::string where;
  const auto own = std::ranges::find_if(points, [&](const GradientPoint& point) {
    return own_temperatures.size() == 1 && point.temperature == own_temperatures.front();
  });
  if (own != points.end()) where += at(*own, "the model's own ") + ",";
  where += at(*most, "") + ", where most do";
  if (failing_share(*least) < failing_share(*most)) {
    where += ", and" + at(*least, "") + ", where fewest do";
  }
  GradientPoint joined;
  for (const GradientPoint& point : points) join(joined, point, 1);
  const double largest = joined.largest_t_norm.value_or(0);
  return fmt::format(
      " Of the rows it fails in{}. The largest $T ||J||$ is {}, {} the proved $1/2$.", where,
      ratio_text(largest), largest <= kTrueGradient ? "not above" : "above");
}

// Steps

using DirectionName = std::pair<Direction, const char*>;
constexpr DirectionName kDirections[] = {{Direction::random, "random signs"},
                                         {Direction::top, "between the two largest logits"}};

std::optional<double> of_step(const GradientPoint& point, Direction direction, double epsilon,
                              std::optional<double> StepPoint::*value) {
  for (const StepPoint& step : point.steps) {
    if (step.epsilon == epsilon && step.direction == direction) return step.*value;
  }
  return std::nullopt;
}

LineChart step_chart(const std::vector<GradientPoint>& points, const DirectionName& direction) {
  LineChart chart{
      .label = fmt::format("Largest g against T, steps in the direction of {}", direction.second),
      .x_label = "temperature T",
      .y_label = "largest g (weights per logit)",
      .y_spacing = Spacing::logarithmic};
  std::set<double> epsilons;
  for (const GradientPoint& point : points) {
    for (const StepPoint& step : point.steps) epsilons.insert(step.epsilon);
  }
  if (epsilons.empty()) return chart;
  constexpr const char* kHues[] = {"hue-1", "hue-2", "hue-3", "hue-4"};
  constexpr Mark kMarks[] = {Mark::circle, Mark::diamond, Mark::square, Mark::triangle};
  const auto add = [&](const std::string& name, const std::string& css_class,
                       std::optional<Mark> mark, double epsilon,
                       std::optional<double> StepPoint::*value) {
    chart.series.push_back(line_of(
        {name, css_class, mark}, points, &GradientPoint::temperature,
        [&](const GradientPoint& p) { return of_step(p, direction.first, epsilon, value); }));
  };
  add("paper's bound", "ink dashed", {}, *epsilons.begin(), &StepPoint::printed_bound);
  std::size_t i = 0;
  for (const double epsilon : epsilons) {
    const std::string step = rounded(epsilon, 2), hue = kHues[i % 4];
    add(fmt::format("our bound, {}", step), hue + " dotted", {}, epsilon, &StepPoint::true_bound);
    add(fmt::format("step {}", step), hue, kMarks[i % 4], epsilon, &StepPoint::largest);
    ++i;
  }
  return chart;
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
  return fmt::format(" Of {} such values {} exceed the paper's bound and {} ours.", all,
                     above_printed, above_true == 0 ? "none" : fmt::format("{}", above_true));
}

// What is held

LineChart held_chart(const std::vector<HeldPoint>& points) {
  LineChart chart{.label = "Least number of tokens that hold most of the weight, against L",
                  .x_label = "visible tokens L",
                  .y_label = "tokens, mean over heads",
                  .y_spacing = Spacing::logarithmic};
  constexpr std::pair<const char*, Mark> kLooks[] = {
      {"hue-1", Mark::circle}, {"hue-2", Mark::diamond}, {"hue-3", Mark::square}};
  static_assert(std::size(kLooks) == std::size(kHeldPercents));
  for (std::size_t k = 0; k < std::size(kLooks); ++k) {
    std::vector<HeldPoint> of_share = points;
    std::erase_if(of_share, [&](const HeldPoint& p) { return p.held != kHeldPercents[k] / 100.0; });
    chart.series.push_back(
        line_of({fmt::format("{} %", kHeldPercents[k]), kLooks[k].first, kLooks[k].second},
                of_share, &HeldPoint::length, &HeldPoint::tokens));
  }
  return chart;
}

/// "3.1, 85, 310": a number of the spread of each share at the longest L.
std::string held_numbers(const std::vector<HeldPoint>& points, double Spread::*which) {
  std::vector<std::string> numbers;
  for (const HeldPoint& point : points) {
    if (point.length == points.back().length) {
      numbers.push_back(short_number((*point.tokens).*which));
    }
  }
  return fmt::format("{}", fmt::join(numbers, ", "));
}

/// What stands at the longest L, and in how many cases rounding leaves it open.
std::string held_words(const std::vector<HeldPoint>& points, std::string_view first) {
  const std::vector<HeldPoint> all = points_with(points, false), rest = points_with(points, true);
  std::string words;
  if (!all.empty()) {
    words += fmt::format(
        " At $L = {}$ these are {} on average over the heads and their last {} rows, {} in the "
        "median head.",
        count_text(all.back().length), held_numbers(all, &Spread::mean), all.back().rows,
        held_numbers(all, &Spread::median));
  }
  if (!rest.empty()) {
    words += fmt::format(" Of the weight without the {} it takes {} on average.", first,
                         held_numbers(rest, &Spread::mean));
  }
  std::uint64_t open = 0;
  for (const HeldPoint& point : points) open += point.open_rows;
  if (open > 0) {
    words += fmt::format(" In {} cases rounding does not exclude fewer.", grouped(open));
  }
  return words;
}

}  // namespace

std::string_view first_token(const Measurements& measured) {
  return measured.learned_sink.value_or(false) ? "learned sink" : "first token";
}

std::string tokens_words(bool without_first, const Measurements& measured) {
  return without_first ? fmt::format("without the {}", first_token(measured)) : "all tokens";
}

MaybeFigure separability_figure(const Measurements& measured, const std::string& name,
                                Tokens tokens) {
  const std::vector<SeparabilityPoint>& points = measured.figures.separability;
  const std::string caption =
      "The share $N_s/N$ of the $N$ largest weights, on the last row alone." +
      course_of_share(points) +
      " The bounds are of vectors drawn at random, which these are not: a share beyond them "
      "contradicts nothing. Bounds outside 0 to 1 say nothing and are not drawn.";
  return figure_of(measured, points, name, tokens, caption + last_share(points),
                   separability_chart);
}

MaybeFigure gradient_figure(const Measurements& measured, const std::string& name, Tokens tokens) {
  const std::vector<GradientPoint>& points = measured.figures.gradient;
  const std::string caption =
      "Above the dashed line the paper's bound on the gradient, $min{1/(4T), sqrt 2}$, here times "
      "$T$, fails.";
  return figure_of(measured, points, name, tokens,
                   caption + gradient_verdict(points, measured.own_temperatures), gradient_chart);
}

MaybeFigure step_figure(const Measurements& measured, const std::string& name) {
  const std::vector<GradientPoint>& points = measured.figures.gradient;
  Figure figure{.name = name, .rows = unfolded(csv_rows(points), "step")};
  for (const bool without_first : {false, true}) {
    for (const DirectionName& direction : kDirections) {
      const LineChart chart = step_chart(points_with(points, without_first), direction);
      if (!plot::has_points(chart)) continue;
      figure.panels.push_back(
          {fmt::format("{}, {}", direction.second, tokens_words(without_first, measured)),
           plot::draw(chart)});
    }
  }
  if (figure.panels.empty()) return std::nullopt;
  figure.caption =
      "The largest $g$ over heads and rows, for steps of several lengths. The paper's bound is "
      "$min{1/(4T), sqrt 2}$, ours $(sqrt(2)/step) tanh(step/(2 sqrt(2) T))$." +
      step_verdict(points);
  return figure;
}

MaybeFigure held_figure(const Measurements& measured, const std::string& name) {
  std::vector<HeldPoint> points = measured.figures.held;
  std::erase_if(points, [](const HeldPoint& point) { return !point.tokens; });
  if (points.empty()) return std::nullopt;
  return figure_of(measured, points, name, Tokens::all,
                   "The least number of tokens that hold 50, 90 and 99 % of a row's weight." +
                       held_words(points, first_token(measured)),
                   held_chart);
}

MaybeFigure sink_figure(const Measurements& measured, const std::string& name) {
  std::vector<SinkPoint> points = measured.figures.sink;
  std::erase_if(points, [](const SinkPoint& point) { return !point.share; });
  if (points.empty()) return std::nullopt;
  constexpr auto kL = &SinkPoint::length;
  const std::string first(first_token(measured));
  LineChart chart{
      .label = fmt::format("Share of the {} against L", first),
      .x_label = "visible tokens L",
      .y_label = "share of the weight",
      .series = {line_of({"even share, 1/L", "ink dashed", {}}, points, kL,
                         [](const SinkPoint& p) { return 1 / p.length; }),
                 line_of({first, "hue-1", Mark::circle}, points, kL, &SinkPoint::share)}};
  if (!plot::has_points(chart)) return std::nullopt;
  const Spread& last = *points.back().share;
  return Figure{
      .name = name,
      .panels = {{"", plot::draw(chart)}},
      .caption = fmt::format("At $L = {}$ the {} takes {} of the weight of the last row on average "
                             "over the heads, {} in the median head.",
                             count_text(points.back().length), first, percent(last.mean),
                             percent(last.median)),
      .rows = csv_rows(measured.figures.sink)};
}

}  // namespace attn::report
