#include "gpt2_check/experiments/distance_statements.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "reports/judge/statements.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

using report::AbstractPoint;
using report::PaperStatement;
using Heads = std::vector<HeadMeasures>;

PaperStatement not_measured(std::string_view id, std::string why) {
  return {.id = std::string(id), .why_not = std::move(why)};
}

PaperStatement measured_statement(std::string_view id, const MeanInterval& interval,
                                  std::size_t samples, std::vector<AbstractPoint> points,
                                  std::vector<double> by_head, std::optional<double> largest) {
  return {.id = std::string(id),
          .estimate = interval.mean,
          .low = interval.low,
          .high = interval.high,
          .confidence = kConfidence,
          .samples = samples,
          .agrees = report::agreement(id, {.low = interval.low, .high = interval.high}, largest),
          .points = std::move(points),
          .by_head = std::move(by_head)};
}

double log_of(double value) {
  return value > 0 ? reproducible::log(value) : kNoNumber;
}

namespace {

/// A number of each head and row, in means: of the heads of which every row has a finite one.
struct RowTable {
  std::vector<double> by_head{};  ///< NaN for the others
  std::vector<double> kept{};     ///< by_head without those
  std::vector<double> by_row{};   ///< over the kept ones

  [[nodiscard]] bool has_interval() const { return kept.size() >= 2; }
  [[nodiscard]] MeanInterval interval() const { return two_way_interval(kept, by_row); }
};

/// `value`: of a head and a row, counted from the last one back.
RowTable row_table(const Heads& heads, std::size_t rows,
                   const std::function<double(const HeadMeasures&, std::size_t)>& value) {
  RowTable table;
  table.by_row.assign(rows, 0);
  for (const HeadMeasures& head : heads) {
    std::vector<double> values;
    for (std::size_t r = 0; r < rows; ++r) values.push_back(value(head, r));
    const bool is_finite =
        std::ranges::all_of(values, [](double each) { return std::isfinite(each); });
    table.by_head.push_back(kNoNumber);
    if (!is_finite) continue;
    table.by_head.back() =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(rows);
    table.kept.push_back(table.by_head.back());
    for (std::size_t r = 0; r < rows; ++r) table.by_row[r] += values[r];
  }
  for (double& sum : table.by_row) sum /= static_cast<double>(table.kept.size());
  return table;
}

/// The lengths at which distances are compared: those of the paper's range, or where fewer than two
/// reach it all that N = L/4 makes sense of.
struct ComparedLengths {
  std::size_t first{}, end{};  ///< places of the lengths
  std::size_t rows{};          ///< last rows that all of them have, in every head
};

std::optional<ComparedLengths> range_of(const Heads& heads,
                                        const std::vector<std::int64_t>& lengths) {
  constexpr double kLeast = 4;  // N = L/4 >= 1
  for (const double least : {report::kShortestOfPaper, kLeast}) {
    for (std::size_t l = 0; l + 1 < lengths.size(); ++l) {
      if (static_cast<double>(lengths[l]) < least) continue;
      ComparedLengths range{
          .first = l, .end = lengths.size(), .rows = std::numeric_limits<std::size_t>::max()};
      for (const HeadMeasures& head : heads) {
        for (std::size_t k = l; k < range.end; ++k) {
          range.rows =
              std::min(range.rows, k < head.last_rows.size() ? head.last_rows[k].size() : 0);
        }
      }
      return range.rows > 0 ? std::optional(range) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// The slope of ln D on ln L in a head, over the r-th last row of each length.
double slope_of_row(const HeadMeasures& head, const ComparedLengths& range, std::size_t r,
                    double LastRow::*distance) {
  std::vector<double> x, y;
  for (std::size_t l = range.first; l < range.end; ++l) {
    const LastRow& row = head.last_rows[l][r];
    x.push_back(log_of(row.tokens));
    y.push_back(log_of(row.*distance));
  }
  return slope_of(x, y);
}

std::string too_few_lengths(const std::vector<std::int64_t>& lengths) {
  return lengths.empty() ? "no row of it sees the first tokens alone, with their values"
                         : "all of its rows that can be compared have one length";
}

/// D at one length, with its interval, and E where it is asked for.
AbstractPoint distance_point(const Heads& heads, std::size_t l, std::size_t rows,
                             double LastRow::*distance, double LastRow::*expected) {
  const auto table_of = [&](double LastRow::*of) {
    return row_table(heads, rows, [&](const HeadMeasures& head, std::size_t r) {
      return head.last_rows[l][r].*of;
    });
  };
  const RowTable table = table_of(distance);
  AbstractPoint point{.by_head = table.by_head};
  if (!table.has_interval()) return point;
  const MeanInterval at = table.interval();
  point.distance = at.mean;
  point.low = at.low;
  point.high = at.high;
  if (expected != nullptr) {
    const RowTable of_random = table_of(expected);
    if (of_random.has_interval()) point.expected = of_random.interval().mean;
  }
  return point;
}

}  // namespace

PaperStatement growth_statement(const Heads& heads, const std::vector<std::int64_t>& lengths) {
  const auto range = range_of(heads, lengths);
  if (!range) return not_measured(report::kGrowthStatement, too_few_lengths(lengths));
  const RowTable slopes = row_table(heads, range->rows, [&](const auto& head, std::size_t r) {
    return slope_of_row(head, *range, r, &LastRow::few);
  });
  if (!slopes.has_interval()) {
    return not_measured(report::kGrowthStatement, "fewer than two heads have a distance above 0");
  }
  std::vector<AbstractPoint> points;
  for (std::size_t l = range->first; l < range->end; ++l) {
    AbstractPoint point = distance_point(heads, l, range->rows, &LastRow::few, nullptr);
    point.length = static_cast<double>(lengths[l]);
    point.n = static_cast<double>(heads.front().few);
    points.push_back(std::move(point));
  }
  PaperStatement entry = measured_statement(report::kGrowthStatement, slopes.interval(),
                                            slopes.kept.size(), std::move(points), slopes.by_head);
  entry.by_row = slopes.by_row;
  return entry;
}

PaperStatement distance_statement(const Heads& heads, const std::vector<std::int64_t>& lengths) {
  const auto range = range_of(heads, lengths);
  if (!range) return not_measured(report::kDistanceStatement, too_few_lengths(lengths));
  const RowTable logs = row_table(heads, range->rows, [&](const auto& head, std::size_t r) {
    return log_of(head.last_rows[range->end - 1][r].quarter) -
           log_of(head.last_rows[range->first][r].quarter);
  });
  const RowTable slopes = row_table(heads, range->rows, [&](const auto& head, std::size_t r) {
    return slope_of_row(head, *range, r, &LastRow::quarter);
  });
  if (!logs.has_interval() || !slopes.has_interval()) {
    return not_measured(report::kDistanceStatement, "fewer than two heads have a distance above 0");
  }
  std::vector<AbstractPoint> points;
  for (std::size_t l = range->first; l < range->end; ++l) {
    AbstractPoint point =
        distance_point(heads, l, range->rows, &LastRow::quarter, &LastRow::expected_quarter);
    point.length = static_cast<double>(lengths[l]);
    point.n = static_cast<double>(lengths[l] / 4);
    points.push_back(std::move(point));
  }
  const MeanInterval log_ratio = logs.interval(), slope = slopes.interval();
  const MeanInterval ratio{.mean = reproducible::exp(log_ratio.mean),
                           .low = reproducible::exp(log_ratio.low),
                           .high = reproducible::exp(log_ratio.high)};
  PaperStatement entry = measured_statement(report::kDistanceStatement, ratio, logs.kept.size(),
                                            std::move(points), logs.by_head);
  entry.slope = {.estimate = slope.mean, .low = slope.low, .high = slope.high};
  entry.slope_by_head = slopes.by_head;
  entry.by_row = logs.by_row;
  return entry;
}

}  // namespace attn::gpt2
