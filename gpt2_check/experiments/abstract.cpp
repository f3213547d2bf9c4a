#include "gpt2_check/experiments/abstract.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "gpt2_check/experiments/summary.hpp"
#include "reports/judge/statements.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

using report::AbstractPoint;
using report::PaperStatement;
using Heads = std::vector<HeadMeasures>;

constexpr double kConfidence = 0.95;

/// The largest value; NaN where there is one.
double largest_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), values.front(), larger);
}

/// `by_head`: what the estimate is of. `largest`: as report::agreement has it.
PaperStatement statement(std::string_view id, const MeanInterval& interval, std::size_t samples,
                         std::vector<AbstractPoint> points, std::vector<double> by_head,
                         std::optional<double> largest = {}) {
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

std::size_t quarter(const LengthMeasures& at) {
  return static_cast<std::size_t>(at.length) / 4;
}

/// D of one head at a length, for N = L/4.
double distance_at_quarter(const HeadMeasures& head, std::size_t length) {
  const LengthMeasures& at = head.full.lengths[length];
  return at.sweep.distance[quarter(at) - 1];
}

/// What D is at least for a random set of as many tokens, on average.
double expected_at_quarter(const HeadMeasures& head, std::size_t length) {
  const LengthMeasures& at = head.full.lengths[length];
  return at.sweep.expected_factor[quarter(at) - 1];
}

/// The first of at least two lengths that are no shorter than `least`.
std::optional<std::size_t> first_of_two(const std::vector<LengthMeasures>& lengths, double least) {
  for (std::size_t l = 0; l + 1 < lengths.size(); ++l) {
    if (static_cast<double>(lengths[l].length) >= least) return l;
  }
  return std::nullopt;
}

/// "the distance falls as N grows with L": D at N = L/4, from the shortest to the longest length of
/// the paper's range, or of all where the input is too short for that.
std::optional<PaperStatement> distance_statement(const Heads& heads) {
  const auto& lengths = heads.front().full.lengths;
  constexpr double kLeast = 4;  // N = L/4 >= 1
  const auto in_range = first_of_two(lengths, report::kShortestOfPaper);
  const auto begin = in_range ? in_range : first_of_two(lengths, kLeast);
  if (!begin) return std::nullopt;
  const std::size_t first = *begin;

  std::vector<AbstractPoint> points;
  for (std::size_t l = first; l < lengths.size(); ++l) {
    std::vector<double> values;
    std::vector<double> expected;
    for (const HeadMeasures& head : heads) {
      values.push_back(distance_at_quarter(head, l));
      expected.push_back(expected_at_quarter(head, l));
    }
    const MeanInterval at = mean_interval(values, kConfidence);
    const auto quarter = lengths[l].length / 4;
    points.push_back({.length = static_cast<double>(lengths[l].length),
                      .n = static_cast<double>(quarter),
                      .distance = at.mean,
                      .expected = mean_interval(expected, kConfidence).mean,
                      .low = at.low,
                      .high = at.high,
                      .by_head = values});
  }
  std::vector<double> logs;
  std::vector<double> by_head;
  for (const HeadMeasures& head : heads) {
    const double ratio =
        distance_at_quarter(head, lengths.size() - 1) / distance_at_quarter(head, first);
    const bool has_log = ratio > 0 && std::isfinite(ratio);
    if (has_log) logs.push_back(reproducible::log(ratio));
    by_head.push_back(has_log ? reproducible::log(ratio)
                              : std::numeric_limits<double>::quiet_NaN());
  }
  if (logs.size() < 2) return std::nullopt;
  const MeanInterval log_ratio = mean_interval(logs, kConfidence);
  const MeanInterval ratio{.mean = reproducible::exp(log_ratio.mean),
                           .low = reproducible::exp(log_ratio.low),
                           .high = reproducible::exp(log_ratio.high)};
  return statement(report::kDistanceStatement, ratio, logs.size(), std::move(points),
                   std::move(by_head));
}

/// "N_s/N settles between 0.70 and 0.85 beyond N = 16": means over all rows of each head.
std::optional<PaperStatement> share_statement(const Heads& heads) {
  constexpr std::size_t kBeyond = 16;
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
                      .random_share = mean_interval(random, kConfidence).mean,
                      .by_head = values});
    if (first.n <= kBeyond) continue;
    ++counted;
    for (std::size_t h = 0; h < heads.size(); ++h) shares[h] += values[h];
  }
  if (counted == 0) return std::nullopt;
  for (double& share : shares) share /= counted;
  const MeanInterval share = mean_interval(shares, kConfidence);
  return statement(report::kShareStatement, share, heads.size(), std::move(points),
                   std::move(shares));
}

/// "T ||J|| is 1/4 at small T": the largest over the rows of a head, for T < 0.1.
std::optional<PaperStatement> gradient_statement(const Heads& heads) {
  constexpr double kSmall = 0.1;
  std::vector<AbstractPoint> points;
  const auto has_rows = [](const HeadMeasures& head) {  // with logits
    const auto& gradient = head.full.gradient;
    return !gradient.empty() && gradient.front().rows > 0;
  };
  std::vector<const HeadMeasures*> with_rows;
  for (const HeadMeasures& head : heads) {
    if (has_rows(head)) with_rows.push_back(&head);
  }
  if (with_rows.size() < 2) return std::nullopt;
  std::vector<double> largest(with_rows.size(), 0.0);
  for (std::size_t t = 0; t < heads.front().full.gradient.size(); ++t) {
    const double temperature = heads.front().full.gradient[t].temperature;
    if (!(temperature < kSmall)) continue;
    std::vector<double> values;
    std::size_t rows = 0;
    std::size_t above = 0;
    for (std::size_t h = 0; h < with_rows.size(); ++h) {
      const TemperatureGradients& g = with_rows[h]->full.gradient[t];
      values.push_back(g.largest_t_norm);
      largest[h] = larger(largest[h], g.largest_t_norm);
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
  const double most = largest_of(largest);
  std::vector<double> by_head;
  auto next = largest.begin();
  for (const HeadMeasures& head : heads) {
    by_head.push_back(has_rows(head) ? *next++ : std::numeric_limits<double>::quiet_NaN());
  }
  return statement(report::kGradientStatement, mean, with_rows.size(), std::move(points),
                   std::move(by_head), most);
}

}  // namespace

bool is_papers_model(std::string_view name, std::int64_t layers, std::int64_t heads,
                     std::int64_t head_width) {
  name = name.substr(0, name.find(" ("));
  while (name.ends_with('/')) name.remove_suffix(1);
  name = name.substr(name.rfind('/') + 1);  // the whole where there is no folder
  const bool is_as_wide = head_width == 64 || head_width == 0;
  return name == "gpt2" && layers == 12 && heads == 12 && is_as_wide;
}

std::vector<PaperStatement> abstract_statements(const Heads& heads, bool judged) {
  std::vector<PaperStatement> all;
  if (heads.size() < 2) return all;
  for (const auto& statement :
       {distance_statement(heads), share_statement(heads), gradient_statement(heads)}) {
    if (statement) all.push_back(*statement);
  }
  for (PaperStatement& entry : all) {
    entry.judged = judged && !report::is_too_short(entry);
    if (!entry.judged) entry.agrees = std::nullopt;
  }
  return all;
}

}  // namespace attn::gpt2
