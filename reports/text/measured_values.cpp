#include "reports/text/measured_values.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace attn::report {
namespace {

/// The values of one figure as they come in.
class Values {
 public:
  Values(std::string figure, std::vector<MeasuredValue>& into)
      : figure_(std::move(figure)), into_(into) {}

  /// The place of what is added next.
  void at(std::string place, bool without_first = false) {
    place_ = std::move(place) + (without_first ? ", without the first token" : "");
  }

  void add(std::string_view field, std::optional<double> value) {
    into_.push_back({fmt::format("{}: {}", figure_, field), place_, value});
  }
  void add(std::string_view field, const MaybeSpread& spread) {
    add(field, spread ? std::optional(spread->mean) : std::nullopt);
  }
  void add_count(std::string_view field, std::optional<std::uint64_t> count) {
    add(field, count ? std::optional(static_cast<double>(*count)) : std::nullopt);
  }

 private:
  std::string figure_, place_;
  std::vector<MeasuredValue>& into_;
};

void add_distance(const std::string& figure, const std::vector<DistancePoint>& points,
                  std::vector<MeasuredValue>& into) {
  Values values(figure, into);
  for (const DistancePoint& point : points) {
    values.at(fmt::format("L {}, N {}", point.length, point.n), point.without_first);
    values.add("D", point.distance);
    values.add("E, full reading", point.expected_full);
    values.add("E, factor reading", point.expected_factor);
    values.add("bound", point.bound);
    values.add("sharp bound", point.sharp_bound);
  }
}

void add_critical(const std::vector<CriticalPoint>& points, std::vector<MeasuredValue>& into) {
  Values values("critical N", into);
  for (const CriticalPoint& point : points) {
    values.at(fmt::format("L {}, {} reading", point.length, point.reading), point.without_first);
    values.add("N", point.n);
    values.add("statistic", point.statistic);
    values.add("p", point.p);
  }
}

void add_separability(const std::vector<SeparabilityPoint>& points,
                      std::vector<MeasuredValue>& into) {
  Values values("separability", into);
  for (const SeparabilityPoint& point : points) {
    values.at(fmt::format("N {}", point.n), point.without_first);
    values.add("share", point.share);
    values.add("share of random sets", point.random_share);
    values.add("precision", point.precision);
    values.add("recall", point.recall);
    values.add("F", point.f_score);
    values.add("lower bound", point.lower_bound);
    values.add("sharp lower bound", point.lower_bound_sharp);
    values.add("upper bound", point.upper_bound);
    values.add("share, all rows", point.share_all_rows);
    values.add("share of random sets, all rows", point.random_share_all_rows);
  }
}

void add_gradient(const std::vector<GradientPoint>& points, std::vector<MeasuredValue>& into) {
  Values norms("gradient", into), steps("finite step", into);
  for (const GradientPoint& point : points) {
    const std::string place = fmt::format("T {}", point.temperature);
    norms.at(place, point.without_first);
    norms.add("T ||J||", point.t_norm);
    norms.add("mean T ||J||", point.mean_t_norm);
    norms.add("largest T ||J||", point.largest_t_norm);
    norms.add_count("rows above the printed bound", point.rows_above_printed_bound);
    for (const StepPoint& step : point.steps) {
      steps.at(fmt::format("{}, epsilon {}, direction {}", place, step.epsilon, step.direction),
               point.without_first);
      steps.add("largest g", step.largest);
    }
  }
}

void add_sink(const std::vector<SinkPoint>& points, std::vector<MeasuredValue>& into) {
  Values values("weight of the first token", into);
  for (const SinkPoint& point : points) {
    values.at(fmt::format("L {}", point.length));
    values.add("share", point.share);
  }
}

void add_normalizers(const std::vector<NormalizerPoint>& points, std::vector<MeasuredValue>& into) {
  Values values("normalisers", into);
  for (const NormalizerPoint& point : points) {
    values.at(fmt::format("{}, L {}", point.name, point.length));
    values.add("critical N, full reading", point.critical_n_full);
    values.add("critical N, factor reading", point.critical_n_factor);
    values.add("share", point.share);
    values.add("largest weight", point.largest_weight);
    values.add("sum of the weights", point.weight_sum);
    values.add("entropy", point.entropy);
    values.add("||J||", point.norm);
  }
}

void add_claims(const HeadRecord& head, const std::string& place,
                std::vector<MeasuredValue>& into) {
  Values values("claims on the rows of a head", into);
  for (const auto& [id, claim] : head.claims) {
    values.at(fmt::format("{}, {}", place, id));
    values.add_count("cases", claim.cases);
    values.add_count("violated", claim.violated);
    values.add("max lhs/rhs", claim.max_ratio);
  }
}

}  // namespace

std::vector<MeasuredValue> figure_values(const Measurements& all) {
  std::vector<MeasuredValue> values;
  add_distance("distance by length", all.distance_by_length, values);
  add_distance("distance by N", all.distance_by_n, values);
  add_critical(all.critical_n, values);
  add_separability(all.separability, values);
  add_gradient(all.gradient, values);
  add_sink(all.sink, values);
  add_normalizers(all.normalizers, values);
  return values;
}

std::vector<MeasuredValue> head_values(const Measurements& all) {
  std::vector<MeasuredValue> values;
  Values fields("heads", values);
  for (const HeadRecord& head : all.heads) {
    const std::string place = fmt::format("layer {}, head {}", head.layer, head.head);
    fields.at(place);
    fields.add_count("rows", head.rows);
    for (const auto& [field, value] : head.fields) fields.add(field, std::optional(value));
    add_claims(head, place, values);
  }
  return values;
}

}  // namespace attn::report
