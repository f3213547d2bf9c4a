#include "gpt2_check/experiments/abstract.hpp"

#include <cmath>
#include <optional>

#include "gpt2_check/experiments/summary.hpp"

namespace attn::gpt2 {
namespace {

using report::AbstractEntry;
using report::AbstractPoint;
using Heads = std::vector<HeadMeasures>;

constexpr double kConfidence = 0.95;

/// The largest value; NaN where there is one.
double largest_of(const std::vector<double>& values) {
  double most = values.front();
  for (const double value : values) most = value <= most || std::isnan(most) ? most : value;
  return most;
}

AbstractEntry statement(std::string_view id, const MeanInterval& interval, std::size_t samples,
                        bool agrees, std::vector<AbstractPoint> points) {
  return {.id = std::string(id),
          .estimate = interval.mean,
          .low = interval.low,
          .high = interval.high,
          .confidence = kConfidence,
          .samples = samples,
          .agrees = agrees,
          .points = std::move(points)};
}

/// D of one head at a length, for N = L/4.
double distance_at_quarter(const HeadMeasures& head, std::size_t length) {
  const LengthMeasures& at = head.full.lengths[length];
  return at.sweep.distance[static_cast<std::size_t>(at.length) / 4 - 1];
}

/// "the distance falls as N grows with L": D at N = L/4, from the shortest to the longest length.
std::optional<AbstractEntry> distance_statement(const Heads& heads) {
  const auto& lengths = heads.front().full.lengths;
  constexpr std::int64_t kLeast = 4;  // N = L/4 >= 1
  std::size_t first = 0;
  while (first < lengths.size() && lengths[first].length < kLeast) ++first;
  if (first + 1 >= lengths.size()) return std::nullopt;

  std::vector<AbstractPoint> points;
  for (std::size_t l = first; l < lengths.size(); ++l) {
    std::vector<double> values;
    for (const HeadMeasures& head : heads) values.push_back(distance_at_quarter(head, l));
    const MeanInterval at = mean_interval(values, kConfidence);
    points.push_back({.length = static_cast<double>(lengths[l].length),
                      .n = static_cast<double>(lengths[l].length / 4),
                      .distance = at.mean,
                      .low = at.low,
                      .high = at.high});
  }
  std::vector<double> logs;
  for (const HeadMeasures& head : heads) {
    const double ratio =
        distance_at_quarter(head, lengths.size() - 1) / distance_at_quarter(head, first);
    if (ratio > 0 && std::isfinite(ratio)) logs.push_back(std::log(ratio));
  }
  if (logs.size() < 2) return std::nullopt;
  const MeanInterval log_ratio = mean_interval(logs, kConfidence);
  const MeanInterval ratio{.mean = std::exp(log_ratio.mean),
                           .low = std::exp(log_ratio.low),
                           .high = std::exp(log_ratio.high)};
  return statement(report::kDistanceStatement, ratio, logs.size(), ratio.high < 1,
                   std::move(points));
}

/// "N_s/N settles between 0.70 and 0.85 beyond N = 16": means over all rows of each head.
std::optional<AbstractEntry> share_statement(const Heads& heads) {
  constexpr std::size_t kBeyond = 16;
  constexpr double kLow = 0.70;
  constexpr double kHigh = 0.85;
  std::vector<AbstractPoint> points;
  std::vector<double> shares(heads.size(), 0.0);
  double counted = 0;
  for (std::size_t c = 0; c < heads.front().full.means.size(); ++c) {
    const SelectionMeans& first = heads.front().full.means[c];
    if (first.rows == 0) continue;
    std::vector<double> values;
    std::vector<double> random;
    for (const HeadMeasures& head : heads) {
      values.push_back(head.full.means[c].share);
      random.push_back(head.full.means[c].random_share);
    }
    const MeanInterval at = mean_interval(values, kConfidence);
    points.push_back({.n = static_cast<double>(first.n),
                      .share = at.mean,
                      .low = at.low,
                      .high = at.high,
                      .random_share = mean_interval(random, kConfidence).mean});
    if (first.n <= kBeyond) continue;
    ++counted;
    for (std::size_t h = 0; h < heads.size(); ++h) shares[h] += values[h];
  }
  if (counted == 0) return std::nullopt;
  for (double& share : shares) share /= counted;
  const MeanInterval share = mean_interval(shares, kConfidence);
  const bool agrees = share.low >= kLow && share.high <= kHigh;
  return statement(report::kShareStatement, share, heads.size(), agrees, std::move(points));
}

/// "T ||J|| is 1/4 at small T": the largest over the rows of a head, for T < 0.1.
std::optional<AbstractEntry> gradient_statement(const Heads& heads) {
  constexpr double kSmall = 0.1;
  constexpr double kPrinted = 0.25;
  std::vector<AbstractPoint> points;
  std::vector<double> largest(heads.size(), 0.0);
  for (std::size_t t = 0; t < heads.front().full.gradient.size(); ++t) {
    const double temperature = heads.front().full.gradient[t].temperature;
    if (!(temperature < kSmall)) continue;
    std::vector<double> values;
    std::size_t rows = 0;
    std::size_t above = 0;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const TemperatureGradients& g = heads[h].full.gradient[t];
      values.push_back(g.largest_t_norm);
      if (!(g.largest_t_norm <= largest[h])) largest[h] = g.largest_t_norm;  // NaN stays
      rows += g.rows;
      above += g.rows_above_printed_bound;
    }
    points.push_back({.temperature = temperature,
                      .largest = largest_of(values),
                      .mean_of_largest = mean_interval(values, kConfidence).mean,
                      .rows = rows,
                      .rows_above_printed_bound = above});
  }
  if (points.empty()) return std::nullopt;
  const MeanInterval mean = mean_interval(largest, kConfidence);
  const bool agrees = largest_of(largest) <= kPrinted;
  return statement(report::kGradientStatement, mean, heads.size(), agrees, std::move(points));
}

}  // namespace

std::vector<AbstractEntry> abstract_statements(const Heads& heads) {
  std::vector<AbstractEntry> all;
  if (heads.size() < 2) return all;
  for (const auto& statement :
       {distance_statement(heads), share_statement(heads), gradient_statement(heads)}) {
    if (statement) all.push_back(*statement);
  }
  return all;
}

}  // namespace attn::gpt2
