#include "gpt2_check/experiments/head_measures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "gpt2_check/heads/arrays.hpp"

namespace attn::gpt2 {
namespace {

/// The mean of what was added; NaN where nothing was.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double value() const {
    return sum_ / static_cast<double>(count_);  // 0/0 is NaN
  }

 private:
  double sum_{0};
  std::uint64_t count_{0};
};

struct MeansOfN {
  Mean distance, distance_over_bound, share, random_share, f_score, between_bounds;
  void add(const SelectionMeasure& m) {
    distance.add(m.distance);
    if (!(m.bound <= 0)) distance_over_bound.add(m.distance / m.bound);
    share.add(m.scores.share);
    if (!std::isnan(m.random_share)) random_share.add(m.random_share);
    f_score.add(m.scores.f_score);
    const double reached = m.scores.share;
    between_bounds.add(m.bounds.lower_sharp <= reached && reached <= m.bounds.upper ? 1 : 0);
  }
};

/// The N of the table of normalisers: the largest of the plan's up to 20 that the row allows.
/// The paper says that N_s/N settles beyond 16; sparse weights have few tokens more.
std::size_t normalizer_n(const MeasurePlan& plan, std::int64_t tokens) {
  constexpr std::size_t kMost = 20;
  std::size_t n = 1;
  for (const std::size_t count : plan.selection.counts) {
    if (count <= kMost && static_cast<std::int64_t>(count) < tokens) n = std::max(n, count);
  }
  return n;
}

/// One variant of a head: the whole, or what is left without its first token.
class VariantPass {
 public:
  /// N_s/N of the random sets without the first token: by row of the whole head, by N.
  using RandomShares = std::map<std::int64_t, std::vector<double>>;

  /// `missing`: how many tokens are missing at the front (0 or 1). `random_shares` is filled by the
  /// whole head's pass and read by the other.
  VariantPass(const Head& head, const MeasurePlan& plan, std::int64_t missing,
              RandomShares& random_shares)
      : head_(head),
        plan_(plan),
        missing_(missing),
        random_shares_(random_shares),
        means_(plan.selection.counts.size()) {}

  HeadVariant run(std::mt19937_64& stream, const std::function<void(const RowSelections&)>& also) {
    SelectionPlan selection = plan_.selection;
    selection.for_claims = missing_ == 0;
    selection.shown.clear();
    for (const std::int64_t length : plan_.lengths) selection.shown.push_back(length - 1);
    // The whole head's random sets serve both.
    if (missing_ > 0) selection.draws = selection.shown_draws = 0;
    selection.rows.clear();
    for (const std::int64_t row : plan_.selection.rows) {
      const std::int64_t own = row - missing_;
      if (own >= 0 && head_.tokens(own) >= 2) selection.rows.push_back(own);
    }
    for_each_row(head_, head_.temperature, selection, stream, [&](const RowSelections& row) {
      add(row);
      also(row);
    });
    for (std::size_t c = 0; c < means_.size(); ++c) {
      const MeansOfN& m = means_[c];
      variant_.means.push_back({.n = selection.counts[c],
                                .rows = m.distance.count(),
                                .distance = m.distance.value(),
                                .distance_over_bound = m.distance_over_bound.value(),
                                .share = m.share.value(),
                                .random_share = m.random_share.value(),
                                .f_score = m.f_score.value(),
                                .between_bounds = m.between_bounds.value()});
    }
    variant_.gradient = measure_gradient(head_, selection.rows, plan_.temperatures, plan_.seed);
    add_normalizers();
    variant_.directions = directions(head_);
    return std::move(variant_);
  }

 private:
  void add(const RowSelections& row) {
    std::vector<SelectionMeasure> measures = row.measures;
    const bool has_weights = head_.has_weights(row.row);
    std::vector<double>& random_shares = random_shares_[row.row + missing_];
    for (std::size_t c = 0; c < measures.size(); ++c) {
      if (missing_ == 0) {
        random_shares.push_back(measures[c].random_share_without_first);
      } else {
        measures[c].random_share = random_shares[c];
      }
      if (has_weights) means_[c].add(measures[c]);
    }
    const std::int64_t length = row.row + 1 + missing_;
    if (!std::ranges::binary_search(plan_.lengths, length)) return;
    variant_.lengths.push_back(
        {.length = length, .selection = std::move(measures), .sweep = sweep(*row.weights)});
  }

  void add_normalizers() {
    for (const std::int64_t length : plan_.lengths) {
      const std::int64_t tokens = length - missing_;
      if (tokens < 2) continue;
      variant_.normalizers.push_back(
          measure_normalizers(head_, tokens, normalizer_n(plan_, tokens)));
      variant_.normalizers.back().length = length;
    }
  }

  RowSweep sweep(const RowWeights& weights) const {
    std::vector<double> keys(weights.values().begin(), weights.values().end());
    if (plan_.selection.rank == Rank::contribution) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] *= head_.x.row(static_cast<Eigen::Index>(i)).norm();
      }
    }
    return sweep_row(weights.values(), largest(keys, keys.size()), head_.x);
  }

  const Head& head_;
  const MeasurePlan& plan_;
  std::int64_t missing_;
  RandomShares& random_shares_;
  std::vector<MeansOfN> means_;
  HeadVariant variant_;
};

}  // namespace

std::mt19937_64 stream_of(std::uint64_t seed, const Head& head) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                         static_cast<std::uint32_t>(head.layer),
                         static_cast<std::uint32_t>(head.head)};
  return std::mt19937_64(sequence);
}

namespace {

/// 0 where the row does not see it.
double weight_of_first(const Head& head, const RowSelections& row) {
  return head.sees_first(row.row) ? row.weights->values().front() : 0;
}

}  // namespace

HeadMeasures measure_head(const Head& head, const MeasurePlan& plan,
                          const std::function<void(const RowSelections&)>& also) {
  HeadMeasures measures{.layer = head.layer,
                        .head = head.head,
                        .temperature = head.temperature,
                        .full = {},
                        .without_first = {},
                        .sink_share = {},
                        .mean_sink_share = 0,
                        .mean_next_sink_share = 0};
  std::mt19937_64 stream = stream_of(plan.seed, head);
  Mean sink, next_sink;
  VariantPass::RandomShares random_shares;
  measures.full =
      VariantPass(head, plan, 0, random_shares).run(stream, [&](const RowSelections& row) {
        const double share = weight_of_first(head, row);
        sink.add(share);
        if (std::ranges::binary_search(plan.lengths, row.row + 1)) {
          measures.sink_share.push_back(share);
        }
        also(row);
      });
  measures.mean_sink_share = sink.value();
  if (head.positions() >= 3) {
    const Head rest = without_first_token(head);
    measures.without_first =
        VariantPass(rest, plan, 1, random_shares).run(stream, [&](const RowSelections& row) {
          next_sink.add(weight_of_first(rest, row));
        });
    measures.mean_next_sink_share = next_sink.value();
  }
  return measures;
}

}  // namespace attn::gpt2
