#include "gpt2_check/experiments/head_measures.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "gpt2_check/experiments/expected_distance.hpp"
#include "gpt2_check/experiments/mass.hpp"
#include "gpt2_check/experiments/normalizers.hpp"
#include "theory/attention/jacobian.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/base/random.hpp"

namespace attn::gpt2 {
namespace {

using report::MaybeSpread;

/// The N of the table of normalisers: the largest of the settings up to 20 that
/// the row allows. The paper says that N_s/N settles beyond 16; sparse weights
/// have few tokens more.
std::size_t normalizer_n(const MeasureSettings& settings, std::int64_t tokens) {
  constexpr std::size_t kMost = 20;
  std::size_t n = 1;
  for (const std::size_t count : settings.selection.counts) {
    if (count <= kMost && static_cast<std::int64_t>(count) < tokens) n = std::max(n, count);
  }
  return n;
}

/// The measure of a row without weights: all NaN.
SelectionMeasure unknown(std::size_t n) {
  return {.n = n,
          .distance = kUnknown,
          .bound = kUnknown,
          .sharp_bound = kUnknown,
          .scores = {kUnknown, kUnknown, kUnknown, kUnknown},
          .random_share = kUnknown,
          .random_share_without_first = kUnknown,
          .bounds = {kUnknown, kUnknown, kUnknown}};
}

/// NaN where no row has a gradient.
report::GradientPoint gradient_point(const TemperatureGradients& at, bool without_first) {
  const auto column = [&](double value) { return number(at.rows == 0 ? kUnknown : value); };
  std::vector<report::StepPoint> steps;
  for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
    const auto add = [&](report::Direction direction, double quotient) {
      const ErrorDouble sharp = corollary3_sharp_bound<ErrorDouble>(at.temperature);
      steps.push_back({.epsilon = kStepLengths[k],
                       .direction = direction,
                       .largest = quotient,
                       .largest_by_head = column(quotient),
                       .printed_bound = std::min(1 / (4 * at.temperature), std::numbers::sqrt2),
                       .true_bound = step_bound<ErrorDouble>(sharp, kStepLengths[k]).value()});
    };
    add(report::Direction::random, at.random[k].quotient);
    add(report::Direction::top, at.top[k].quotient);
  }
  return {.temperature = at.temperature,
          .without_first = without_first,
          .rows = at.rows,
          .t_norm = column(at.largest_t_norm),
          .mean_t_norm = at.sum_t_norm,
          .largest_t_norm = at.largest_t_norm,
          .rows_above_printed_bound = at.rows_above_printed_bound,
          .steps = std::move(steps)};
}

/// Leaves with the head what the last points say, one a share, where they are of that length.
void put_held(report::HeadNumbers& numbers, const std::vector<report::HeldPoint>& points,
              std::int64_t length) {
  using report::HeadNumbers;
  constexpr std::optional<double> HeadNumbers::*kMembers[] = {
      &HeadNumbers::holding_50, &HeadNumbers::holding_90, &HeadNumbers::holding_99};
  constexpr std::size_t kShares = std::size(report::kHeldPercents);
  static_assert(std::size(kMembers) == kShares);
  if (points.empty() || points.back().length != static_cast<double>(length)) return;
  for (std::size_t k = 0; k < kShares; ++k) {
    const double tokens = points[points.size() - kShares + k].tokens->mean;
    if (std::isfinite(tokens)) numbers.*kMembers[k] = tokens;
  }
}

/// The random numbers of the expectations of one head, apart from those of sets and signs.
/// `missing`: tokens at the front; `which`: of the last rows, or of all N of a row.
std::mt19937_64 stream_of_expectations(const MeasureSettings& settings, const Head& head,
                                       std::int64_t missing, std::uint64_t which) {
  constexpr std::uint64_t kExpectations = 2;
  return random_stream({settings.seed, settings.seed >> 32, static_cast<std::uint64_t>(head.layer),
                        static_cast<std::uint64_t>(head.head), kExpectations,
                        static_cast<std::uint64_t>(missing), which});
}

/// One variant of a head: the whole, or what is left without its first token.
class VariantPass {
 public:
  /// N_s/N of the random sets without the first token: by row of the whole
  /// head, by N.
  using RandomShares = std::map<std::int64_t, std::vector<double>>;

  /// `missing`, `missing_rows`: how many tokens, and how many queries, are missing at the front (0
  /// or 1).
  /// `random_shares` is filled by the whole head's pass and read by the other.
  /// `numbers`: what the record has of the variant.
  VariantPass(const Head& head, const MeasureSettings& settings, std::int64_t missing,
              std::int64_t missing_rows, RandomShares& random_shares, HeadMeasures& measured,
              report::HeadNumbers& numbers)
      : head_(head),
        settings_(settings),
        missing_(missing),
        missing_rows_(missing_rows),
        random_shares_(random_shares),
        measured_(measured),
        numbers_(numbers),
        gradient_(head, settings.temperatures, settings.seed),
        expectations_(stream_of_expectations(settings, head, missing, 0)),
        last_(head, settings.lengths, settings.last_rows, settings.selection.counts, missing,
              stream_of_expectations(settings, head, missing, 1)),
        mass_(settings.selection.counts) {
    for (const std::size_t n : settings.selection.counts) means_.push_back({.n = n});
  }

  void run(std::mt19937_64& stream, const std::function<void(const RowSelections&)>& also) {
    SelectionSettings selection = settings_.selection;
    selection.for_claims = missing_ == 0;
    selection.shown.clear();
    for (const std::int64_t length : settings_.lengths) {
      selection.shown.push_back(head_.row_of(length - missing_));
    }
    // The whole head's random sets serve both.
    if (missing_ > 0) selection.draws = selection.shown_draws = 0;
    selection.rows.clear();
    for (const std::int64_t row : settings_.selection.rows) {
      const std::int64_t own = row - missing_rows_;
      const bool is_there = own >= 0 && own < head_.queries();
      if (is_there && head_.tokens(own) >= 2) selection.rows.push_back(own);
    }
    for_each_row(head_, head_.temperature, selection, stream, [&](const RowSelections& row) {
      add(row);
      also(row);
    });
    add_figures();
    add_gradient();
    add_means();
    if (missing_ == 0) {
      measured_.means = std::move(means_);
      measured_.figures.mass = mass_.points();
    }
  }

 private:
  /// The row of a length L, the first token included.
  struct LengthRow {
    std::int64_t length;
    std::vector<SelectionMeasure> selection;  ///< by N, as far as they apply
  };

  void add(const RowSelections& row) {
    std::vector<SelectionMeasure> measures = row.measures;
    const bool has_weights = head_.has_weights(row.row);
    std::vector<double>& random_shares = random_shares_[row.row + missing_rows_];
    for (std::size_t c = 0; c < measures.size(); ++c) {
      if (missing_ == 0) {
        random_shares.push_back(measures[c].random_share_without_first);
      } else {
        measures[c].random_share = random_shares[c];
      }
      if (has_weights) {
        means_[c].add(measures[c]);
      } else {
        measures[c] = unknown(measures[c].n);
      }
    }
    // What the row gives to the first token that is there; 0 where it does not
    // see it.
    const double first = head_.sees_first(row.row) ? row.weights->values().front() : 0;
    if (has_weights) sink_.add(first);
    if (has_weights && missing_ == 0) mass_.add(*row.weights);
    if (head_.has_logits(row.row)) gradient_.add(row.row, row.weights->logits());
    last_.add(row, measures);
    const std::int64_t length = head_.length_of(row.row) + missing_;
    if (!std::ranges::binary_search(settings_.lengths, length)) return;
    if (missing_ == 0) {
      measured_.figures.sink.push_back(
          {.length = static_cast<double>(length), .share = number(first)});
    }
    lengths_.push_back({.length = length, .selection = std::move(measures)});
    add_sweeps(length, row);
  }

  void add_figures() {
    report::Figures& figures = measured_.figures;
    const bool without_first = missing_ > 0;
    if (missing_ == 0) keep_last_rows();
    for (const LengthRow& at : lengths_) {
      for (const double level : kCriticalLevels) {
        for (const report::Reading reading : kReadings) {
          report::CriticalPoint& point = figures.critical_n.emplace_back(
              report::CriticalPoint{.length = static_cast<double>(at.length),
                                    .reading = reading,
                                    .without_first = without_first,
                                    .level = level});
          if (reading == report::Reading::mean) point.draws = kOrdersOfOneRow * kRotations;
        }
      }
    }
    if (lengths_.empty()) return;
    const LengthRow& longest = lengths_.back();
    for (std::size_t l = 0; l < settings_.lengths.size(); ++l) {
      last_.add_point(figures.distance_by_length, l, last_.few());
      last_.add_held(figures.held, l);
    }
    put_held(numbers_, figures.held, longest.length);
    for (std::size_t c = 0; c < longest.selection.size(); ++c) {
      const SelectionMeasure& m = longest.selection[c];
      last_.add_point(figures.distance_by_n, settings_.lengths.size() - 1, m.n);
      figures.separability.push_back(
          {.n = static_cast<double>(m.n),
           .length = static_cast<double>(longest.length),
           .without_first = without_first,
           .share = number(m.scores.share),
           .random_share = number(m.random_share),
           .precision = number(m.scores.precision),
           .recall = number(m.scores.recall),
           .f_score = number(m.scores.f_score),
           .lower_bound = number(m.bounds.lower),
           .lower_bound_sharp = number(m.bounds.lower_sharp),
           .upper_bound = number(m.bounds.upper),
           .share_all_rows = number(means_[c].share.value()),
           .random_share_all_rows = number(means_[c].random_share.value()),
           .between_bounds_all_rows = number(means_[c].between_bounds.value())});
    }
    const Directions found = directions(head_);
    figures.directions.push_back({.without_first = without_first,
                                  .length_spread = number(found.length_spread),
                                  .mean_direction = number(found.mean_direction),
                                  .leading_share = number(found.leading_share)});
  }

  void keep_last_rows() {
    measured_.few = last_.few();
    for (std::size_t l = 0; l < settings_.lengths.size(); ++l) {
      measured_.last_rows.push_back(last_.of_length(l));
    }
    constexpr std::size_t kPapersFew = 5;
    if (measured_.last_rows.empty() || measured_.few != kPapersFew) return;
    Mean at_five;
    for (const LastRow& row : measured_.last_rows.back()) at_five.add(row.few);
    if (std::isfinite(at_five.value())) numbers_.distance_at_five = at_five.value();
  }

  void add_sweeps(std::int64_t length, const RowSelections& row) {
    const std::size_t n = normalizer_n(settings_, length - missing_);
    RowMeasure measured = measure_row(head_, row.row, n, row.weights->values());
    measured.sweep.expected_mean = RowDistances(row.weights->values(), head_.x)
                                       .expected_of_all(kOrdersOfOneRow, expectations_);
    measured_.sweeps.push_back(std::move(measured.sweep));
    for (NormalizerMeasure& measure : measured.normalizers) {
      measured_.figures.normalizers.push_back({.name = measure.name,
                                               .length = static_cast<double>(length),
                                               .without_first = missing_ > 0,
                                               .n = static_cast<double>(n),
                                               .share = number(measure.share),
                                               .largest_weight = number(measure.row.largest),
                                               .largest_weight_half = number(measure.largest_half),
                                               .weight_sum = number(measure.row.sum),
                                               .entropy = number(measure.row.entropy),
                                               .norm = number(measure.row.norm)});
      measured_.normalizer_sweeps.push_back(std::move(measure.sweep));
    }
  }

  void add_gradient() {
    std::vector<TemperatureGradients> gradient = std::move(gradient_).result();
    for (const TemperatureGradients& at : gradient) {
      measured_.figures.gradient.push_back(gradient_point(at, missing_ > 0));
      if (at.temperature != head_.temperature || at.rows == 0) continue;
      numbers_.rows = at.rows;
      numbers_.largest_t_norm = at.largest_t_norm;
    }
    if (missing_ == 0) measured_.gradient = std::move(gradient);
  }

  /// Puts the means at the largest N into the numbers of the head: where most tokens are selected,
  /// most can go wrong.
  void add_means() {
    numbers_.sink_share = sink_.value();
    const auto largest = std::find_if(means_.rbegin(), means_.rend(),
                                      [](const SelectionMeans& m) { return m.rows > 0; });
    if (largest == means_.rend()) return;
    numbers_.n = static_cast<double>(largest->n);
    numbers_.distance = largest->distance.value();
    numbers_.distance_over_bound = largest->distance_over_bound.value();
    numbers_.share = largest->share.value();
    numbers_.random_share = largest->random_share.value();
    numbers_.f_score = largest->f_score.value();
  }

  const Head& head_;
  const MeasureSettings& settings_;
  std::int64_t missing_, missing_rows_;
  RandomShares& random_shares_;
  HeadMeasures& measured_;
  report::HeadNumbers& numbers_;
  std::vector<SelectionMeans> means_;
  std::vector<LengthRow> lengths_;
  GradientMeasure gradient_;
  std::mt19937_64 expectations_;
  LastRows last_;
  Mean sink_;
  MassMeasure mass_;
};

}  // namespace

void SelectionMeans::add(const SelectionMeasure& row) {
  ++rows;
  distance.add(row.distance);
  if (!(row.bound <= 0)) distance_over_bound.add(row.distance / row.bound);
  share.add(row.scores.share);
  if (!std::isnan(row.random_share)) random_share.add(row.random_share);
  f_score.add(row.scores.f_score);
  const double reached = row.scores.share;
  between_bounds.add(row.bounds.lower_sharp <= reached && reached <= row.bounds.upper ? 1 : 0);
}

Directions directions(const Head& head) {
  Rows units(head.x.rows(), head.x.cols());
  Eigen::VectorXd lengths(head.x.rows());
  Eigen::Index count = 0;
  for (const auto& x : head.x.rowwise()) {
    const double length = x.norm();
    if (!(length > 0)) continue;
    lengths(count) = length;
    units.row(count++) = x / length;
  }
  if (count == 0) return {kUnknown, kUnknown, kUnknown};
  units.conservativeResize(count, Eigen::NoChange);
  lengths.conservativeResize(count);
  const double mean = lengths.mean();
  const Eigen::MatrixXd moments = units.transpose() * units / static_cast<double>(count);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(moments, Eigen::EigenvaluesOnly);
  return {.length_spread = std::sqrt((lengths.array() - mean).square().mean()) / mean,
          .mean_direction = units.colwise().mean().norm(),
          .leading_share = solver.eigenvalues().maxCoeff()};
}

std::mt19937_64 stream_of(std::uint64_t seed, const Head& head) {
  return random_stream({seed, seed >> 32, static_cast<std::uint64_t>(head.layer),
                        static_cast<std::uint64_t>(head.head)});
}

HeadMeasures measure_head(const Head& head, const MeasureSettings& settings,
                          const std::function<void(const RowSelections&)>& also) {
  HeadMeasures measured;
  measured.record.layer = static_cast<unsigned>(head.layer);
  measured.record.head = static_cast<unsigned>(head.head);
  std::mt19937_64 stream = stream_of(settings.seed, head);
  VariantPass::RandomShares random_shares;
  VariantPass(head, settings, 0, 0, random_shares, measured, measured.record).run(stream, also);
  if (settings.without_first && head.keys() >= 3) {
    report::HeadNumbers& rest = measured.record.without_first.emplace();
    const Head without = without_first_token(head);
    VariantPass(without, settings, 1, head.queries() - without.queries(), random_shares, measured,
                rest)
        .run(stream, [](const RowSelections&) {});
  }
  return measured;
}

}  // namespace attn::gpt2
