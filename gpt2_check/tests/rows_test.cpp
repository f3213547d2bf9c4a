// The checks on rows of attention: the double filter of a head against the exact case, the checks
// of a whole source, and the recorded activations of GPT-2 124M where they are.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/bound_pair.hpp"
#include "gpt2_check/rows/head_check.hpp"
#include "gpt2_check/rows/head_result.hpp"
#include "gpt2_check/rows/largest_steps.hpp"
#include "gpt2_check/rows/row_mutants.hpp"
#include "gpt2_check/rows/stage.hpp"
#include "reports/io/record_json.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/mutant.hpp"

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
          .hidden = random(1, 6, 1.0, seed + 3).squeeze(1),
          .pattern = {}};
}

/// Layers with flat, moderate and peaked attention.
class RandomSource : public ActivationSource {
 public:
  explicit RandomSource(std::int64_t tokens = kTokens) : positions_(tokens) {
    for (const double scale : {0.1, 1.0, 8.0}) {
      LayerRows layer = layer_of(static_cast<std::int64_t>(layers_.size()), scale);
      for (at::Tensor* rows : {&layer.q, &layer.k, &layer.v, &layer.hidden}) {
        *rows = rows->slice(0, 0, tokens).contiguous();
      }
      layers_.push_back(layer);
    }
  }
  [[nodiscard]] ActivationShape shape() const override {
    return {.layers = 3, .heads = 3, .positions = positions_, .head_width = 4, .key_heads = 3};
  }
  [[nodiscard]] std::string model_name() const override { return "random"; }
  [[nodiscard]] std::string sha256() const override { return "none"; }
  [[nodiscard]] const std::vector<std::int64_t>& tokens() const override { return tokens_; }
  void for_each_layer(Embedding, const std::function<void(const LayerRows&)>& visit) override {
    for (const LayerRows& layer : layers_) visit(layer);
  }

 private:
  std::int64_t positions_;
  std::vector<LayerRows> layers_;
  std::vector<std::int64_t> tokens_;
};

CheckPlan plan_of_all_rows() {
  CheckPlan plan{.stage = report::Stage::gpt2,
                 .embedding = Embedding::value,
                 .measures = {.selection = {.rows = {}, .counts = {1, 2, 5}, .draws = 4},
                              .lengths = {8, kTokens},
                              .temperatures = {0.01, 1, 10},
                              .seed = 7},
                 .temperatures = {}};
  for (std::int64_t row = 1; row < kTokens; ++row) plan.measures.selection.rows.push_back(row);
  return plan;
}

/// Ends in its last layer, while heads of the one before it may be at work.
class BrokenSource : public RandomSource {
 public:
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override {
    RandomSource::for_each_layer(embedding, [&](const LayerRows& layer) {
      if (layer.layer == 2) throw std::runtime_error("layer 2");
      visit(layer);
    });
  }
};

report::Report check(const CheckPlan& plan, int threads) {
  set_threads(threads);
  RandomSource source;
  return check_source(source, plan, [](std::int64_t, std::int64_t) {});
}

report::Report check(int threads) {
  return check(plan_of_all_rows(), threads);
}

const report::ClaimRecord& record_of(const report::Report& report, std::string_view id) {
  const auto found = std::ranges::find(report.claims, id, &report::ClaimRecord::id);
  if (found == report.claims.end()) throw std::logic_error("no such record");
  return *found;
}

/// Some number lies in both enclosures: both are of the same exact number.
bool meet(const ErrorDouble& a, const Interval& b) {
  return a.lower() <= b.upper() && b.lower() <= a.upper();
}

void expect_same_terms(const DistanceTerms<ErrorDouble>& filter, const Case& input) {
  const CaseContext problem(input);
  const auto exact = distance_terms<Interval>(problem);
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
  const CaseContext problem(input);
  const auto exact = centred_terms<Interval>(problem);
  EXPECT_TRUE(meet(filter.core, exact.core));
  EXPECT_TRUE(meet(filter.around, exact.around));
  EXPECT_LT(filter.core.error(), 1e-10 * std::abs(filter.core.value()));
  EXPECT_LT(filter.around.error(), 1e-10 * filter.around.value());
}

void expect_same_difference(const ErrorDouble& beyond, const Case& input) {
  const CaseContext problem(input);
  const auto exact =
      Interval(distance_terms<Interval>(problem).distance - centred_terms<Interval>(problem).core);
  EXPECT_TRUE(meet(beyond, exact));
  EXPECT_LT(beyond.error(), 1e-10 * std::abs(beyond.value()));
}

Head head_at(double scale, std::int64_t head) {
  return head_of(layer_of(1, scale), head, Embedding::value, 2.0);
}

/// Calls use(row, selections) for some rows of heads with flat, moderate and peaked attention.
template <class Use>
void for_some_rows(const std::vector<std::size_t>& counts, Use use) {
  for (const double scale : {0.1, 1.0, 8.0}) {
    for (std::int64_t index = 0; index < 3; ++index) {
      const Head head = head_at(scale, index);
      const SelectionPlan plan{
          .rows = {1, 2, 7, 23}, .counts = counts, .draws = 1, .for_claims = true};
      std::mt19937_64 stream(3);
      for_each_row(head, 2.0, plan, stream, [&](const RowSelections& selections) {
        use(head, Row{.row = selections.row, .temperature = 2.0}, selections);
      });
    }
  }
}

TEST(CheckSource, ThrowsWhatTheSourceThrows) {
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    BrokenSource source;
    EXPECT_THROW(check_source(source, plan_of_all_rows(), [](std::int64_t, std::int64_t) {}),
                 std::runtime_error);
  }
  set_threads(1);
}

TEST(CheckSource, ThrowsWhatItsProgressThrows) {
  set_threads(2);
  RandomSource source;
  const auto at_the_end = [](std::int64_t done, std::int64_t all) {
    if (done == all) throw std::runtime_error("progress");
  };
  EXPECT_THROW(check_source(source, plan_of_all_rows(), at_the_end), std::runtime_error);
  set_threads(1);
}

TEST(SetTerms, EncloseTheExactTermsOfTheorem1) {
  int sets = 0;
  for_some_rows({1, 2, 6, 23},
                [&](const Head& head, const Row& row, const RowSelections& selections) {
                  for (std::size_t c = 0; c < selections.top.size(); ++c) {
                    const std::size_t n = selections.measures[c].n;
                    ASSERT_TRUE(selections.weights->certainly_top(n));
                    const Case top = exact_top_n(head, row, n);
                    expect_same_terms(selections.top[c].theorem1, top);
                    expect_same_parts(selections.top[c].centred, top);
                    expect_same_difference(selections.top[c].outside.beyond_core, top);
                    const auto set = selections.random_order.first(n);
                    std::vector<std::size_t> random(set.begin(), set.end());
                    std::ranges::sort(random);
                    expect_same_terms(selections.random[c].theorem1, exact_set(head, row, random));
                    ++sets;
                  }
                });
  EXPECT_EQ(sets, 9 * (1 + 2 + 3 + 4));
}

TEST(RowWeights, EncloseTheGradientsNorm) {
  for_some_rows({1}, [](const Head& head, const Row& row, const RowSelections& selections) {
    const auto sorted = selections.weights->sorted();
    ASSERT_TRUE(sorted.has_value());
    const Case input = exact_logits(head, row);
    const auto exact = sorted_softmax<Interval>(CaseContext(input));
    EXPECT_TRUE(meet(softmax_jacobian_norm(*sorted), softmax_jacobian_norm(exact)));
    EXPECT_TRUE(meet(sorted->rest, exact.rest));
  });
}

TEST(RowWeights, DoNotPretendToKnowTheOrderOfEqualLogits) {
  LayerRows layer = layer_of(1, 1.0);
  layer.q.mul_(0);
  const Head head = head_of(layer, 0, Embedding::value, 2.0);
  const RowWeights weights(HeadLogits(head).row(4), 2.0, 3);
  EXPECT_FALSE(weights.certainly_top(1));
  EXPECT_FALSE(weights.sorted().has_value());
  EXPECT_EQ(weights.order().front(), 0U);
}

TEST(ExactCase, HoldsEveryNumberExactly) {
  const LayerRows layer = layer_of(1, 1.0);
  const Head head = head_of(layer, 1, Embedding::value, 2.5);
  const Row row{.row = 3, .temperature = 2.5};
  const Case input = exact_top_n(head, row, 2);
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
  EXPECT_EQ(exact_query_keys(head, row).keys[2][3], exact(layer.k[2][1][3].item<double>()));
  EXPECT_EQ(exact_step(head, row, 0.5, 2, 1).direction, (std::vector<Rational>{0, -1, 1, 0}));
}

TEST(HeadOf, TakesTheResidualStreamWhereAskedTo) {
  const LayerRows layer = layer_of(1, 1.0);
  const Head head = head_of(layer, 2, Embedding::hidden, 2.0);
  EXPECT_EQ(head.x.cols(), 6);
  EXPECT_EQ(head.x(5, 4), layer.hidden[5][4].item<double>());
  EXPECT_EQ(head.k(5, 3), layer.k[5][2][3].item<double>());
}

/// What some claims would need that no row here meets.
const std::map<std::string, std::string> kOtherRows = {
    {"separability.share.lower", "rows with N > 16"},
    {"separability.share.upper", "rows with N > 16"},
    {"theorem2.lower.exclusive", "rows with dimension 1 and delta = 0"}};

TEST(CheckSource, CountsEveryRowOfEveryHead) {
  const report::Report report = check(1);
  const std::uint64_t rows = 9 * (kTokens - 1);
  // Beside the claims on every row the two on a finite step. No row meets the assumptions of three.
  EXPECT_EQ(report.claims.size(), row_claims().size() + 2 - kOtherRows.size());
  EXPECT_EQ(report.gpt2->not_covered, kOtherRows);
  EXPECT_EQ(record_of(report, "corollary3.sharp").cases, rows);
  // N = 1 leaves a token out of every row, N = 2 of those with three tokens, N = 5 with six.
  const std::uint64_t sets = 9 * ((kTokens - 1) + (kTokens - 2) + (kTokens - 5));
  EXPECT_EQ(record_of(report, "theorem1.fixed").cases, sets);
  EXPECT_EQ(record_of(report, "theorem1.fixed.sharp.lower").cases, sets);
  EXPECT_EQ(record_of(report, "theorem1.fixed.any_set.repaired").cases, sets);
  EXPECT_EQ(record_of(report, "lemma1.upper.sharp").cases, rows);
  EXPECT_EQ(record_of(report, "corollary1.lower").cases, rows);
  EXPECT_EQ(record_of(report, "corollary3.step").cases, 3 * kStepLengths.size());
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_EQ(record.undecided, record.sampled_open) << record.id;
    EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
    EXPECT_EQ(record.worst.has_value(), record.cases > record.assumption_not_met) << record.id;
  }
}

TEST(CheckSource, AgreesWithTheLadderOnEveryRow) {
  RandomSource source;
  const report::Report report = check(2);
  for (const char* id :
       {"lemma1.lower", "lemma1.upper.sharp", "corollary1.upper", "corollary3",
        "corollary3.local.upper", "lemma2", "lemma2.oblique", "cage.norm", "norm_based.largest"}) {
    std::uint64_t violated = 0;
    std::uint64_t equal = 0;
    source.for_each_layer(Embedding::value, [&](const LayerRows& layer) {
      for (std::int64_t index = 0; index < 3; ++index) {
        const Head head = head_of(layer, index, Embedding::value, layer.temperature);
        for (std::int64_t t = 1; t < kTokens; ++t) {
          const Row row{.row = t, .temperature = layer.temperature};
          const Case input = exact_case(head, find_claim(id).kind, {.row = row, .n = 0, .set = {}});
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
  const nlohmann::json gpt2(report::json_of(*report.gpt2));
  EXPECT_EQ(gpt2.at("heads").size(), 9U);
  const nlohmann::json& figures = gpt2.at("figures");
  // Two lengths, with and without the first token.
  ASSERT_EQ(figures.at("distance_by_length").size(), 4U);
  EXPECT_EQ(figures.at("distance_by_length")[0].at("length"), 8);
  EXPECT_EQ(figures.at("distance_by_length")[0].at("n"), 5);
  for (const auto& point : figures.at("distance_by_n")) {
    EXPECT_LE(point.at("distance").at("mean"), point.at("sharp_bound").at("mean"));
    EXPECT_LE(point.at("sharp_bound").at("mean"), point.at("bound").at("mean"));
  }
  // At N = 1 the selected token is s itself, whichever it is.
  EXPECT_EQ(figures.at("separability")[0].at("share").at("min"), 1.0);
  EXPECT_EQ(figures.at("separability")[0].at("random_share").at("min"), 1.0);
  EXPECT_EQ(figures.at("critical_n").size(), 8U);
  EXPECT_EQ(figures.at("gradient").size(), 6U);
  EXPECT_EQ(figures.at("sink").size(), 2U);
  EXPECT_EQ(figures.at("normalizers").size(), 2UL * 2 * normalizer_settings().size());
  EXPECT_EQ(gpt2.at("abstract").size(), 2U);  // no N beyond 16
}

/// The sums of the heads' counts are those of the claims.
/// On every row, as on the cases of a search.
TEST(CheckSource, ComparesSharperBoundsWithThePrintedOnes) {
  const report::Report found = check(1);
  std::set<std::string> compared;
  for (const report::ComparisonRecord& record : found.comparisons) {
    compared.insert(record.sharp);
    EXPECT_EQ(find_claim(record.sharp).sharpens, record.printed);
    EXPECT_GT(record.tighter, 0U) << record.sharp;
    EXPECT_LE(record.tighter + record.as_tight + record.looser, record.cases) << record.sharp;
    if (record.sharp != "lemma2.sharp") {  // which is not always the tighter one
      EXPECT_EQ(record.looser, 0U) << record.sharp;
      EXPECT_GE(record.median_sharp, record.median_printed) << record.sharp;
    }
    const report::ClaimRecord& sharp = record_of(found, record.sharp);
    EXPECT_LE(record.cases, sharp.cases) << record.sharp;
  }
  for (const char* const claim : {"lemma1.lower.sharp", "corollary1.upper.sharp", "lemma2.sharp",
                                  "theorem1.fixed.sharp.upper", "theorem1.fixed.any_set.sharp"}) {
    EXPECT_TRUE(compared.contains(claim)) << claim;
  }
}

TEST(CheckSource, CountsFailingRowsOfEachHead) {
  const report::Report report = check(2);
  std::uint64_t violated = 0;
  for (const report::HeadRecord& head : report.gpt2->heads) {
    violated += head.claims.at("corollary3").violated;
  }
  EXPECT_EQ(violated, record_of(report, "corollary3").violated);
  EXPECT_GT(violated, 0U);
}

/// The worst row of a printed bound is an exact case that decides again as it was counted.
TEST(CheckSource, WorstRowsDecideAgain) {
  const report::Report report = check(2);
  for (const char* id : {"corollary3", "theorem1.fixed.any_set", "corollary3.step.printed"}) {
    const auto& worst = record_of(report, id).worst;
    ASSERT_TRUE(worst.has_value()) << id;
    EXPECT_EQ(decide(find_claim(id), read_case(find_claim(id), worst->input)).verdict,
              Verdict::violated)
        << id;
  }
}

/// x_0 against all other tokens, which are one vector: no row has u . x_0 >= 0.
class WithoutSink : public RandomSource {
 public:
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override {
    RandomSource::for_each_layer(embedding, [&](const LayerRows& layer) {
      layer.v.fill_(1);
      layer.v[0].fill_(-1);
      visit(layer);
    });
  }
};

TEST(CheckSource, SaysWhatRowsAClaimWouldNeedThatNoRowMeets) {
  WithoutSink source;
  report::Report report =
      check_source(source, plan_of_all_rows(), [](std::int64_t, std::int64_t) {});
  std::map<std::string, std::string> expected = kOtherRows;
  expected["sink.no_op"] = "rows with u . x_0 >= 0";
  EXPECT_EQ(report.gpt2->not_covered, expected);
  for (const report::ClaimRecord& record : report.claims) EXPECT_NE(record.id, "sink.no_op");
  report::complete(report);
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_NE(record.outcome, report::Outcome::missing) << record.id;
  }
}

TEST(CheckSource, ChecksEveryTemperatureGiven) {
  CheckPlan plan = plan_of_all_rows();
  plan.temperatures = {2.0, 5.0};
  const report::Report report = check(plan, 2);
  EXPECT_EQ(record_of(report, "corollary3.sharp").cases, 2UL * 9 * (kTokens - 1));
}

TEST(CheckSource, ReadsTheResidualStreamAndRanksByContribution) {
  CheckPlan plan = plan_of_all_rows();
  plan.embedding = Embedding::hidden;
  plan.measures.selection.rank = Rank::contribution;
  const report::Report report = check(plan, 2);
  EXPECT_EQ(report.gpt2->embedding, Embedding::hidden);
  EXPECT_EQ(report.gpt2->rank, Rank::contribution);
  const report::Report plain = check(2);
  EXPECT_NE(report::json_of(report.gpt2->figures.distance_by_n),
            report::json_of(plain.gpt2->figures.distance_by_n));
  for (const report::ClaimRecord& record : report.claims) {
    // So few rows have a sink here that a wrong version may pass.
    if (record.id == "sink.no_op") continue;
    EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
  }
}

/// Random attention on so many tokens, which notes what the process holds after each layer.
class LongSource : public ActivationSource {
 public:
  static constexpr std::int64_t kLayers = 5, kHeads = 2, kLength = 256, kWidth = 8;

  [[nodiscard]] ActivationShape shape() const override {
    return {.layers = kLayers,
            .heads = kHeads,
            .positions = kLength,
            .head_width = kWidth,
            .key_heads = kHeads};
  }
  [[nodiscard]] std::string model_name() const override { return "long"; }
  [[nodiscard]] std::string sha256() const override { return "none"; }
  [[nodiscard]] const std::vector<std::int64_t>& tokens() const override { return tokens_; }
  void for_each_layer(Embedding, const std::function<void(const LayerRows&)>& visit) override {
    at::Generator generator = at::detail::createCPUGenerator(3);
    const auto rows = [&] { return at::randn({kLength, kHeads, kWidth}, generator, at::kDouble); };
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
      visit({.layer = layer,
             .temperature = 2.0,
             .q = rows(),
             .k = rows(),
             .v = rows(),
             .hidden = {},
             .pattern = {}});
      const struct mallinfo2 heap = ::mallinfo2();
      held_.push_back(static_cast<double>(heap.uordblks + heap.hblkhd));
    }
  }

  /// What a layer added, in bytes: the least of all but the first, for lists of the whole run grow
  /// now and then.
  [[nodiscard]] double added_by_layer() const {
    double least = INFINITY;
    for (std::size_t i = 1; i < held_.size(); ++i) {
      least = std::min(least, held_[i] - held_[i - 1]);
    }
    return least;
  }

 private:
  std::vector<std::int64_t> tokens_;
  std::vector<double> held_;
};

TEST(MemoryOfAHead, IsAThousandBytesAToken) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's heap does not say what is held";
#endif
  CheckPlan plan = plan_of_all_rows();
  plan.measures.selection = {
      .rows = {}, .counts = {1, 5, 10, 20, 100}, .draws = kDraws, .shown_draws = kShownDraws};
  for (std::int64_t row = 1; row < LongSource::kLength; ++row) {
    plan.measures.selection.rows.push_back(row);
  }
  plan.measures.lengths = {32, 64, 128, LongSource::kLength};
  set_threads(1);
  LongSource source;
  check_source(source, plan, [](std::int64_t, std::int64_t) {});
  const double by_token = source.added_by_layer() / (LongSource::kHeads * LongSource::kLength);
  EXPECT_LT(by_token, 1200);
  EXPECT_GT(by_token, 100) << "it is no measure of what is kept";
}

/// Layers of one kind of attention, given by the scale of the queries, and values in another unit.
class ScaledSource : public RandomSource {
 public:
  explicit ScaledSource(double scale, std::int64_t tokens = kTokens, double unit = 1)
      : RandomSource(tokens), scale_(scale), unit_(unit) {}
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override {
    RandomSource::for_each_layer(embedding, [&](LayerRows layer) {
      layer.q = layer.q * scale_;
      layer.v = layer.v * unit_;
      visit(layer);
    });
  }

 private:
  double scale_, unit_;
};

void expect_caught(const report::MutantRecord& mutant) {
  EXPECT_TRUE(mutant.caught) << mutant.id;
  ASSERT_TRUE(mutant.witness.has_value()) << mutant.id;
  EXPECT_EQ(mutant.witness->verdict, Verdict::violated) << mutant.id;
  EXPECT_THAT(mutant.witness->where, ::testing::StartsWith("layer ")) << mutant.id;
  const Mutant wrong = find_mutant(catalogue(), mutant.id);
  const Claim claim = as_mutated_claim(original(catalogue(), wrong), wrong);
  EXPECT_EQ(decide(claim, read_case(claim, mutant.witness->input)).verdict, Verdict::violated)
      << mutant.id;
}

/// The same attention as its scores alone.
class ScoresSource : public RandomSource {
 public:
  [[nodiscard]] ActivationShape shape() const override {
    ActivationShape shape = RandomSource::shape();
    shape.head_width = 0;
    shape.has_queries = shape.has_values = false;
    return shape;
  }
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override {
    RandomSource::for_each_layer(embedding, [&](LayerRows layer) {
      layer.scores = at::bmm(layer.q.permute({1, 0, 2}), layer.k.permute({1, 2, 0})).contiguous();
      layer.q = layer.k = layer.v = at::Tensor();
      visit(layer);
    });
  }
};

TEST(CheckSource, DecidesScoresAloneAsFarAsTheyGo) {
  CheckPlan plan = plan_of_all_rows();
  plan.measures.selection.counts.clear();
  plan.measures.lengths.clear();
  const auto no_progress = [](std::int64_t, std::int64_t) {};
  ScoresSource scores;
  report::Report found = check_source(scores, plan, no_progress);
  RandomSource whole;
  const report::Report expected = check_source(whole, plan, no_progress);
  ASSERT_TRUE(found.gpt2);
  EXPECT_EQ(found.gpt2->not_covered.at("corollary1.upper"), "queries and keys");
  EXPECT_EQ(found.gpt2->not_covered.at("theorem1.fixed"), "values");
  EXPECT_EQ(found.gpt2->in_place_of_queries, report::Stead::scores);
  std::uint64_t violated = 0;
  for (const report::ClaimRecord& record : found.claims) {
    const report::ClaimRecord& same = record_of(expected, record.id);
    EXPECT_EQ(record.cases, same.cases) << record.id;
    EXPECT_EQ(record.violated, same.violated) << record.id;
    EXPECT_GT(record.cases, 0u) << record.id;
    EXPECT_FALSE(found.gpt2->not_covered.contains(record.id)) << record.id;
    violated += record.violated;
  }
  EXPECT_GT(violated, 0u);
  EXPECT_EQ(found.claims.size() + found.gpt2->not_covered.size(),
            expected.claims.size() + expected.gpt2->not_covered.size());
  report::complete(found);
  EXPECT_EQ(report::exit_code(found), 0);
}

/// The same attention under another mask.
class MaskedSource : public RandomSource {
 public:
  explicit MaskedSource(Mask mask) : mask_(mask) {}
  [[nodiscard]] ActivationShape shape() const override {
    ActivationShape shape = RandomSource::shape();
    shape.mask = mask_;
    return shape;
  }
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override {
    RandomSource::for_each_layer(embedding, [&](LayerRows layer) {
      layer.mask = mask_;
      visit(layer);
    });
  }

 private:
  Mask mask_;
};

/// The same as its weights alone, in some precision.
class WeightsSource : public MaskedSource {
 public:
  explicit WeightsSource(Mask mask = {}, at::ScalarType precision = at::kDouble)
      : MaskedSource(mask), precision_(precision) {}
  [[nodiscard]] ActivationShape shape() const override {
    ActivationShape shape = MaskedSource::shape();
    shape.has_queries = false;
    shape.has_weights_alone = true;
    return shape;
  }
  void for_each_layer(Embedding embedding,
                      const std::function<void(const LayerRows&)>& visit) override {
    MaskedSource::for_each_layer(embedding, [&](LayerRows layer) {
      const at::Tensor logits =
          at::bmm(layer.q.permute({1, 0, 2}), layer.k.permute({1, 2, 0})) / layer.temperature;
      const at::Tensor hidden = hidden_keys(layer.mask, kTokens);
      layer.weights = at::softmax(logits.masked_fill(hidden, -INFINITY), -1)
                          .to(precision_)
                          .to(at::kDouble)
                          .contiguous();
      layer.q = layer.k = at::Tensor();
      visit(layer);
    });
  }

 private:
  at::ScalarType precision_;
};

CheckPlan plan_of_lengths(const ActivationShape& shape) {
  CheckPlan plan = plan_of_all_rows();
  plan.measures.lengths.clear();
  for (const std::int64_t length : {std::int64_t{5}, std::int64_t{8}, kTokens}) {
    if (shape.has_length(length)) plan.measures.lengths.push_back(length);
  }
  if (shape.mask.full) plan.measures.selection.rows.insert(plan.measures.selection.rows.begin(), 0);
  return plan;
}

report::Report check(ActivationSource& source) {
  return check_source(source, plan_of_lengths(source.shape()), [](std::int64_t, std::int64_t) {});
}

const Mask kFull{.full = true}, kWindow{.window = 5};

/// Of each query its own token and every third one before it.
Mask every_third() {
  Mask::Lists lists(kTokens);
  for (std::int64_t row = 0; row < kTokens; ++row) {
    for (std::int64_t key = row % 3; key <= row; key += 3) {
      lists[static_cast<std::size_t>(row)].push_back(key);
    }
  }
  return {.lists = std::make_shared<const Mask::Lists>(std::move(lists))};
}

/// Every claim on logits and on weights is decided as on the logits that the weights come from.
TEST(CheckSource, DecidesWeightsAloneLikeTheirLogits) {
  for (const Mask& mask : {Mask{}, kFull, kWindow}) {
    WeightsSource weights(mask);
    MaskedSource logits(mask);
    report::Report found = check(weights);
    const report::Report expected = check(logits);
    std::uint64_t violated = 0;
    for (const report::ClaimRecord& record : expected.claims) {
      if (find_claim(record.id).kind == InputKind::query_keys) {
        EXPECT_EQ(found.gpt2->not_covered.at(record.id), "queries and keys");
        continue;
      }
      if (found.gpt2->not_covered.contains(record.id)) continue;
      const report::ClaimRecord& same = record_of(found, record.id);
      EXPECT_EQ(same.cases, record.cases) << record.id;
      // Softmax alone does not see that the logits of a row have moved by the same amount; a step
      // of the logits is not one of the queries at another temperature.
      const InputKind& kind = find_claim(record.id).kind;
      const Normalizer normalizer = only_normalizer(kind).value_or(Normalizer::softmax);
      if (normalizer == Normalizer::softmax && kind != InputKind::softmax_steps) {
        EXPECT_EQ(same.violated, record.violated) << record.id;
      }
      EXPECT_EQ(same.outcome, report::Outcome::as_expected) << record.id;
      violated += same.violated;
    }
    EXPECT_GT(violated, 0U);
    for (const auto& [id, lacks] : found.gpt2->not_covered) {
      const auto of_logits = expected.gpt2->not_covered.find(id);
      const bool is_same =
          of_logits != expected.gpt2->not_covered.end() && of_logits->second == lacks;
      EXPECT_TRUE(is_same || lacks == "queries and keys" || id == "lipschitz.relu_attention") << id;
    }
    EXPECT_EQ(found.gpt2->in_place_of_queries, report::Stead::weights);
    EXPECT_EQ(found.gpt2->mask, mask.full ? "full" : mask.is_causal() ? "" : "window:5");
    EXPECT_EQ(expected.gpt2->in_place_of_queries, std::nullopt);
    report::complete(found);
    EXPECT_EQ(report::exit_code(found), 0);
  }
}

TEST(CheckSource, CountsTheRowsThatAMaskShows) {
  MaskedSource full(kFull), window(kWindow);
  const report::Report all = check(full);
  EXPECT_EQ(record_of(all, "corollary3").cases, 9U * kTokens);
  EXPECT_EQ(record_of(all, "theorem1.fixed").cases, 9UL * 3 * kTokens);
  const report::Report some = check(window);
  EXPECT_EQ(record_of(some, "corollary3").cases, 9U * (kTokens - 1));
  // N = 1 leaves a token out of every row, N = 2 of those with three tokens, N = 5 of none.
  EXPECT_EQ(record_of(some, "theorem1.fixed").cases, 9U * ((kTokens - 1) + (kTokens - 2)));
  for (const report::Report& found : {all, some}) {
    for (const report::ClaimRecord& record : found.claims) {
      EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
      EXPECT_GT(record.cases, 0U) << record.id;
    }
  }
}

/// The tokens of a window, listed, are those of the window; others are decided like any.
TEST(CheckSource, DecidesRowsOfListedTokens) {
  Mask::Lists lists(kTokens);
  for (std::int64_t row = 0; row < kTokens; ++row) {
    for (std::int64_t key = kWindow.first(row); key <= row; ++key) {
      lists[static_cast<std::size_t>(row)].push_back(key);
    }
  }
  MaskedSource window(kWindow);
  MaskedSource listed({.lists = std::make_shared<const Mask::Lists>(std::move(lists))});
  const CheckPlan plan = plan_of_lengths(window.shape());
  const auto no_progress = [](std::int64_t, std::int64_t) {};
  const report::Report expected = check_source(window, plan, no_progress);
  const report::Report found = check_source(listed, plan, no_progress);
  for (const report::ClaimRecord& record : expected.claims) {
    // Random sets are drawn in another order, and only those of a window go by its first token.
    const InputKind& kind = find_claim(record.id).kind;
    if (has_field(kind, case_field::set)) continue;
    const report::ClaimRecord& same = record_of(found, record.id);
    EXPECT_EQ(same.cases, record.cases) << record.id;
    EXPECT_EQ(same.violated, record.violated) << record.id;
    EXPECT_EQ(same.undecided, record.undecided) << record.id;
    const double ratio = record.max_ratio.value_or(0);
    if (same.sampled == 0) {
      EXPECT_NEAR(same.max_ratio.value_or(0), ratio, 1e-9 * (1 + ratio)) << record.id;
    }
  }
  WeightsSource scattered(every_third());
  for (const report::ClaimRecord& record : check(scattered).claims) {
    EXPECT_TRUE(record.status != Status::proved || record.violated == 0) << record.id;
    EXPECT_EQ(record.undecided, record.sampled_open) << record.id;
    if (record.id == "corollary3") {
      EXPECT_EQ(record.cases, 9U * (kTokens - 3));
    }
  }
}

/// In half precision weights below 3e-8 are zeros. A row that holds one has no logits, and its
/// weights are taken as they are.
TEST(CheckSource, LeavesRowsWithZerosToTheClaimsOnWeights) {
  for (const Mask& mask : {Mask{}, kFull}) {
    WeightsSource half(mask, at::kHalf);
    report::Report found = check(half);
    const std::uint64_t rows = 9 * (mask.full ? kTokens : kTokens - 1);
    EXPECT_EQ(record_of(found, "cage.norm").cases, rows);
    const std::uint64_t with_logits = record_of(found, "corollary3.sharp").cases;
    EXPECT_GT(with_logits, 0U);
    EXPECT_LT(with_logits, rows);
    for (const report::ClaimRecord& record : found.claims) {
      EXPECT_EQ(record.undecided, record.sampled_open) << record.id;
      EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
    }
    for (const report::GradientPoint& point : found.gpt2->figures.gradient) {
      EXPECT_LE(point.largest_t_norm, 0.5 + 1e-12);
      EXPECT_GT(point.mean_t_norm, 0);
    }
    report::complete(found);
    EXPECT_NO_THROW(report::report_from_json(nlohmann::json::parse(report::report_text(found))));
  }
}

/// All weight on the first token: no row has logits, and none has weights without that token.
TEST(CheckSource, ReadsWeightsThatAreAllOnTheFirstToken) {
  class SinkSource : public WeightsSource {
   public:
    void for_each_layer(Embedding embedding,
                        const std::function<void(const LayerRows&)>& visit) override {
      WeightsSource::for_each_layer(embedding, [&](const LayerRows& layer) {
        layer.weights.zero_();
        layer.weights.select(2, 0).fill_(1);
        visit(layer);
      });
    }
  };
  SinkSource sink;
  report::Report found = check(sink);
  EXPECT_EQ(record_of(found, "cage.norm").violated, 0U);
  EXPECT_EQ(record_of(found, "cage.norm").cases, 9U * (kTokens - 1));
  EXPECT_EQ(found.gpt2->not_covered.at("corollary3.sharp"), "rows with logits");
  EXPECT_TRUE(found.gpt2->figures.gradient.empty());
  report::complete(found);
  EXPECT_NO_THROW(report::report_from_json(nlohmann::json::parse(report::report_text(found))));
}

/// Ratios between 0.25 and 0.75, none of them the middle of a bucket.
double sample_ratio(std::size_t i) {
  return 0.25 + static_cast<double>((i * 7919 + 1) % 1000003) / 2000006;
}

TEST(RatioSample, IsExactUpToItsLimitAndBucketedBeyond) {
  constexpr std::size_t kMost = RatioSample::kMostExact;
  std::vector<double> ratios;
  RatioSample first, second;
  for (std::size_t i = 0; i < kMost; ++i) {
    ratios.push_back(sample_ratio(i));
    (i < kMost / 2 ? first : second).add(ratios.back());
  }
  const auto median = [&] {
    std::vector<double> sorted = ratios;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  };
  first.merge(second);
  EXPECT_EQ(first.count(), kMost);
  EXPECT_EQ(first.median(), median());

  ratios.push_back(0.5);
  first.add(0.5);
  EXPECT_EQ(first.count(), kMost + 1);
  EXPECT_NE(first.median(), median());
  EXPECT_NEAR(first.median(), median(), report::kQuantileError * median());

  RatioSample later;  // is joined with one that is bucketed already
  later.add(0.75);
  later.merge(first);
  EXPECT_EQ(later.count(), kMost + 2);
  report::Quantiles all;
  for (const double ratio : ratios) all.add(ratio);
  all.add(0.75);
  EXPECT_EQ(later.median(), all.at(all.count() / 2));
  EXPECT_EQ(report::Quantiles(later.buckets()).count(), all.count());
}

/// Whether attention is nearly uniform, moderate or nearly all on one token.
TEST(RowMutants, AreCaughtByEveryKindOfAttention) {
  for (const double scale : {1e-3, 1.0, 20.0}) {
    ScaledSource source(scale);
    const report::Report report =
        check_source(source, plan_of_all_rows(), [](std::int64_t, std::int64_t) {});
    for (const report::ClaimRecord& record : report.claims) {
      const bool is_proved = record.status == Status::proved;
      EXPECT_EQ(record.mutants.size(), is_proved ? report::kLeastMutants : 0) << record.id;
      for (const report::MutantRecord& mutant : record.mutants) {
        SCOPED_TRACE(scale);
        expect_caught(mutant);
      }
    }
  }
}

/// No verdict, and no mutant that is caught, depends on the unit of the embeddings.
TEST(CheckSource, SaysTheSameInAnyUnitOfTheEmbeddings) {
  const auto report_in = [](double unit) {
    ScaledSource source(1, kTokens, unit);
    return check_source(source, plan_of_all_rows(), [](std::int64_t, std::int64_t) {});
  };
  const auto said = [](const report::ClaimRecord& record) {
    std::vector<bool> caught;
    for (const report::MutantRecord& mutant : record.mutants) caught.push_back(mutant.caught);
    return std::tuple(record.outcome, record.violated, caught);
  };
  const report::Report report = report_in(1);
  for (const double unit : {1024.0, 1.0 / 1024}) {
    const report::Report other = report_in(unit);
    ASSERT_EQ(other.claims.size(), report.claims.size());
    for (std::size_t c = 0; c < report.claims.size(); ++c) {
      EXPECT_EQ(said(other.claims[c]), said(report.claims[c]))
          << report.claims[c].id << ", times " << unit;
    }
  }
}

/// Whatever rows and temperatures are checked beside.
TEST(RowMutants, AreSearchedOnSmallRowsAtTheModelsTemperature) {
  CheckPlan plan = plan_of_all_rows();
  plan.measures.selection.rows = {kTokens - 1};
  plan.temperatures = {1e-3};
  const report::Report report = check(plan, 1);
  const auto& mutant = record_of(report, "corollary3.sharp").mutants.at(0);
  EXPECT_TRUE(mutant.caught);
  EXPECT_EQ(mutant.cases, 1U);
  EXPECT_THAT(mutant.witness->where, ::testing::EndsWith("row 1, T 2"));
}

/// Rows of equal logits attain every bound, whatever is changed beside it.
TEST(RowMutants, AreNotTriedOnUniformAttention) {
  LayerRows layer = layer_of(1, 1.0);
  layer.q.mul_(0);
  RowMutants mutants(row_claims());
  mutants.add(head_of(layer, 0, Embedding::value, 2.0), 2.0);
  const std::vector<report::MutantRecord> records = mutants.records("corollary3.sharp");
  EXPECT_EQ(records.size(), report::kLeastMutants);
  for (const report::MutantRecord& record : records) {
    EXPECT_FALSE(record.caught) << record.id;
    EXPECT_EQ(record.cases, 0U) << record.id;
  }
}

/// A recording of two tokens shows nothing about rows with more of them.
TEST(RowMutants, ThatTwoTokensCannotCatchLeaveTheirClaimAsExpected) {
  CheckPlan plan = plan_of_all_rows();
  plan.measures.selection.rows = {1};
  plan.measures.selection.counts = {1};
  plan.measures.lengths = {2};
  RandomSource source(2);
  const report::Report report = check_source(source, plan, [](std::int64_t, std::int64_t) {});
  const report::ClaimRecord& entries = record_of(report, "corollary3.entrywise");
  EXPECT_EQ(entries.violated, 0U);
  EXPECT_EQ(entries.outcome, report::Outcome::as_expected);
  EXPECT_EQ(report::exit_code(report), kAsExpected);
  for (const report::MutantRecord& mutant : entries.mutants) {
    EXPECT_FALSE(mutant.caught) << mutant.id;
    EXPECT_EQ(mutant.cases, 9U) << mutant.id;
  }
}

/// No norms of directions differ where N <= 2, so that one of them left out is no mistake there.
TEST(RowMutants, CountNoRowOnWhichTheyAreTheClaim) {
  CheckPlan plan = plan_of_all_rows();
  plan.measures.selection.rows = {1, 2};
  plan.measures.selection.counts = {1, 2};
  plan.measures.lengths = {2, 3};
  RandomSource source(3);
  const report::Report report = check_source(source, plan, [](std::int64_t, std::int64_t) {});
  for (const char* const id : {"theorem2.lower.sharp", "theorem2.upper.repaired"}) {
    const report::ClaimRecord& record = record_of(report, id);
    const auto mutant = std::ranges::find(record.mutants, std::string(id) + "/no_variance",
                                          &report::MutantRecord::id);
    ASSERT_NE(mutant, record.mutants.end()) << id;
    EXPECT_EQ(mutant->cases, 0U) << id;
  }
}

/// Nor is there a largest step where none moves a weight.
TEST(LargestSteps, AreNoneWhereNoWeightMoves) {
  LayerRows layer = layer_of(1, 1.0);
  const auto head = std::make_shared<const Head>(head_of(layer, 0, Embedding::value, 1.0));
  LargestSteps steps;
  steps.add(head, {{.temperature = 1, .rows = 1}});
  for (const report::ClaimRecord& record : steps.records(report::Stage::gpt2)) {
    EXPECT_EQ(record.cases, 0U) << record.id;
    EXPECT_EQ(record.outcome, report::Outcome::not_covered) << record.id;
  }
}

/// A sequence of two tokens has nothing left without its first one.
TEST(CheckSource, MeasuresTheShortestSequence) {
  CheckPlan plan = plan_of_all_rows();
  plan.measures.selection.rows = {1};
  plan.measures.selection.counts = {1};
  plan.measures.lengths = {2};
  RandomSource source(2);
  const report::Report report = check_source(source, plan, [](std::int64_t, std::int64_t) {});
  EXPECT_EQ(report.gpt2->figures.distance_by_length.size(), 1U);
  EXPECT_EQ(record_of(report, "theorem1.fixed").cases, 9U);
}

TEST(RealActivations, DecideEveryHeadOfGpt2) {
  const char* path = std::getenv("ATTN_REAL_ACTIVATIONS");
  if (path == nullptr) GTEST_SKIP() << "ATTN_REAL_ACTIVATIONS does not name a recording";
  Recording source(path);
  ASSERT_EQ(source.shape().layers, 12);
  ASSERT_EQ(source.shape().heads, 12);
  ASSERT_EQ(source.shape().positions, 9);
  CheckPlan plan = plan_of_all_rows();
  plan.stage = report::Stage::activations;
  plan.measures.selection.rows = {1, 2, 3, 4, 5, 6, 7, 8};
  plan.measures.selection.counts = {1, 5};
  plan.measures.lengths = {9};
  const report::Report report = check_source(source, plan, [](std::int64_t, std::int64_t) {});
  EXPECT_EQ(record_of(report, "corollary3").cases, 144U * 8U);
  // 41 % of the rows have ||diag a - a a^T|| > 1/4.
  EXPECT_EQ(record_of(report, "corollary3").violated, 470U);
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
    if (record.status == Status::proved) {
      EXPECT_EQ(record.violated, 0U) << record.id;
    }
  }
  // The pattern was recorded in float32.
  EXPECT_FALSE(report.gpt2->pattern_difference_by_layer.empty());
  for (const double difference : report.gpt2->pattern_difference_by_layer) {
    EXPECT_LE(difference, 1e-6);
  }
}

}  // namespace
}  // namespace attn::gpt2
