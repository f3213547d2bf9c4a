#include "reports/record/measurements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "reports/tests/sample_measurements.hpp"
#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using enum BadInputKind;

TEST(Measurements, ReadsEveryFieldOfTheContract) {
  const Measurements all = measurements_from(sample_measurements(2, 3));
  const Figures& figures = all.figures;
  ASSERT_EQ(figures.distance_by_length.size(), 12u);
  const DistancePoint& distance = figures.distance_by_length.front();
  EXPECT_EQ(distance.length, 32);
  EXPECT_EQ(distance.n, 5);
  EXPECT_FALSE(distance.without_first);
  EXPECT_TRUE(figures.distance_by_length.back().without_first);
  ASSERT_TRUE(distance.expected_full);
  EXPECT_DOUBLE_EQ(distance.expected_full->mean, 0.6 * 32);
  EXPECT_TRUE(distance.distance && distance.expected_factor && distance.bound &&
              distance.sharp_bound);
  EXPECT_FALSE(figures.critical_n[0].n) << "null: none";
  EXPECT_EQ(figures.critical_n[1].n, 2.0);
  const SeparabilityPoint& share = figures.separability[1];
  EXPECT_TRUE(share.share && share.random_share && share.precision && share.recall &&
              share.f_score && share.lower_bound && share.lower_bound_sharp && share.upper_bound &&
              share.share_all_rows && share.random_share_all_rows && share.length);
  const GradientPoint& gradient = figures.gradient.front();
  ASSERT_EQ(gradient.steps.size(), 6u);
  EXPECT_EQ(gradient.steps[5].direction, Direction::top);
  EXPECT_TRUE(gradient.steps[5].largest_by_head);
  EXPECT_TRUE(gradient.steps[0].largest && gradient.steps[0].printed_bound &&
              gradient.steps[0].true_bound && gradient.t_norm && gradient.rows);
  EXPECT_TRUE(figures.sink[0].share);
  EXPECT_FALSE(figures.normalizers[1].critical_n_full);
  EXPECT_TRUE(figures.normalizers[1].entropy);
  EXPECT_FALSE(figures.normalizers.front().without_first);
  EXPECT_TRUE(figures.normalizers.back().without_first);
  EXPECT_EQ(all.abstract[0].agrees, false);
  EXPECT_EQ(all.abstract[0].points.size(), 2u);
  ASSERT_EQ(all.heads.size(), 6u);
  EXPECT_EQ(all.heads[4].layer, 1u);
  EXPECT_EQ(all.heads[4].claims.at("corollary3").cases, 104u);
  const HeadRecord& head = all.heads[0];
  EXPECT_TRUE(head.rows && head.n && head.sink_share && head.distance && head.distance_over_bound &&
              head.share && head.random_share && head.f_score && head.largest_t_norm);
  ASSERT_TRUE(head.without_first);
  const HeadNumbers& rest = *head.without_first;
  EXPECT_TRUE(rest.rows && rest.n && rest.distance && rest.distance_over_bound && rest.share &&
              rest.random_share && rest.f_score && rest.largest_t_norm);
  EXPECT_FALSE(rest.sink_share);
}

TEST(Measurements, ReadsWhatThereIs) {
  for (const json& block :
       {json::object(), json{{"figures", nullptr}}, json{{"figures", json::object()}},
        json{{"heads", 144}}, json{{"figures", {{"critical_n", json::array()}}}},
        json{{"figures", {{"distance_by_n", {{{"n", 1}, {"length", 32.0}}}}}}},
        json{{"figures", {{"gradient", {{{"temperature", 8}, {"rows", 48}}}}}}}}) {
    EXPECT_NO_THROW(measurements_from(block)) << block;
  }
}

struct Break {
  BadInputParts parts;
  std::function<void(json&)> apply;
};

TEST(Measurements, NamesThePathOfWhatIsWrong) {
  const Break breaks[] = {
      {{.kind = malformed, .where = "at /gpt2", .expected = "an object"}, [](json& d) { d = 3; }},
      {{.kind = malformed, .where = "/gpt2/figures", .expected = "an object"},
       [](json& d) { d["figures"] = "none"; }},
      {{.kind = malformed, .where = "/gpt2/figures/sink", .expected = "an array"},
       [](json& d) { d["figures"]["sink"] = 1; }},
      {{.kind = missing, .where = "/gpt2/figures/sink/0", .expected = "\"length\""},
       [](json& d) { d["figures"]["sink"][0].erase("length"); }},
      {{.kind = out_of_range,
        .where = "/gpt2/figures/sink/0/length",
        .expected = "a finite number"},
       [](json& d) { d["figures"]["sink"][0]["length"] = "inf"; }},
      {{.kind = missing, .where = "/gpt2/figures/sink/1/share", .expected = "\"q3\""},
       [](json& d) { d["figures"]["sink"][1]["share"].erase("q3"); }},
      {{.kind = malformed, .where = "/gpt2/figures/sink/1/share/mean", .expected = "a number"},
       [](json& d) { d["figures"]["sink"][1]["share"]["mean"] = {1}; }},
      {{.kind = unknown_name,
        .where = "/gpt2/figures/critical_n/0/reading",
        .expected = "one of \"full\", \"factor\""},
       [](json& d) { d["figures"]["critical_n"][0]["reading"] = "half"; }},
      {{.kind = malformed,
        .where = "/gpt2/figures/critical_n/0/without_first",
        .expected = "true or false"},
       [](json& d) { d["figures"]["critical_n"][0]["without_first"] = 1; }},
      {{.kind = unknown_name,
        .where = "/gpt2/figures/gradient/0/step/2/direction",
        .expected = "one of \"random\", \"top\""},
       [](json& d) { d["figures"]["gradient"][0]["step"][2]["direction"] = "up"; }},
      {{.kind = malformed,
        .where = "/gpt2/figures/gradient/0/rows",
        .expected = "a non-negative integer"},
       [](json& d) { d["figures"]["gradient"][0]["rows"] = -1; }},
      {{.kind = malformed, .where = "/gpt2/figures/separability/3/n", .expected = "a number"},
       [](json& d) { d["figures"]["separability"][3]["n"] = "five"; }},
      {{.kind = malformed, .where = "/gpt2/figures/normalizers/0/name", .expected = "a string"},
       [](json& d) { d["figures"]["normalizers"][0]["name"] = 1; }},
      {{.kind = malformed, .where = "/gpt2/figures/distance_by_n/0/bound", .expected = "an object"},
       [](json& d) { d["figures"]["distance_by_n"][0]["bound"] = 7; }},
      {{.kind = malformed, .where = "/gpt2/abstract/1/agrees", .expected = "true or false"},
       [](json& d) { d["abstract"][1]["agrees"] = "yes"; }},
      {{.kind = malformed, .where = "/gpt2/abstract/0/points/1/n", .expected = "a number"},
       [](json& d) { d["abstract"][0]["points"][1]["n"] = {1}; }},
      {{.kind = out_of_range, .where = "/gpt2/heads/0/layer", .expected = "an index below 4096"},
       [](json& d) { d["heads"][0]["layer"] = 4000000000u; }},
      {{.kind = malformed, .where = "/gpt2/heads/2/share", .expected = "a number"},
       [](json& d) { d["heads"][2]["share"] = true; }},
  };
  for (const Break& broken : breaks) {
    json block = sample_measurements(2, 3);
    broken.apply(block);
    EXPECT_BAD_INPUT(measurements_from(block), broken.parts);
  }
}

}  // namespace
}  // namespace attn::report
