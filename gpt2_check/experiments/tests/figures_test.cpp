// report.json, `gpt2.figures` and `gpt2.heads`, from measurements whose members are known.
#include "gpt2_check/experiments/figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "gpt2_check/bench/random_head.hpp"
#include "gpt2_check/experiments/statistics.hpp"
#include "reports/io/record_json.hpp"

namespace attn::gpt2 {
namespace {

using nlohmann::json;
using ::testing::UnorderedElementsAreArray;
using Heads = std::vector<HeadMeasures>;
using Value = std::function<double(const HeadMeasures&)>;

constexpr std::int64_t kTokens = 26;
const double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Six heads; the paper's N = 5 is the second of three.
Heads measured(std::int64_t tokens = kTokens) {
  MeasurePlan plan{.selection = {.rows = {}, .counts = {2, 5, 12}, .draws = 4},
                   .lengths = {4, 10, tokens},
                   .temperatures = {0.01, 2},
                   .seed = 3};
  for (std::int64_t row = 1; row < tokens; ++row) plan.selection.rows.push_back(row);
  std::erase_if(plan.lengths, [&](std::int64_t length) { return length > tokens; });
  Heads heads;
  for (std::uint64_t h = 0; h < 6; ++h) {
    Head head = random_head(tokens, 4, 3, 0.5 * static_cast<double>(h + 1), 70 + h);
    head.layer = static_cast<std::int64_t>(h) / 3;
    head.head = static_cast<std::int64_t>(h) % 3;
    heads.push_back(measure_head(head, plan, [](const RowSelections&) {}));
  }
  return heads;
}

const Heads& six_heads() {
  static const Heads heads = measured();
  return heads;
}

json summary_of(const Heads& heads, const Value& value) {
  std::vector<double> values;
  for (const HeadMeasures& head : heads) values.push_back(value(head));
  return json(report::json_of(summary(values)));
}

/// The figures as report.json has them.
json figures_of(const Heads& heads) {
  return json(report::json_of(figures(heads)));
}

json record_of(const HeadMeasures& head) {
  return json(report::json_of(head_record(head)));
}

std::vector<std::string> names_of(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

void expect_names(const json& points, const std::vector<std::string>& names) {
  ASSERT_FALSE(points.empty());
  for (const json& point : points) {
    EXPECT_THAT(names_of(point), UnorderedElementsAreArray(names));
  }
}

/// (length, n) of the points of one variant.
std::vector<std::pair<int, int>> places(const json& points, bool without_first) {
  std::vector<std::pair<int, int>> found;
  for (const json& point : points) {
    if (point["without_first"] == without_first) found.emplace_back(point["length"], point["n"]);
  }
  return found;
}

HeadVariant HeadMeasures::*variant_of(const json& point) {
  return point["without_first"].get<bool>() ? &HeadMeasures::without_first : &HeadMeasures::full;
}

TEST(Figures, HaveTheNamesOfTheContract) {
  const json all = figures_of(six_heads());
  EXPECT_THAT(names_of(all), UnorderedElementsAreArray({"distance_by_length", "distance_by_n",
                                                        "critical_n", "separability", "directions",
                                                        "gradient", "sink", "normalizers"}));
  const std::vector<std::string> distances = {"length",          "n",        "without_first",
                                              "samples",         "distance", "expected_full",
                                              "expected_factor", "bound",    "sharp_bound"};
  expect_names(all["distance_by_length"], distances);
  expect_names(all["distance_by_n"], distances);
  expect_names(all["critical_n"], {"length", "without_first", "reading", "n", "fraction",
                                   "statistic", "p", "level", "samples"});
  expect_names(all["separability"],
               {"n", "length", "without_first", "samples", "share", "random_share", "precision",
                "recall", "f_score", "lower_bound", "lower_bound_sharp", "upper_bound",
                "share_all_rows", "random_share_all_rows", "between_bounds_all_rows"});
  expect_names(all["directions"],
               {"without_first", "samples", "length_spread", "mean_direction", "leading_share"});
  expect_names(all["gradient"], {"temperature", "without_first", "rows", "mean_t_norm",
                                 "largest_t_norm", "t_norm", "rows_above_printed_bound", "step"});
  for (const json& point : all["gradient"]) {
    expect_names(point["step"], {"epsilon", "direction", "largest", "largest_by_head",
                                 "printed_bound", "true_bound"});
  }
  expect_names(all["sink"], {"length", "samples", "share"});
  expect_names(all["normalizers"], {"name", "length", "without_first", "samples", "critical_n_full",
                                    "critical_n_factor", "n", "share", "largest_weight",
                                    "weight_sum", "entropy", "norm"});
}

TEST(Figures, PointsAreThosePlanned) {
  const json all = figures_of(six_heads());
  using Places = std::vector<std::pair<int, int>>;
  for (const bool without_first : {false, true}) {
    EXPECT_EQ(places(all["distance_by_length"], without_first), (Places{{10, 5}, {26, 5}}));
    EXPECT_EQ(places(all["distance_by_n"], without_first), (Places{{26, 2}, {26, 5}, {26, 12}}));
    EXPECT_EQ(places(all["separability"], without_first), (Places{{26, 2}, {26, 5}, {26, 12}}));
  }
  EXPECT_EQ(all["critical_n"].size(), 2U * 3U * 2U);
  EXPECT_EQ(all["gradient"].size(), 2U * 2U);
  EXPECT_EQ(all["sink"].size(), 3U);
  EXPECT_EQ(all["normalizers"].size(), 2UL * 3 * normalizer_settings().size());
}

TEST(Figures, DistancesAreSummariesOverTheHeads) {
  const Heads& heads = six_heads();
  const json all = figures_of(heads);
  for (const char* figure : {"distance_by_length", "distance_by_n"}) {
    for (const json& point : all[figure]) {
      const auto variant = variant_of(point);
      const auto expect = [&](const char* name, double SelectionMeasure::*member) {
        const json expected = summary_of(heads, [&](const HeadMeasures& head) {
          const auto& lengths = (head.*variant).lengths;
          const auto at = std::ranges::find(lengths, point["length"].get<std::int64_t>(),
                                            &LengthMeasures::length);
          const auto found =
              std::ranges::find(at->selection, point["n"].get<std::size_t>(), &SelectionMeasure::n);
          return (*found).*member;
        });
        EXPECT_EQ(point[name], expected) << figure << ' ' << name;
      };
      EXPECT_EQ(point["samples"], 6);
      expect("distance", &SelectionMeasure::distance);
      expect("expected_full", &SelectionMeasure::expected_full);
      expect("expected_factor", &SelectionMeasure::expected_factor);
      expect("bound", &SelectionMeasure::bound);
      expect("sharp_bound", &SelectionMeasure::sharp_bound);
    }
  }
}

TEST(Figures, TheSmallestNStandsInForThePapers) {
  Heads heads = six_heads();
  for (HeadMeasures& head : heads) {
    for (LengthMeasures& at : head.full.lengths) {
      std::erase_if(at.selection, [](const SelectionMeasure& m) { return m.n == 5; });
    }
  }
  EXPECT_EQ(places(figures_of(heads)["distance_by_length"], false),
            (std::vector<std::pair<int, int>>{{4, 2}, {10, 2}, {26, 2}}));
}

TEST(Figures, SeparabilityIsSummariesOverTheHeads) {
  const Heads& heads = six_heads();
  std::size_t at = 0;
  const json points = figures_of(heads)["separability"];
  for (const json& point : points) {
    const std::size_t c = at++ % 3;
    const auto variant = variant_of(point);
    const auto expect = [&](const char* name,
                            const std::function<double(const SelectionMeasure&)>& member) {
      EXPECT_EQ(point[name],
                summary_of(heads,
                           [&](const HeadMeasures& head) {
                             return member((head.*variant).lengths.back().selection[c]);
                           }))
          << name;
    };
    EXPECT_EQ(point["samples"], 6);
    expect("share", [](const auto& m) { return m.scores.share; });
    expect("random_share", [](const auto& m) { return m.random_share; });
    expect("precision", [](const auto& m) { return m.scores.precision; });
    expect("recall", [](const auto& m) { return m.scores.recall; });
    expect("f_score", [](const auto& m) { return m.scores.f_score; });
    expect("lower_bound", [](const auto& m) { return m.bounds.lower; });
    expect("lower_bound_sharp", [](const auto& m) { return m.bounds.lower_sharp; });
    expect("upper_bound", [](const auto& m) { return m.bounds.upper; });
    EXPECT_EQ(point["share_all_rows"], summary_of(heads, [&](const HeadMeasures& head) {
                return (head.*variant).means[c].share;
              }));
    EXPECT_EQ(point["random_share_all_rows"], summary_of(heads, [&](const HeadMeasures& head) {
                return (head.*variant).means[c].random_share;
              }));
    EXPECT_EQ(point["between_bounds_all_rows"], summary_of(heads, [&](const HeadMeasures& head) {
                return (head.*variant).means[c].between_bounds;
              }));
  }
  EXPECT_EQ(at, 6U);
}

/// The first N at which the test does not reject, by trying all.
json first_not_rejected(const Heads& heads,
                        const std::function<const RowSweep&(const HeadMeasures&)>& sweep, bool full,
                        double* p) {
  for (std::size_t n = 0; n < sweep(heads.front()).distance.size(); ++n) {
    std::vector<double> a;
    std::vector<double> b;
    for (const HeadMeasures& head : heads) {
      a.push_back(sweep(head).distance[n]);
      b.push_back(full ? sweep(head).expected_full(n) : sweep(head).expected_factor[n]);
    }
    *p = ks_test(a, b).p;
    if (*p >= 0.01) return n + 1;
  }
  return nullptr;
}

/// The sweeps of the heads moved, so that D and the full E can be told apart up to some N, D and
/// the other E as before.
Heads heads_with_gap(std::size_t from, double gap) {
  Heads heads = six_heads();
  const auto part = [&](RowSweep& sweep) {
    for (std::size_t n = 0; n < std::min(from, sweep.distance.size()); ++n) {
      sweep.distance[n] += gap;
      sweep.expected_factor[n] += gap;
    }
  };
  for (HeadMeasures& head : heads) {
    for (HeadVariant* variant : {&head.full, &head.without_first}) {
      for (LengthMeasures& at : variant->lengths) part(at.sweep);
      for (LengthNormalizers& at : variant->normalizers) {
        for (NormalizerMeasure& measure : at.measures) part(measure.sweep);
      }
    }
  }
  return heads;
}

TEST(Figures, CriticalNIsTheFirstNotRejected) {
  const Heads heads = heads_with_gap(7, 1000);
  int later = 0;
  const json points = figures_of(heads)["critical_n"];
  for (const json& point : points) {
    const auto variant = variant_of(point);
    const bool full = point["reading"] == "full";
    const auto sweep = [&](const HeadMeasures& head) -> const RowSweep& {
      const auto& lengths = (head.*variant).lengths;
      return std::ranges::find(lengths, point["length"].get<std::int64_t>(),
                               &LengthMeasures::length)
          ->sweep;
    };
    double p = 0;
    const json expected = first_not_rejected(heads, sweep, full, &p);
    EXPECT_EQ(point["n"], expected) << point;
    EXPECT_EQ(point["level"], 0.01);
    EXPECT_EQ(point["samples"], 6);
    if (expected.is_null()) {
      EXPECT_TRUE(point["fraction"].is_null());
      EXPECT_LT(point["p"], 0.01);
    } else {
      const double tokens = point["length"].get<double>() - (point["without_first"] ? 1 : 0);
      EXPECT_EQ(point["fraction"], expected.get<double>() / tokens);
      EXPECT_EQ(point["p"], p);
    }
    if (full && point["length"] == 4) {
      EXPECT_TRUE(point["n"].is_null());
    }
    if (full && point["length"] == 26 && point["n"] >= 8) ++later;
  }
  EXPECT_EQ(later, 2);  // with and without the first token
}

TEST(Figures, NormalizersAreSummariesOverTheHeads) {
  const Heads heads = heads_with_gap(7, 1000);
  std::size_t at = 0;
  const json points = figures_of(heads)["normalizers"];
  for (const json& point : points) {
    const std::size_t l = at / normalizer_settings().size() % 3;
    const std::size_t s = at % normalizer_settings().size();
    const auto variant =
        at < points.size() / 2 ? &HeadMeasures::full : &HeadMeasures::without_first;
    EXPECT_EQ(variant, variant_of(point));
    ++at;
    const auto measure = [&](const HeadMeasures& head) -> const NormalizerMeasure& {
      return (head.*variant).normalizers[l].measures[s];
    };
    EXPECT_EQ(point["name"], normalizer_settings()[s].name);
    EXPECT_EQ(point["length"], (std::vector{4, 10, 26}[l]));
    EXPECT_EQ(point["n"], (std::vector{2, 5, 12}[l]));
    EXPECT_EQ(point["samples"], 6);
    const auto sweep = [&](const HeadMeasures& head) -> const RowSweep& {
      return measure(head).sweep;
    };
    double p = 0;
    EXPECT_EQ(point["critical_n_full"], first_not_rejected(heads, sweep, true, &p));
    EXPECT_EQ(point["critical_n_factor"], first_not_rejected(heads, sweep, false, &p));
    const auto expect = [&](const char* name, const Value& value) {
      EXPECT_EQ(point[name], summary_of(heads, value)) << name;
    };
    expect("share", [&](const auto& head) { return measure(head).share; });
    expect("largest_weight", [&](const auto& head) { return measure(head).row.largest; });
    expect("weight_sum", [&](const auto& head) { return measure(head).row.sum; });
    expect("entropy", [&](const auto& head) { return measure(head).row.entropy; });
    expect("norm", [&](const auto& head) { return measure(head).row.norm; });
  }
}

TEST(Figures, GradientGathersTheHeads) {
  Heads heads = six_heads();
  heads[1].full.gradient[0].rows = 7;  // heads of unequal weight
  std::size_t at = 0;
  const json points = figures_of(heads)["gradient"];
  for (const json& point : points) {
    const std::size_t t = at++ % 2;
    const auto variant = variant_of(point);
    const double temperature = std::vector{0.01, 2.0}[t];
    double rows = 0;
    double sum = 0;
    double above = 0;
    double largest = 0;
    for (const HeadMeasures& head : heads) {
      const TemperatureGradients& g = (head.*variant).gradient[t];
      rows += static_cast<double>(g.rows);
      sum += g.mean_t_norm * static_cast<double>(g.rows);
      above += static_cast<double>(g.rows_above_printed_bound);
      largest = std::max(largest, g.largest_t_norm);
    }
    EXPECT_EQ(point["temperature"], temperature);
    EXPECT_EQ(point["rows"], rows);
    EXPECT_NEAR(point["mean_t_norm"], sum / rows, 1e-15);
    EXPECT_EQ(point["largest_t_norm"], largest);
    EXPECT_EQ(point["rows_above_printed_bound"], above);
    EXPECT_EQ(point["t_norm"], summary_of(heads, [&](const HeadMeasures& head) {
                return (head.*variant).gradient[t].largest_t_norm;
              }));
    ASSERT_EQ(point["step"].size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
      const json& step = point["step"][k];
      const double epsilon = std::vector{1e-3, 1e-1, 10.0}[k / 2];
      const auto quotient = [&](const HeadMeasures& head) {
        const TemperatureGradients& g = (head.*variant).gradient[t];
        return (k % 2 == 0 ? g.random : g.top)[k / 2].quotient;
      };
      double most = 0;
      for (const HeadMeasures& head : heads) most = std::max(most, quotient(head));
      EXPECT_EQ(step["epsilon"], epsilon);
      EXPECT_EQ(step["direction"], k % 2 == 0 ? "random" : "top");
      EXPECT_EQ(step["largest"], most);
      EXPECT_EQ(step["largest_by_head"], summary_of(heads, quotient));
      EXPECT_EQ(step["printed_bound"], std::min(1 / (4 * temperature), std::numbers::sqrt2));
      const double diameter = std::numbers::sqrt2;
      EXPECT_DOUBLE_EQ(step["true_bound"].get<double>(),
                       diameter / epsilon * std::tanh(epsilon / (2 * diameter * temperature)));
    }
  }
  EXPECT_EQ(at, 4U);
}

TEST(Figures, SinkIsTheShareOfTheFirstToken) {
  const Heads& heads = six_heads();
  const json points = figures_of(heads)["sink"];
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(points[l]["length"], (std::vector{4, 10, 26}[l]));
    EXPECT_EQ(points[l]["samples"], 6);
    EXPECT_EQ(points[l]["share"],
              summary_of(heads, [&](const HeadMeasures& head) { return head.sink_share[l]; }));
  }
}

TEST(Figures, NaNOfOneHeadIsNull) {
  Heads heads = six_heads();
  heads[2].full.lengths[2].selection[1].distance = kNaN;
  heads[4].sink_share[0] = kNaN;
  const json all = figures_of(heads);
  EXPECT_TRUE(all["distance_by_length"][1]["distance"].is_null());
  EXPECT_TRUE(all["distance_by_n"][1]["distance"].is_null());
  EXPECT_TRUE(all["distance_by_n"][1]["bound"].is_object());
  EXPECT_TRUE(all["sink"][0]["share"].is_null());
}

TEST(Figures, QueriesOfZeroLeaveNoWeightsToSelfAdjustedSoftmax) {
  const MeasurePlan plan{.selection = {.rows = {1, 2, 3, 4}, .counts = {2}, .draws = 2},
                         .lengths = {5},
                         .temperatures = {1},
                         .seed = 3};
  Heads heads;
  for (const double sharpness : {0.0, 0.5, 1.0, 1.5, 2.0}) {
    heads.push_back(
        measure_head(random_head(5, 4, 3, sharpness, 80), plan, [](const RowSelections&) {}));
  }
  const json all = figures_of(heads);
  for (const json& point : all["normalizers"]) {
    const bool none = point["name"] == "Self-Adjusted Softmax";
    for (const char* number : {"critical_n_full", "share", "largest_weight", "entropy", "norm"}) {
      EXPECT_EQ(point[number].is_null(), none) << point["name"] << " " << number;
    }
  }
  for (const json& point : all["critical_n"]) EXPECT_FALSE(point["n"].is_null());
}

TEST(Figures, TwoTokensHaveNothingWithoutTheFirst) {
  MeasurePlan plan{.selection = {.rows = {1}, .counts = {1}, .draws = 2},
                   .lengths = {2},
                   .temperatures = {1},
                   .seed = 3};
  const Heads heads = {
      measure_head(random_head(2, 4, 3, 1, 80), plan, [](const RowSelections&) {})};
  const json all = figures_of(heads);
  EXPECT_TRUE(all["critical_n"].empty()) << "one head has none";
  for (const char* figure :
       {"distance_by_length", "distance_by_n", "separability", "gradient", "normalizers"}) {
    ASSERT_FALSE(all[figure].empty());
    for (const json& point : all[figure]) EXPECT_EQ(point["without_first"], false) << figure;
  }
  EXPECT_FALSE(record_of(heads[0]).contains("without_first"));
}

/// The numbers of one variant of one of the six heads.
void expect_numbers(const json& record, const HeadVariant& variant) {
  const SelectionMeans& means = variant.means.back();
  EXPECT_EQ(record["n"], 12);
  EXPECT_EQ(record["distance"], means.distance);
  EXPECT_EQ(record["distance_over_bound"], means.distance_over_bound);
  EXPECT_EQ(record["share"], means.share);
  EXPECT_EQ(record["random_share"], means.random_share);
  EXPECT_EQ(record["f_score"], means.f_score);
  // At the model's own T, the second of the two.
  EXPECT_EQ(record["largest_t_norm"], variant.gradient[1].largest_t_norm);
}

TEST(HeadRecords, AreOneObjectAHead) {
  const Heads& heads = six_heads();
  for (std::size_t h = 0; h < 6; ++h) {
    const json record = record_of(heads[h]);
    EXPECT_EQ(record["layer"], h / 3);
    EXPECT_EQ(record["head"], h % 3);
    EXPECT_EQ(record["rows"], kTokens - 1);
    EXPECT_EQ(record["sink_share"], heads[h].mean_sink_share);
    expect_numbers(record, heads[h].full);
    const json& rest = record["without_first"];
    EXPECT_EQ(rest["rows"], kTokens - 2);
    EXPECT_EQ(rest["sink_share"], heads[h].mean_next_sink_share);
    expect_numbers(rest, heads[h].without_first);
  }
}

TEST(HeadRecords, TakeTheLargestNThatAnyRowHas) {
  const Heads heads = measured(10);  // N = 12 applies to no row
  const json record = record_of(heads[0]);
  EXPECT_EQ(record["n"], 5);
  EXPECT_EQ(record["share"], heads[0].full.means[1].share);
}

TEST(HeadRecords, HaveNoGradientWithoutTheModelsTemperature) {
  Heads heads = six_heads();
  for (HeadMeasures& head : heads) head.temperature = 5;
  const json record = record_of(heads[0]);
  EXPECT_FALSE(record.contains("rows"));
  EXPECT_FALSE(record.contains("largest_t_norm"));
}

}  // namespace
}  // namespace attn::gpt2
