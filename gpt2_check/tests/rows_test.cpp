// The checks on rows of attention: the double filter of a head against the exact case, the checks
// of a whole source, and the recorded activations of GPT-2 124M where they are.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "gpt2_check/activations/recording.hpp"
#include "gpt2_check/rows/figures.hpp"
#include "gpt2_check/rows/head_filter.hpp"
#include "gpt2_check/rows/stage.hpp"
#include "reports/judge.hpp"
#include "reports/report_json.hpp"
#include "theory/catalogue.hpp"

namespace attn::gpt2 {
namespace {

constexpr std::int64_t kTokens = 24;

at::Tensor random(std::int64_t heads, std::int64_t width, double scale, std::uint64_t seed) {
  at::Generator generator = at::detail::createCPUGenerator(seed);
  return scale * at::randn({kTokens, heads, width}, generator, at::kDouble);
}

LayerRows layer_of(std::int64_t layer, double scale) {
  const auto seed = static_cast<std::uint64_t>(10 * layer);
  return {.layer = layer,
          .temperature = 2.0,
          .q = random(3, 4, scale, seed),
          .k = random(3, 4, 1.0, seed + 1),
          .v = random(3, 4, 1.0, seed + 2),
          .pattern = {}};
}

/// Layers with flat, moderate and peaked attention.
class RandomSource : public ActivationSource {
 public:
  RandomSource() {
    for (const double scale : {0.1, 1.0, 8.0}) {
      layers_.push_back(layer_of(static_cast<std::int64_t>(layers_.size()), scale));
    }
  }
  [[nodiscard]] ActivationShape shape() const override {
    return {.layers = 3, .heads = 3, .positions = kTokens, .head_width = 4};
  }
  [[nodiscard]] std::string model_name() const override { return "random"; }
  [[nodiscard]] std::string sha256() const override { return "none"; }
  [[nodiscard]] const std::vector<std::int64_t>& tokens() const override { return tokens_; }
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override {
    for (const LayerRows& layer : layers_) visit(layer);
  }

 private:
  std::vector<LayerRows> layers_;
  std::vector<std::int64_t> tokens_;
};

CheckPlan plan_of_all_rows() {
  CheckPlan plan{.stage = "gpt2", .rows = {}, .top_n = {1, 2, 5}, .temperatures = {}, .seed = 7};
  for (std::int64_t row = 1; row < kTokens; ++row) plan.rows.push_back(row);
  return plan;
}

report::Report check(unsigned threads) {
  RandomSource source;
  return check_source(source, plan_of_all_rows(), {8, kTokens}, threads,
                      [](std::int64_t, std::int64_t) {});
}

const report::ClaimRecord& record_of(const report::Report& report, std::string_view id) {
  const auto found = std::ranges::find(report.claims, id, &report::ClaimRecord::id);
  if (found == report.claims.end()) throw std::logic_error("no such record");
  return *found;
}

/// Some number lies in both enclosures: both are of the same exact number.
template <unsigned D>
bool meet(const ErrorDouble& a, const Interval<D>& b) {
  using Traits = ScalarTraits<Interval<D>>;
  return Real<D>(a.lower()) <= Traits::upper(b) && Traits::lower(b) <= Real<D>(a.upper());
}

void expect_same_terms(const DistanceTerms<ErrorDouble>& filter, const Case& input) {
  const Problem problem(input);
  const auto exact = distance_terms<Interval<50>>(problem);
  EXPECT_TRUE(meet(filter.distance, exact.distance));
  EXPECT_TRUE(meet(filter.mass, exact.mass));
  EXPECT_TRUE(meet(filter.outside, exact.outside));
  EXPECT_TRUE(meet(filter.spread, exact.spread));
  EXPECT_TRUE(meet(filter.radius, exact.radius));
  EXPECT_TRUE(meet(filter.mismatch, exact.mismatch));
  EXPECT_TRUE(meet(filter.excess, exact.excess));
  // A bound that says nothing would meet anything.
  EXPECT_LT(filter.distance.error(), 1e-10 * filter.distance.value());
  EXPECT_LT(filter.spread.error(), 1e-13 * filter.spread.value());
}

void expect_same_parts(const CentredTerms<ErrorDouble>& filter, const Case& input) {
  const Problem problem(input);
  const auto exact = centred_terms<Interval<50>>(problem);
  EXPECT_TRUE(meet(filter.core, exact.core));
  EXPECT_TRUE(meet(filter.around, exact.around));
  EXPECT_LT(filter.core.error(), 1e-10 * std::abs(filter.core.value()));
  EXPECT_LT(filter.around.error(), 1e-10 * filter.around.value());
}

void expect_same_difference(const ErrorDouble& beyond, const Case& input) {
  const Problem problem(input);
  const auto exact = Interval<50>(distance_terms<Interval<50>>(problem).distance -
                                  centred_terms<Interval<50>>(problem).core);
  EXPECT_TRUE(meet(beyond, exact));
  EXPECT_LT(beyond.error(), 1e-10 * std::abs(beyond.value()));
}

TEST(RowFilter, EnclosesTheExactTermsOfTheorem1) {
  for (const double scale : {0.1, 1.0, 8.0}) {
    const LayerRows layer = layer_of(1, scale);
    for (std::int64_t head = 0; head < 3; ++head) {
      const HeadFilter filter(layer, head);
      for (const std::int64_t t : {1, 2, 7, 23}) {
        const Row row{.head = head, .row = t, .temperature = 2.0};
        const RowFilter weights(filter, row);
        const std::vector<std::size_t> last = {static_cast<std::size_t>(t)};
        expect_same_terms(weights.terms(last), exact_case_set(layer, row, last));
        ASSERT_TRUE(weights.certainly_top(1));
        expect_same_terms(weights.terms({weights.order().data(), 1}),
                          exact_case_top_n(layer, row, 1));
        expect_same_difference(weights.beyond_core({weights.order().data(), 1}),
                               exact_case_top_n(layer, row, 1));
        expect_same_parts(weights.centred_terms({weights.order().data(), 1}),
                          exact_case_top_n(layer, row, 1));
      }
    }
  }
}

TEST(RowFilter, EnclosesTheGradientsNorm) {
  const LayerRows layer = layer_of(1, 1.0);
  const HeadFilter filter(layer, 2);
  for (std::int64_t t = 1; t < kTokens; ++t) {
    const Row row{.head = 2, .row = t, .temperature = 2.0};
    const auto sorted = RowFilter(filter, row).sorted();
    ASSERT_TRUE(sorted.has_value());
    const Case input = exact_case(layer, row);
    const auto exact = sorted_softmax<Interval<50>>(Problem(input));
    EXPECT_TRUE(meet(softmax_jacobian_norm(*sorted), softmax_jacobian_norm(exact)));
    EXPECT_TRUE(meet(sorted->rest, exact.rest));
  }
}

TEST(RowFilter, DoesNotPretendToKnowTheOrderOfEqualLogits) {
  LayerRows layer = layer_of(1, 1.0);
  layer.k.select(0, 1).copy_(layer.k.select(0, 0));
  layer.q.mul_(0);
  const HeadFilter filter(layer, 0);
  const RowFilter weights(filter, {.head = 0, .row = 4, .temperature = 2.0});
  EXPECT_FALSE(weights.certainly_top(1));
  EXPECT_FALSE(weights.sorted().has_value());
}

TEST(RowFilter, CountsDistinguishableTokens) {
  LayerRows layer = layer_of(1, 1.0);
  const HeadFilter filter(layer, 0);
  const RowFilter weights(filter, {.head = 0, .row = 9, .temperature = 2.0});
  const std::vector<std::size_t> one = {3};
  // A single token is s itself.
  EXPECT_EQ(weights.distinguishable_share(one), 1.0);
}

TEST(ExactCase, HoldsEveryNumberExactly) {
  const LayerRows layer = layer_of(1, 1.0);
  const Case input = exact_case_top_n(layer, {.head = 1, .row = 3, .temperature = 2.5}, 2);
  ASSERT_EQ(input.logits.size(), 4U);
  ASSERT_EQ(input.embeddings.size(), 4U);
  EXPECT_EQ(input.temperature, Rational(5, 2));
  EXPECT_EQ(input.top_n, 2U);
  Rational dot = 0;
  for (std::int64_t c = 0; c < 4; ++c) {
    dot += exact(layer.q[3][1][c].item<double>()) * exact(layer.k[2][1][c].item<double>());
  }
  EXPECT_EQ(input.logits[2], dot);
  EXPECT_EQ(input.embeddings[3][1], exact(layer.v[3][1][1].item<double>()));
}

TEST(CheckSource, CountsEveryRowOfEveryHead) {
  const report::Report report = check(1);
  const std::uint64_t rows = 9 * (kTokens - 1);
  EXPECT_EQ(report.claims.size(), row_claims().size());
  EXPECT_EQ(record_of(report, "corollary3.sharp").cases, rows);
  // N = 1 leaves a token out of every row, N = 2 of those with three tokens, N = 5 with six.
  const std::uint64_t sets = 9 * ((kTokens - 1) + (kTokens - 2) + (kTokens - 5));
  EXPECT_EQ(record_of(report, "theorem1.fixed").cases, sets);
  EXPECT_EQ(record_of(report, "theorem1.fixed.sharp.lower").cases, sets);
  EXPECT_EQ(record_of(report, "theorem1.fixed.any_set.repaired").cases, sets);
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_EQ(record.undecided, 0U) << record.id;
    EXPECT_EQ(record.outcome, "as expected") << record.id;
    EXPECT_TRUE(record.worst.has_value()) << record.id;
  }
}

TEST(CheckSource, AgreesWithTheLadderOnEveryRow) {
  RandomSource source;
  const report::Report report = check(2);
  for (const char* id : {"corollary3", "corollary3.local.upper", "lemma2", "lemma2.oblique"}) {
    std::uint64_t violated = 0;
    std::uint64_t equal = 0;
    source.for_each_layer([&](const LayerRows& layer) {
      for (std::int64_t head = 0; head < 3; ++head) {
        for (std::int64_t row = 1; row < kTokens; ++row) {
          const Case input =
              exact_case(layer, {.head = head, .row = row, .temperature = layer.temperature});
          const Verdict verdict = certify(find_claim(id), input).decision.verdict;
          violated += verdict == Verdict::violated ? 1 : 0;
          equal += verdict == Verdict::equal ? 1 : 0;
        }
      }
    });
    EXPECT_EQ(record_of(report, id).violated, violated) << id;
    EXPECT_EQ(record_of(report, id).equal, equal) << id;
  }
}

TEST(CheckSource, GivesTheSameReportForAnyNumberOfThreads) {
  const auto one = report::to_json(check(1));
  EXPECT_EQ(one, report::to_json(check(2)));
  EXPECT_EQ(one, report::to_json(check(3)));
}

TEST(CheckSource, ReportsFiguresAndHeads) {
  const report::Report report = check(2);
  const nlohmann::json& gpt2 = *report.gpt2;
  EXPECT_EQ(gpt2.at("heads").size(), 9U);
  const nlohmann::json& by_length = gpt2.at("figures").at("distance_by_length");
  ASSERT_EQ(by_length.size(), 2U);
  EXPECT_EQ(by_length[0].at("length"), 8.0);
  EXPECT_EQ(by_length[0].at("n"), 5);
  for (const auto& point : gpt2.at("figures").at("distance_by_n")) {
    EXPECT_LE(point.at("distance").at("mean"), point.at("bound").at("mean"));
  }
  // At N = 1 the selected token is s itself, whichever it is.
  EXPECT_EQ(gpt2.at("figures").at("separability")[0].at("share").at("min"), 1.0);
  EXPECT_EQ(gpt2.at("figures").at("separability")[0].at("random_share").at("min"), 1.0);
  const nlohmann::json& gradient = gpt2.at("figures").at("gradient").at(0);
  EXPECT_EQ(gradient.at("rows_above_printed_bound"), record_of(report, "corollary3").violated);
  EXPECT_LE(gradient.at("largest_t_norm"), 0.5);
}

TEST(RealActivations, DecideEveryHeadOfGpt2) {
  const char* path = std::getenv("ATTN_REAL_ACTIVATIONS");
  if (path == nullptr) GTEST_SKIP() << "ATTN_REAL_ACTIVATIONS does not name a recording";
  Recording source(path);
  ASSERT_EQ(source.shape().layers, 12);
  ASSERT_EQ(source.shape().heads, 12);
  ASSERT_EQ(source.shape().positions, 9);
  CheckPlan plan{.stage = "activations",
                 .rows = {1, 2, 3, 4, 5, 6, 7, 8},
                 .top_n = {1, 5},
                 .temperatures = {},
                 .seed = 1};
  const report::Report report =
      check_source(source, plan, {9}, 2, [](std::int64_t, std::int64_t) {});
  EXPECT_EQ(record_of(report, "corollary3").cases, 144U * 8U);
  // 41 % of the rows have ||diag a - a a^T|| > 1/4.
  EXPECT_EQ(record_of(report, "corollary3").violated, 470U);
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_EQ(record.outcome, "as expected") << record.id;
    if (record.status == "proved") {
      EXPECT_EQ(record.violated, 0U) << record.id;
    }
  }
  // The pattern was recorded in float32.
  for (const auto& difference : report.gpt2->at("pattern_difference_by_layer")) {
    EXPECT_LE(difference.get<double>(), 1e-6);
  }
}

}  // namespace
}  // namespace attn::gpt2
