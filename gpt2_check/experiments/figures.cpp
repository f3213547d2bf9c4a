#include "gpt2_check/experiments/figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "gpt2_check/experiments/summary.hpp"

namespace attn::gpt2 {
namespace {

using nlohmann::json;
using Heads = std::vector<HeadMeasures>;
using Variant = HeadVariant HeadMeasures::*;

struct NamedVariant {
  Variant variant;
  bool without_first;
};
constexpr NamedVariant kVariants[] = {{&HeadMeasures::full, false},
                                      {&HeadMeasures::without_first, true}};

/// What a function gives of every head, one number a head.
json over_heads(const Heads& heads, const std::function<double(const HeadMeasures&)>& value) {
  std::vector<double> values;
  for (const HeadMeasures& head : heads) values.push_back(value(head));
  return summary(std::move(values));
}

/// The same over the heads that have the number: NaN says that a head has none.
json over_some_heads(const Heads& heads, const std::function<double(const HeadMeasures&)>& value) {
  std::vector<double> values;
  for (const HeadMeasures& head : heads) {
    if (!std::isnan(value(head))) values.push_back(value(head));
  }
  return summary(std::move(values));
}

/// The larger one; NaN where either is.
double larger(double a, double b) {
  return b <= a || std::isnan(a) ? a : b;
}

/// Adds the summaries of some members of a record that every head has.
template <class Record>
void add_summaries(json& point, const Heads& heads,
                   const std::function<const Record&(const HeadMeasures&)>& record,
                   std::initializer_list<std::pair<const char*, double Record::*>> members) {
  for (const auto& [name, member] : members) {
    point[name] = over_heads(heads, [&](const HeadMeasures& head) { return record(head).*member; });
  }
}

/// The N of the figure against L: the paper's 5 where it was measured, else the smallest.
std::size_t figure_n(const HeadVariant& variant) {
  constexpr std::size_t kPaper = 5;
  const auto& measures = variant.lengths.back().selection;
  for (const SelectionMeasure& m : measures) {
    if (m.n == kPaper) return kPaper;
  }
  return measures.front().n;
}

json distance_point(const Heads& heads, NamedVariant v, std::size_t length, std::size_t n) {
  const LengthMeasures& first = (heads.front().*v.variant).lengths[length];
  json point = {{"length", first.length},
                {"n", first.selection[n].n},
                {"without_first", v.without_first},
                {"samples", heads.size()}};
  add_summaries<SelectionMeasure>(point, heads,
                                  [&](const HeadMeasures& head) -> const SelectionMeasure& {
                                    return (head.*v.variant).lengths[length].selection[n];
                                  },
                                  {{"distance", &SelectionMeasure::distance},
                                   {"expected_full", &SelectionMeasure::expected_full},
                                   {"expected_factor", &SelectionMeasure::expected_factor},
                                   {"bound", &SelectionMeasure::bound},
                                   {"sharp_bound", &SelectionMeasure::sharp_bound}});
  return point;
}

json distance_by_length(const Heads& heads) {
  json points = json::array();
  for (const NamedVariant& v : kVariants) {
    const HeadVariant& variant = heads.front().*v.variant;
    if (variant.lengths.empty() || variant.lengths.back().selection.empty()) continue;
    const std::size_t n = figure_n(variant);
    for (std::size_t l = 0; l < variant.lengths.size(); ++l) {
      const auto& selection = variant.lengths[l].selection;
      const auto at = std::ranges::find(selection, n, &SelectionMeasure::n);
      if (at == selection.end()) continue;
      points.push_back(
          distance_point(heads, v, l, static_cast<std::size_t>(at - selection.begin())));
    }
  }
  return points;
}

json distance_by_n(const Heads& heads) {
  json points = json::array();
  for (const NamedVariant& v : kVariants) {
    const HeadVariant& variant = heads.front().*v.variant;
    if (variant.lengths.empty()) continue;
    const std::size_t longest = variant.lengths.size() - 1;
    for (std::size_t n = 0; n < variant.lengths[longest].selection.size(); ++n) {
      points.push_back(distance_point(heads, v, longest, n));
    }
  }
  return points;
}

/// One row of a sweep for each head, [heads, N].
Rows stacked(const Heads& heads,
             const std::function<const std::vector<double>&(const HeadMeasures&)>& curve) {
  Rows rows(static_cast<Eigen::Index>(heads.size()),
            static_cast<Eigen::Index>(curve(heads.front()).size()));
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const std::vector<double>& values = curve(heads[h]);
    rows.row(static_cast<Eigen::Index>(h)) = Eigen::Map<const Eigen::RowVectorXd>(
        values.data(), static_cast<Eigen::Index>(values.size()));
  }
  return rows;
}

struct NamedReading {
  const char* name;
  std::vector<double> RowSweep::*expected;
};
const NamedReading kReadings[] = {{"full", &RowSweep::expected_full},
                                  {"factor", &RowSweep::expected_factor}};

CriticalN critical_of(const Heads& heads, const NamedReading& reading,
                      const std::function<const RowSweep&(const HeadMeasures&)>& sweep) {
  const Rows distance = stacked(
      heads, [&](const HeadMeasures& head) -> const auto& { return sweep(head).distance; });
  const Rows expected = stacked(
      heads, [&](const HeadMeasures& head) -> const auto& {
        return sweep(head).*reading.expected;
      });
  return critical_n(distance, expected, kCriticalLevel);
}

json number_or_null(const std::optional<std::size_t>& n) {
  return n ? json(*n) : json(nullptr);
}

json critical_points(const Heads& heads) {
  json points = json::array();
  for (const NamedVariant& v : kVariants) {
    const auto& lengths = (heads.front().*v.variant).lengths;
    for (std::size_t l = 0; l < lengths.size(); ++l) {
      for (const NamedReading& reading : kReadings) {
        const CriticalN found =
            critical_of(heads, reading, [&](const HeadMeasures& head) -> const RowSweep& {
              return (head.*v.variant).lengths[l].sweep;
            });
        const auto tokens = static_cast<double>(lengths[l].sweep.distance.size() + 1);
        points.push_back(
            {{"length", lengths[l].length},
             {"without_first", v.without_first},
             {"reading", reading.name},
             {"n", number_or_null(found.n)},
             {"fraction", found.n ? json(static_cast<double>(*found.n) / tokens) : json(nullptr)},
             {"statistic", found.statistic},
             {"p", found.p},
             {"level", kCriticalLevel},
             {"samples", heads.size()}});
      }
    }
  }
  return points;
}

json separability_point(const Heads& heads, NamedVariant v, std::size_t n) {
  const LengthMeasures& longest = (heads.front().*v.variant).lengths.back();
  const auto measure = [&](const HeadMeasures& head) -> const SelectionMeasure& {
    return (head.*v.variant).lengths.back().selection[n];
  };
  json point = {{"n", longest.selection[n].n},
                {"length", longest.length},
                {"without_first", v.without_first},
                {"samples", heads.size()}};
  point["random_share"] =
      over_some_heads(heads, [&](const HeadMeasures& head) { return measure(head).random_share; });
  add_summaries<Scores>(
      point, heads, [&](const HeadMeasures& head) -> const Scores& { return measure(head).scores; },
      {{"share", &Scores::share},
       {"precision", &Scores::precision},
       {"recall", &Scores::recall},
       {"f_score", &Scores::f_score}});
  add_summaries<ShareBounds>(
      point, heads,
      [&](const HeadMeasures& head) -> const ShareBounds& { return measure(head).bounds; },
      {{"lower_bound", &ShareBounds::lower},
       {"lower_bound_sharp", &ShareBounds::lower_sharp},
       {"upper_bound", &ShareBounds::upper}});
  add_summaries<SelectionMeans>(
      point, heads,
      [&](const HeadMeasures& head) -> const SelectionMeans& { return (head.*v.variant).means[n]; },
      {{"share_all_rows", &SelectionMeans::share}});
  point["random_share_all_rows"] = over_some_heads(
      heads, [&](const HeadMeasures& head) { return (head.*v.variant).means[n].random_share; });
  return point;
}

json separability(const Heads& heads) {
  json points = json::array();
  for (const NamedVariant& v : kVariants) {
    const auto& lengths = (heads.front().*v.variant).lengths;
    if (lengths.empty()) continue;
    for (std::size_t n = 0; n < lengths.back().selection.size(); ++n) {
      points.push_back(separability_point(heads, v, n));
    }
  }
  return points;
}

json step_point(const Heads& heads, Variant variant, std::size_t t, std::size_t k,
                const char* direction,
                std::array<LargestStep, kStepLengths.size()> TemperatureGradients::*steps) {
  const auto quotient = [&](const HeadMeasures& head) {
    return ((head.*variant).gradient[t].*steps)[k].quotient;
  };
  double most = 0;
  for (const HeadMeasures& head : heads) most = larger(most, quotient(head));
  const double temperature = (heads.front().*variant).gradient[t].temperature;
  return {{"epsilon", kStepLengths[k]},
          {"direction", direction},
          {"largest", most},
          {"largest_by_head", over_heads(heads, quotient)},
          {"printed_bound", std::min(1 / (4 * temperature), std::numbers::sqrt2)},
          {"true_bound", std::min(1 / (2 * temperature), std::numbers::sqrt2 / kStepLengths[k])}};
}

json gradient_point(const Heads& heads, NamedVariant v, std::size_t t) {
  const auto at = [&](const HeadMeasures& head) -> const TemperatureGradients& {
    return (head.*v.variant).gradient[t];
  };
  std::size_t rows = 0;
  std::size_t above = 0;
  double sum = 0;
  double most = 0;
  for (const HeadMeasures& head : heads) {
    const TemperatureGradients& g = at(head);
    rows += g.rows;
    above += g.rows_above_printed_bound;
    sum += g.mean_t_norm * static_cast<double>(g.rows);
    most = larger(most, g.largest_t_norm);
  }
  json steps = json::array();
  for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
    steps.push_back(step_point(heads, v.variant, t, k, "random", &TemperatureGradients::random));
    steps.push_back(step_point(heads, v.variant, t, k, "top", &TemperatureGradients::top));
  }
  return {{"temperature", at(heads.front()).temperature},
          {"without_first", v.without_first},
          {"rows", rows},
          {"mean_t_norm", sum / static_cast<double>(rows)},
          {"largest_t_norm", most},
          {"t_norm", over_heads(heads, [&](const auto& head) { return at(head).largest_t_norm; })},
          {"rows_above_printed_bound", above},
          {"step", std::move(steps)}};
}

json gradient(const Heads& heads) {
  json points = json::array();
  for (const NamedVariant& v : kVariants) {
    const auto& temperatures = (heads.front().*v.variant).gradient;
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      points.push_back(gradient_point(heads, v, t));
    }
  }
  return points;
}

json sink(const Heads& heads) {
  json points = json::array();
  const auto& lengths = heads.front().full.lengths;
  for (std::size_t l = 0; l < lengths.size(); ++l) {
    points.push_back(
        {{"length", lengths[l].length},
         {"samples", heads.size()},
         {"share", over_heads(heads, [&](const auto& head) { return head.sink_share[l]; })}});
  }
  return points;
}

json normalizer_point(const Heads& heads, std::size_t length, std::size_t setting) {
  const auto measure = [&](const HeadMeasures& head) -> const NormalizerMeasure& {
    return head.normalizers[length].measures[setting];
  };
  const auto critical = [&](const NamedReading& reading) {
    return number_or_null(
        critical_of(heads, reading, [&](const HeadMeasures& head) -> const RowSweep& {
          return measure(head).sweep;
        }).n);
  };
  json point = {
      {"name", normalizer_settings()[setting].name},
      {"length", heads.front().normalizers[length].length},
      {"samples", heads.size()},
      {"n", heads.front().normalizers[length].n},
      {"critical_n_full", critical(kReadings[0])},
      {"critical_n_factor", critical(kReadings[1])},
      {"share", over_heads(heads, [&](const auto& head) { return measure(head).share; })}};
  add_summaries<NormalizedRow>(
      point, heads,
      [&](const HeadMeasures& head) -> const NormalizedRow& { return measure(head).row; },
      {{"largest_weight", &NormalizedRow::largest},
       {"weight_sum", &NormalizedRow::sum},
       {"entropy", &NormalizedRow::entropy},
       {"norm", &NormalizedRow::norm}});
  return point;
}

json normalizers(const Heads& heads) {
  json points = json::array();
  for (std::size_t l = 0; l < heads.front().normalizers.size(); ++l) {
    for (std::size_t s = 0; s < normalizer_settings().size(); ++s) {
      points.push_back(normalizer_point(heads, l, s));
    }
  }
  return points;
}

}  // namespace

json figures(const Heads& heads) {
  return {{"distance_by_length", distance_by_length(heads)},
          {"distance_by_n", distance_by_n(heads)},
          {"critical_n", critical_points(heads)},
          {"separability", separability(heads)},
          {"gradient", gradient(heads)},
          {"sink", sink(heads)},
          {"normalizers", normalizers(heads)}};
}

json head_records(const Heads& heads, const std::vector<json>& claims) {
  json all = json::array();
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const HeadMeasures& head = heads[h];
    json record = {{"layer", head.layer},
                   {"head", head.head},
                   {"sink_share", head.mean_sink_share},
                   {"claims", claims[h]}};
    // Means over all rows, of the largest N: where most tokens are selected, most can go wrong.
    const auto& all_means = head.full.means;
    const auto at = std::find_if(all_means.rbegin(), all_means.rend(),
                                 [](const SelectionMeans& m) { return m.rows > 0; });
    if (at != all_means.rend()) {
      const SelectionMeans& means = *at;
      record["n"] = means.n;
      record["distance"] = means.distance;
      record["distance_over_bound"] = means.distance_over_bound;
      record["share"] = means.share;
      record["random_share"] = means.random_share;
      record["f_score"] = means.f_score;
    }
    const auto own =
        std::ranges::find(head.full.gradient, head.temperature, &TemperatureGradients::temperature);
    if (own != head.full.gradient.end()) {
      record["rows"] = own->rows;
      record["largest_t_norm"] = own->largest_t_norm;
    }
    all.push_back(std::move(record));
  }
  return all;
}

}  // namespace attn::gpt2
