#include <fmt/format.h>

#include <algorithm>

#include "reports/judge/statements.hpp"
#include "reports/pages/figure_parts.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// `with_full`: also the sum in full, which the paper's figure against L has in place of E.
LineChart distance_chart(const std::vector<DistancePoint>& points, double DistancePoint::*x,
                         const std::string& x_label, bool with_full) {
  LineChart chart{.label = "Distance D and its bounds, against " + x_label,
                  .x_label = x_label,
                  .y_label = "distance, mean over heads (in the model's own scale)",
                  .y_spacing = Spacing::logarithmic};
  using P = DistancePoint;
  chart.series = {line_of({"paper's bound", "ink dashed", {}}, points, x, &P::bound),
                  line_of({"E, random N", "hue-2", Mark::diamond}, points, x, &P::expected),
                  line_of({"lower bound of E", "hue-3 dashed", {}}, points, x, &P::expected_factor),
                  line_of({"D, measured", "hue-1", Mark::circle}, points, x, &P::distance),
                  line_of({"our sharp bound", "hue-4 dotted", {}}, points, x, &P::sharp_bound)};
  if (with_full) {
    chart.series.push_back(
        line_of({"sum in full", "hue-2 dotted", {}}, points, x, &P::expected_full));
  }
  return chart;
}

LineChart expected_share_chart(const std::vector<DistancePoint>& points) {
  LineChart chart{.label = "E over (N+1) max ||x||, against L",
                  .x_label = "visible tokens L",
                  .y_label = "share of (N+1) max ||x||, mean over heads",
                  .is_of_shares = true};
  chart.series = {line_of({"E, random N", "hue-2", Mark::diamond}, points, &DistancePoint::length,
                          &DistancePoint::expected_share)};
  return chart;
}

LineChart residual_chart(const std::vector<DistancePoint>& points) {
  LineChart chart{.label = "The residual of Theorem 1 over the main sum, against N",
                  .x_label = "selected tokens N",
                  .y_label = "residual over main sum, mean over heads"};
  chart.series = {line_of({"residual", "hue-3", Mark::square}, points, &DistancePoint::n,
                          &DistancePoint::residual_share)};
  return chart;
}

/// "At $L = 1,024$, $N = 5$ it is 0.86 on average over the heads."; empty where it was not
/// measured.
std::string share_at_last(const std::vector<DistancePoint>& points,
                          MaybeSpread DistancePoint::*share) {
  const std::vector<DistancePoint> all = points_with(points, false);
  if (all.empty() || !(all.back().*share)) return {};
  const DistancePoint& last = all.back();
  return fmt::format(" At $L = {}$, $N = {}$ it is {} on average over the heads.",
                     count_text(last.length), count_text(last.n),
                     short_number((last.*share)->mean));
}

/// "41.1 (95 % interval 38.3 to 44)".
std::string with_interval(double mean, const std::optional<double>& low,
                          const std::optional<double>& high) {
  std::string words = short_number(mean);
  if (low && high) {
    words += fmt::format(" (95 % interval {} to {})", short_number(*low), short_number(*high));
  }
  return words;
}

/// How D goes with L, in words, as far as it can be told.
std::string course_of_distance(const Measurements& measured,
                               const std::vector<DistancePoint>& points) {
  const auto entry = std::ranges::find(measured.abstract, kGrowthStatement, &PaperStatement::id);
  if (entry != measured.abstract.end() && entry->estimate && entry->low && entry->high) {
    return fmt::format(
        " In a head it goes like $L$ to a power, {:.3g} in the mean over the heads ({:.3g} to "
        "{:.3g}); in the line of means heads with a large $D$ weigh more.",
        *entry->estimate, *entry->low, *entry->high);
  }
  const auto differs = [&](const DistancePoint& point) {
    return point.length != points.front().length;
  };
  if (std::ranges::any_of(points, differs)) return {};
  return " There is one length here, so that nothing can be said of how it goes with $L$.";
}

/// Two lines whose ratio is less look like one.
constexpr double kIndistinguishable = 1.02;

/// What the last point with all tokens says.
std::string last_distance(const std::vector<DistancePoint>& points) {
  const std::vector<DistancePoint> all = points_with(points, false);
  if (all.empty() || !all.back().distance || !(all.back().distance->mean > 0)) return {};
  const DistancePoint& last = all.back();
  std::string words =
      fmt::format(" At $L = {}$, $N = {}$, $D$ is {} on average over the heads and their last {}",
                  count_text(last.length), count_text(last.n),
                  with_interval(last.distance->mean, last.low, last.high),
                  last.rows == 1 ? "row" : grouped(last.rows) + " rows");
  if (last.expected) {
    words += fmt::format(", $E$ {}",
                         with_interval(last.expected->mean, last.expected_low, last.expected_high));
  }
  if (last.bound) {
    words += fmt::format("; the paper's bound is {} times as large",
                         short_number(last.bound->mean / last.distance->mean));
  }
  if (last.sharp_bound) {
    const double times = last.sharp_bound->mean / last.distance->mean;
    words += fmt::format("; ours {} times{}", ratio_text(times),
                         times < kIndistinguishable ? ", its line hidden under that of $D$" : "");
  }
  return words + ".";
}

}  // namespace

MaybeFigure distance_by_length(const Measurements& measured, const std::string& name,
                               Tokens tokens) {
  const std::vector<DistancePoint>& points = measured.figures.distance_by_length;
  const bool with_full = tokens == Tokens::both;
  std::string caption =
      "The distance $D$ of the other tokens from the $N$ selected ones." +
      course_of_distance(measured, points) +
      " $E$ is the mean of $D$ over all choices of $N$ tokens, sampled; its lower "
      "bound is proved.";
  if (with_full) {
    caption +=
        " The sum in full, without the factor $N/(L-1)$, is neither $E$ nor a bound of it; it "
        "alone grows as the curve of the paper's figure does, so that it is inferred that this was "
        "drawn there.";
  }
  return figure_of(
      measured, points, name, tokens, caption + last_distance(points), [&](const auto& kept) {
        return distance_chart(kept, &DistancePoint::length, "visible tokens L", with_full);
      });
}

MaybeFigure expected_share(const Measurements& measured, const std::string& name) {
  return figure_of(
      measured, measured.figures.distance_by_length, name, Tokens::both,
      "$E$ over $(N+1) max ||x_i||$, which no $E$ exceeds at any length: so it cannot "
      "grow linearly in $L$, as the curve of the paper's Figure 2(a) does. Drawn is $E$ as "
      "sampled, which chance may put above 1 in a single head." +
          share_at_last(measured.figures.distance_by_length, &DistancePoint::expected_share),
      expected_share_chart);
}

MaybeFigure residual_share(const Measurements& measured, const std::string& name) {
  return figure_of(
      measured, measured.figures.distance_by_n, name, Tokens::both,
      "$E$ lies between the main sum, its lower bound, and that plus a residual, the "
      "sum of the $sqrt(V_i)$ of Theorem 1. The paper calls the residual small where "
      "the weights are not too concentrated; drawn is how many times the main sum it "
      "is." +
          share_at_last(measured.figures.distance_by_n, &DistancePoint::residual_share),
      residual_chart);
}

MaybeFigure distance_by_n(const Measurements& measured, const std::string& name) {
  const std::vector<DistancePoint>& points = measured.figures.distance_by_n;
  const std::string caption = "The same against $N$, at the longest $L$.";
  return figure_of(measured, points, name, Tokens::both, caption + last_distance(points),
                   [](const auto& kept) {
                     return distance_chart(kept, &DistancePoint::n, "selected tokens N", false);
                   });
}

}  // namespace attn::report
