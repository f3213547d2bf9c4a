#include "gpt2_check/experiments/last_rows.hpp"

#include <algorithm>

#include "gpt2_check/experiments/expected_distance.hpp"
#include "gpt2_check/experiments/normalizers.hpp"
#include "gpt2_check/heads/arrays.hpp"

namespace attn::gpt2 {

namespace {

/// Whether the query sees the first tokens, two at least, and no others.
bool sees_the_first(const Head& head, std::int64_t row) {
  const std::int64_t tokens = head.tokens(row);
  return tokens >= 2 && head.position(row, tokens - 1) == tokens - 1;
}

}  // namespace

report::MaybeSpread number(double value) {
  return report::Spread{.mean = value};
}

LastRows::LastRows(const Head& head, std::span<const std::int64_t> lengths,
                   std::span<const std::int64_t> rows, std::span<const std::size_t> counts,
                   std::int64_t missing, std::mt19937_64 stream)
    : head_(head),
      lengths_(lengths),
      rows_(rows),
      counts_(counts),
      missing_(missing),
      stream_(stream),
      measured_(lengths.size()) {}

void LastRows::add(const RowSelections& row, std::span<const SelectionMeasure> measures) {
  for (std::size_t l = 0; l < lengths_.size(); ++l) {
    const std::int64_t before = head_.row_of(lengths_[l] - missing_) - row.row;
    const bool is_last = before >= 0 && before < (rows_.empty() ? 1 : rows_[l]);
    if (!is_last || !sees_the_first(head_, row.row)) continue;
    measured_[l].push_back(measured(*row.weights, measures));
    measured_[l].back().has_weights = head_.has_weights(row.row);
  }
}

LastRows::Measured LastRows::measured(const RowWeights& row,
                                      std::span<const SelectionMeasure> measures) {
  const std::span<const double> weights = row.values();
  const RowDistances of_row(weights, head_.x);
  const std::size_t tokens = weights.size(), quarter = tokens / 4;
  std::vector<std::size_t> counts;
  for (const SelectionMeasure& m : measures) counts.push_back(m.n);
  if (quarter > 0) counts.push_back(quarter);
  std::ranges::sort(counts);
  counts.erase(std::ranges::unique(counts).begin(), counts.end());
  const std::vector<double> expected = of_row.expected(counts, kOrdersOfManyRows, stream_);
  const auto expected_at = [&](std::size_t n) {
    return expected[static_cast<std::size_t>(std::ranges::find(counts, n) - counts.begin())];
  };
  Measured found{.last = {.tokens = static_cast<double>(tokens),
                          .few = kUnknown,
                          .quarter = kUnknown,
                          .expected_quarter = kUnknown}};
  const double longest =
      head_.x.topRows(static_cast<Eigen::Index>(tokens)).rowwise().norm().maxCoeff();
  for (const SelectionMeasure& m : measures) {
    const double lower =
        of_row.sum_about_others(m.n, static_cast<double>(m.n) / static_cast<double>(tokens - 1));
    found.by_count.push_back({.n = m.n,
                              .distance = m.distance,
                              .expected = expected_at(m.n),
                              .factor = lower,
                              .full = of_row.sum_about_others(m.n, 1),
                              .bound = m.bound,
                              .sharp_bound = m.sharp_bound,
                              .share = expected_at(m.n) / (static_cast<double>(m.n + 1) * longest),
                              .residual = of_row.residual(m.n) / lower});
    if (m.n == few()) found.last.few = m.distance;
  }
  if (quarter > 0) {
    found.last.quarter = of_row.distance(largest(weights, quarter));
    found.last.expected_quarter = expected_at(quarter);
  }
  found.held = tokens_holding(row, report::kHeldPercents);
  return found;
}

std::size_t LastRows::few() const {
  constexpr std::size_t kPaper = 5;
  if (counts_.empty()) return 0;
  return std::ranges::count(counts_, kPaper) > 0 ? kPaper : counts_.front();
}

std::vector<LastRow> LastRows::of_length(std::size_t length) const {
  std::vector<LastRow> rows;
  for (const Measured& row : measured_[length]) rows.insert(rows.begin(), row.last);
  return rows;
}

void LastRows::add_held(std::vector<report::HeldPoint>& points, std::size_t length) const {
  const std::vector<Measured>& rows = measured_[length];
  if (rows.empty()) return;
  for (std::size_t k = 0; k < std::size(report::kHeldPercents); ++k) {
    double sum = 0;
    std::uint64_t open = 0;
    for (const Measured& row : rows) {
      const TokensHolding& found = row.held[k];
      sum += row.has_weights ? static_cast<double>(found.certain) : kUnknown;
      open += row.has_weights && found.possible < found.certain ? 1 : 0;
    }
    points.push_back({.length = static_cast<double>(lengths_[length]),
                      .held = report::kHeldPercents[k] / 100.0,
                      .without_first = missing_ > 0,
                      .rows = rows.size(),
                      .tokens = number(sum / static_cast<double>(rows.size())),
                      .open_rows = open});
  }
}

void LastRows::add_point(std::vector<report::DistancePoint>& points, std::size_t length,
                         std::size_t n) const {
  std::vector<Numbers> rows;  // from the last one back
  for (const Measured& row : measured_[length]) {
    const auto at = std::ranges::find(row.by_count, n, &Numbers::n);
    if (at == row.by_count.end()) return;
    rows.insert(rows.begin(), *at);
  }
  if (rows.empty()) return;
  const auto mean_of = [&](double Numbers::*of) {
    double sum = 0;
    for (const Numbers& row : rows) sum += row.*of;
    return number(sum / static_cast<double>(rows.size()));
  };
  report::DistancePoint& point =
      points.emplace_back(report::DistancePoint{.length = static_cast<double>(lengths_[length]),
                                                .n = static_cast<double>(n),
                                                .without_first = missing_ > 0,
                                                .rows = rows.size(),
                                                .distance = mean_of(&Numbers::distance),
                                                .expected = mean_of(&Numbers::expected),
                                                .draws = kOrdersOfManyRows * kRotations,
                                                .expected_factor = mean_of(&Numbers::factor),
                                                .expected_full = mean_of(&Numbers::full),
                                                .expected_share = mean_of(&Numbers::share),
                                                .residual_share = mean_of(&Numbers::residual),
                                                .bound = mean_of(&Numbers::bound),
                                                .sharp_bound = mean_of(&Numbers::sharp_bound)});
  for (const Numbers& row : rows) {
    point.by_row.push_back(row.distance);
    point.expected_by_row.push_back(row.expected);
  }
}

}  // namespace attn::gpt2
