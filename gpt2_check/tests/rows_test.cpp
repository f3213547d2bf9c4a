// The checks on rows of attention: the double filter of a head against the exact case, and the
// checks of a whole source.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <nlohmann/json.hpp>
#include <set>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/head_check.hpp"
#include "gpt2_check/rows/row_mutants.hpp"
#include "gpt2_check/rows/window_check.hpp"
#include "gpt2_check/tests/all_heads.hpp"
#include "gpt2_check/tests/check_source.hpp"
#include "gpt2_check/tests/layers_source.hpp"
#include "gpt2_check/tests/random_head.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/claims/catalogue.hpp"

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

using Source = LayersSource;

/// Layers with flat, moderate and peaked attention, each changed.
template <class Change>
Source random_source(std::int64_t tokens, const Change& change) {
  Source source;
  for (const double scale : {0.1, 1.0, 8.0}) {
    LayerRows layer = layer_of(std::ssize(source.layers), scale);
    for (at::Tensor* rows : {&layer.q, &layer.k, &layer.v}) {
      *rows = rows->slice(0, 0, tokens).contiguous();
    }
    change(layer);
    source.of.layers.push_back({.layer = layer.layer,
                                .heads = 3,
                                .queries = tokens,
                                .keys = tokens,
                                .key_heads = 3,
                                .width = 4,
                                .value_width = 4,
                                .temperature = layer.temperature});
    source.layers.push_back(layer);
  }
  return source;
}

Source random_source(std::int64_t tokens = kTokens) {
  return random_source(tokens, [](const LayerRows&) {});
}

CheckSettings settings_of_all_rows() {
  return {.stage = report::Stage::gpt2,
          .measures = {.selection = {.rows = rows_from_second(kTokens),
                                     .counts = {1, 2, 5},
                                     .draws = 4},
                       .lengths = {8, kTokens},
                       .temperatures = {0.01, 1, 10},
                       .seed = 7},
          .lengths = {8, kTokens},
          .temperatures = {}};
}

report::Report check(Source source, const CheckSettings& settings) {
  return check_source(source, settings);
}

report::Report check(const CheckSettings& settings, int threads) {
  set_threads(threads);
  return check(random_source(), settings);
}

report::Report check(int threads) {
  return check(settings_of_all_rows(), threads);
}

const report::ClaimRecord& record_of(const report::Report& report, std::string_view id) {
  const auto found = std::ranges::find(report.claims, id, &report::ClaimRecord::id);
  if (found == report.claims.end()) throw std::logic_error("no such record");
  return *found;
}

/// Ends in its last layer, while heads of the one before it may be at work.
class BrokenSource : public Source {
 public:
  explicit BrokenSource(Source source) : Source(std::move(source)) {}
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override {
    visit(layers[0]);
    visit(layers[1]);
    throw std::runtime_error("layer 2");
  }
};

TEST(CheckSource, ThrowsWhatTheSourceThrows) {
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    BrokenSource source{random_source()};
    EXPECT_THROW(check_source(source, settings_of_all_rows()), std::runtime_error);
  }
  set_threads(1);
}

TEST(ExactCase, HoldsEveryNumberExactly) {
  const LayerRows layer = layer_of(1, 1.0);
  const Head head = head_of(layer, 1, 2.5);
  const Row row{.row = 3, .temperature = 2.5};
  const Case input = exact_case(head, InputKind::top_n_embeddings, {.row = row, .n = 2});
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
  EXPECT_EQ(exact_case(head, InputKind::query_keys, {.row = row}).keys[2][3],
            exact(layer.k[2][1][3].item<double>()));
  EXPECT_EQ(exact_step(head, row, 0.5, 2, 1).direction, (std::vector<Rational>{0, -1, 1, 0}));
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
  EXPECT_EQ(report.inputs.front().not_covered, kOtherRows);
  EXPECT_EQ(record_of(report, "corollary3.sharp").cases, rows);
  // N = 1 leaves a token out of every row, N = 2 of those with three tokens, N = 5 with six.
  const std::uint64_t sets = 9 * ((kTokens - 1) + (kTokens - 2) + (kTokens - 5));
  EXPECT_EQ(record_of(report, "theorem1.fixed").cases, sets);
  EXPECT_EQ(record_of(report, "corollary3.step").cases, 3 * kStepLengths.size());
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_EQ(record.undecided, record.sampled_open) << record.id;
    EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
    EXPECT_EQ(record.worst.has_value(), record.cases > record.assumption_not_met) << record.id;
  }
}

TEST(CheckSource, AgreesWithTheLadderOnEveryRow) {
  Source source = random_source();
  const report::Report report = check(2);
  for (const char* id :
       {"lemma1.lower", "lemma1.upper.sharp", "corollary1.upper", "corollary3",
        "corollary3.local.upper", "lemma2", "lemma2.oblique", "cage.norm", "norm_based.largest"}) {
    std::uint64_t violated = 0;
    std::uint64_t equal = 0;
    source.for_each_layer([&](const LayerRows& layer) {
      for (std::int64_t index = 0; index < 3; ++index) {
        const Head head = head_of(layer, index, layer.temperature);
        for (std::int64_t t = 1; t < kTokens; ++t) {
          const Row row{.row = t, .temperature = layer.temperature};
          const Case input = exact_case(head, find_claim(id).kind, {.row = row});
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

TEST(BoundPair, HasTheMediansOfWhatBothDecided) {
  const auto of = [](double lhs, double rhs) { return filter(Sides<ErrorDouble>{lhs, rhs}); };
  const BoundPair empty(find_claim("lemma2.sharp"), find_claim("lemma2"));
  BoundPair pair = empty, other = empty;
  for (const double lhs : {0.9, 0.1, 0.3}) (lhs < 0.5 ? pair : other).add(of(lhs, 1), of(lhs, 4));
  pair.add(of(0.2, 1), {});
  pair.merge(other);
  const report::WindowComparison record = pair.record().value();
  EXPECT_EQ(record.cases, 3U);
  EXPECT_EQ(record.tighter, 3U);
  EXPECT_NEAR(record.median_sharp, 0.3, 0.3 * report::kQuantileError);
  EXPECT_NEAR(record.median_printed, 0.075, 0.075 * report::kQuantileError);
}

TEST(CheckSource, CountsFailingRowsOfEachHead) {
  const report::Report report = check(2);
  std::uint64_t violated = 0;
  for (const report::HeadRecord& head : report.inputs.front().heads) {
    violated += head.claims.at("corollary3").violated;
  }
  EXPECT_EQ(violated, record_of(report, "corollary3").violated);
  EXPECT_GT(violated, 0U);
}

/// Claims of which the largest weights and a random set both give a case count them apart.
TEST(CheckSource, CountsTheWaysOfSelectingApart) {
  const report::Report report = check(2);
  const report::ClaimRecord& both = record_of(report, "retrieval.renormalised.better");
  ASSERT_EQ(both.sets.size(), 2U);
  const report::SetCounts &top = both.sets.at("N largest weights"),
                          &random = both.sets.at("random set");
  EXPECT_EQ(top.cases, random.cases);
  EXPECT_EQ(top.cases + random.cases, both.cases);
  EXPECT_EQ(top.violated + random.violated, both.violated);
  EXPECT_NE(top.violated, random.violated);
  EXPECT_TRUE(record_of(report, "theorem1.fixed").sets.empty());
  EXPECT_TRUE(record_of(report, "corollary3").sets.empty());
}

/// Each head counts which of its cases lie outside the hypotheses.
TEST(CheckSource, CountsWhatLiesOutsideOnEachHead) {
  const report::Report report = check(2);
  std::uint64_t all = 0;
  for (const report::ClaimRecord& record : report.claims) {
    if (!report.inputs.front().heads.front().claims.contains(record.id)) continue;
    std::uint64_t outside = 0;
    for (const report::HeadRecord& head : report.inputs.front().heads) {
      outside += head.claims.at(record.id).assumption_not_met;
    }
    EXPECT_EQ(outside, record.assumption_not_met) << record.id;
    all += outside;
  }
  EXPECT_GT(all, 0U);
}

/// The worst row of a printed bound is an exact case that decides again as it was counted.
TEST(CheckSource, WorstRowsDecideAgain) {
  const report::Report report = check(2);
  for (const char* id : {"corollary3", "theorem1.fixed.any_set", "corollary3.step.printed"}) {
    const auto& worst = record_of(report, id).worst;
    ASSERT_TRUE(worst.has_value()) << id;
    EXPECT_EQ(decide(find_claim(id), read_case(find_claim(id), worst->input.whole())).verdict,
              Verdict::violated)
        << id;
  }
}

TEST(CheckSource, SaysWhatRowsAClaimWouldNeedThatNoRowMeets) {
  // x_0 against all other tokens, which are one vector: no row has u . x_0 >= 0.
  report::Report report = check(random_source(kTokens,
                                              [](LayerRows& layer) {
                                                layer.v.fill_(1);
                                                layer.v[0].fill_(-1);
                                              }),
                                settings_of_all_rows());
  std::map<std::string, std::string> expected = kOtherRows;
  expected["sink.no_op"] = "rows with u . x_0 >= 0";
  EXPECT_EQ(report.inputs.front().not_covered, expected);
  for (const report::ClaimRecord& record : report.claims) EXPECT_NE(record.id, "sink.no_op");
  report::complete(report);
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_NE(record.outcome, report::Outcome::missing) << record.id;
  }
}

TEST(CheckSource, ChecksEveryTemperatureGiven) {
  CheckSettings settings = settings_of_all_rows();
  settings.temperatures = {2.0, 5.0};
  const report::Report report = check(settings, 2);
  EXPECT_EQ(record_of(report, "corollary3.sharp").cases, 2UL * 9 * (kTokens - 1));
}

/// Random attention on so many tokens, which notes what the process holds after each layer.
class LongSource : public Source {
 public:
  static constexpr std::int64_t kLayers = 5, kHeads = 4, kLength = 256, kWidth = 8;

  LongSource() {
    of.layers.assign(kLayers, {.heads = kHeads,
                               .queries = kLength,
                               .keys = kLength,
                               .key_heads = kHeads,
                               .width = kWidth,
                               .value_width = kWidth});
  }
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override {
    at::Generator generator = at::detail::createCPUGenerator(3);
    const auto rows = [&] { return at::randn({kLength, kHeads, kWidth}, generator, at::kDouble); };
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
      visit({.layer = layer, .temperature = 2.0, .q = rows(), .k = rows(), .v = rows()});
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
  std::vector<double> held_;
};

TEST(MemoryOfAHead, IsAThousandBytesAToken) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's heap does not say what is held";
#endif
  CheckSettings settings = settings_of_all_rows();
  settings.measures.selection = {.rows = rows_from_second(LongSource::kLength),
                                 .counts = {1, 5, 10, 20, 100},
                                 .draws = kDraws,
                                 .shown_draws = kShownDraws};
  settings.lengths = settings.measures.lengths = {32, 64, 128, LongSource::kLength};
  set_threads(1);
  LongSource source;
  check_source(source, settings);
  const double by_token = source.added_by_layer() / (LongSource::kHeads * LongSource::kLength);
  EXPECT_LT(by_token, 1200);
  EXPECT_GT(by_token, 100) << "it is no measure of what is kept";
}

/// Whatever a recording has in place of queries and keys, one head of it is held for a thread, and
/// of those before it no more than some rows.
TEST(MemoryOfAHead, IsThatOfOneSquareOfARecording) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's heap does not say what is held";
#endif
  constexpr std::int64_t kHeads = 12, kLength = 1024;
  constexpr double kSquare = 4.0 * kLength * kLength;  // bytes, in float32
  CheckSettings settings = settings_of_all_rows();
  settings.measures.selection = {.rows = {1, 15, 500, kLength - 1}, .counts = {}, .draws = 1};
  settings.lengths = settings.measures.lengths = {};
  set_threads(1);
  for (const LogitSource kind : {LogitSource::scores, LogitSource::weights}) {
    std::vector<double> held;
    const HeadSquares squares(kHeads, [&](std::int64_t head) {
      const struct mallinfo2 heap = ::mallinfo2();
      held.push_back(static_cast<double>(heap.uordblks + heap.hblkhd));
      const auto seed = static_cast<std::uint64_t>(head);
      const at::Tensor scores = at::randn({kLength, kLength}, at::detail::createCPUGenerator(seed));
      return kind == LogitSource::scores ? scores : at::softmax(scores, -1);
    });
    LayersSource source;
    source.of.layers = {
        {.source = kind, .heads = kHeads, .queries = kLength, .keys = kLength, .temperature = 1}};
    source.layers = {{.temperature = 1}};
    (kind == LogitSource::scores ? source.layers[0].scores : source.layers[0].weights) = squares;
    EXPECT_EQ(record_of(check_source(source, settings), "corollary3").cases, 4U * kHeads);
    ASSERT_GE(held.size(), 1U * kHeads);
    EXPECT_LT(held.back() - held[held.size() - kHeads], kSquare);
  }
}

void expect_caught(const report::MutantRecord& mutant) {
  EXPECT_TRUE(mutant.caught) << mutant.id;
  ASSERT_TRUE(mutant.witness.has_value()) << mutant.id;
  EXPECT_EQ(mutant.witness->verdict, Verdict::violated) << mutant.id;
  EXPECT_THAT(mutant.witness->where, ::testing::StartsWith("layer ")) << mutant.id;
  const Claim& whole = find_claim(mutant.id.substr(0, mutant.id.find('/')));
  const auto wrong = std::ranges::find(whole.mutants, mutant.id, &Mutant::id);
  const Claim claim = as_mutated_claim(whole, *wrong);
  EXPECT_EQ(decide(claim, read_case(claim, mutant.witness->input.whole())).verdict,
            Verdict::violated)
      << mutant.id;
}

at::Tensor logits_of(const LayerRows& layer) {
  return at::bmm(layer.q.permute({1, 0, 2}), layer.k.permute({1, 2, 0})).contiguous();
}

TEST(CheckSource, DecidesScoresAloneAsFarAsTheyGo) {
  CheckSettings settings = settings_of_all_rows();
  settings.measures.selection.counts.clear();
  settings.measures.lengths.clear();
  Source scores = random_source(kTokens, [](LayerRows& layer) {
    layer.scores = logits_of(layer);
    layer.q = layer.k = layer.v = at::Tensor();
  });
  for (LayerShape& layer : scores.of.layers) {
    layer.source = LogitSource::scores;
    layer.width = layer.value_width = 0;
  }
  report::Report found = check(scores, settings);
  const report::Report expected = check(random_source(), settings);
  ASSERT_EQ(found.inputs.size(), 1U);
  EXPECT_EQ(found.inputs.front().not_covered.at("corollary1.upper"), "queries and keys");
  EXPECT_EQ(found.inputs.front().not_covered.at("theorem1.fixed"), "values");
  EXPECT_EQ(found.inputs.front().in_place_of_queries, report::Stead::scores);
  std::uint64_t violated = 0;
  for (const report::ClaimRecord& record : found.claims) {
    const report::ClaimRecord& same = record_of(expected, record.id);
    EXPECT_EQ(record.cases, same.cases) << record.id;
    EXPECT_EQ(record.violated, same.violated) << record.id;
    EXPECT_GT(record.cases, 0u) << record.id;
    EXPECT_FALSE(found.inputs.front().not_covered.contains(record.id)) << record.id;
    violated += record.violated;
  }
  EXPECT_GT(violated, 0u);
  EXPECT_EQ(found.claims.size() + found.inputs.front().not_covered.size(),
            expected.claims.size() + expected.inputs.front().not_covered.size());
  report::complete(found);
  EXPECT_EQ(report::exit_code(found), 0);
}

/// The attention of random_source under another mask.
Source masked_source(const Mask& mask) {
  Source source = random_source(kTokens, [&](LayerRows& layer) { layer.mask = mask; });
  if (mask.full) source.of.mask_words = report::kFullMask;
  if (mask.window < kTokens) source.of.mask_words = fmt::format("window:{}", mask.window);
  for (LayerShape& layer : source.of.layers) layer.see(mask, {});
  return source;
}

/// The attention of masked_source as its weights alone, in some precision.
Source weights_source(const Mask& mask = {}, at::ScalarType precision = at::kDouble) {
  Source source = masked_source(mask);
  for (LayerShape& layer : source.of.layers) layer.source = LogitSource::weights;
  for (LayerRows& layer : source.layers) {
    const at::Tensor logits = logits_of(layer) / layer.temperature;
    at::Tensor hidden = at::ones({kTokens, kTokens}, at::kBool);
    for (std::int64_t row = 0; row < kTokens; ++row) {
      for (std::int64_t i = 0; i < mask.tokens(row, kTokens); ++i) {
        hidden[row][mask.position(row, i)] = false;
      }
    }
    layer.weights = at::softmax(logits.masked_fill(hidden, -INFINITY), -1)
                        .to(precision)
                        .to(at::kDouble)
                        .contiguous();
    layer.q = layer.k = at::Tensor();
  }
  return source;
}

CheckSettings settings_of_lengths(const ActivationShape& shape) {
  CheckSettings settings = settings_of_all_rows();
  settings.measures.lengths.clear();
  for (const std::int64_t length : {std::int64_t{5}, std::int64_t{8}, kTokens}) {
    if (shape.has_length(length)) settings.measures.lengths.push_back(length);
  }
  if (shape.sees_two(0))
    settings.measures.selection.rows.insert(settings.measures.selection.rows.begin(), 0);
  settings.lengths = settings.measures.lengths;
  return settings;
}

report::Report check(const Source& source) {
  return check(source, settings_of_lengths(source.shape()));
}

const Mask kFull{.full = true}, kWindow{.window = 5};

/// A mask by which each query sees its own token and those before it from first(row) on, `step`
/// apart.
Mask listed(const auto& first, std::int64_t step) {
  Mask::Lists lists(kTokens);
  for (std::int64_t row = 0; row < kTokens; ++row) {
    for (std::int64_t key = first(row); key <= row; key += step) {
      lists[static_cast<std::size_t>(row)].push_back(key);
    }
  }
  return {.lists = std::make_shared<const Mask::Lists>(std::move(lists))};
}

/// Every claim on logits and on weights is decided as on the logits that the weights come from.
TEST(CheckSource, DecidesWeightsAloneLikeTheirLogits) {
  for (const Mask& mask : {Mask{}, kFull, kWindow}) {
    report::Report found = check(weights_source(mask));
    const report::Report expected = check(masked_source(mask));
    std::uint64_t violated = 0;
    for (const report::ClaimRecord& record : expected.claims) {
      if (find_claim(record.id).kind == InputKind::query_keys) {
        EXPECT_EQ(found.inputs.front().not_covered.at(record.id), "queries and keys");
        continue;
      }
      if (found.inputs.front().not_covered.contains(record.id)) continue;
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
    for (const auto& [id, lacks] : found.inputs.front().not_covered) {
      const auto of_logits = expected.inputs.front().not_covered.find(id);
      const bool is_same =
          of_logits != expected.inputs.front().not_covered.end() && of_logits->second == lacks;
      EXPECT_TRUE(is_same || lacks == "queries and keys" || id == "lipschitz.relu_attention") << id;
    }
    EXPECT_EQ(found.inputs.front().in_place_of_queries, report::Stead::weights);
    EXPECT_EQ(found.inputs.front().mask, mask.full ? "full" : mask.is_causal() ? "" : "window:5");
    EXPECT_EQ(expected.inputs.front().in_place_of_queries, std::nullopt);
    report::complete(found);
    EXPECT_EQ(report::exit_code(found), 0);
  }
}

TEST(CheckSource, CountsTheRowsThatAMaskShows) {
  const report::Report all = check(masked_source(kFull));
  EXPECT_EQ(record_of(all, "corollary3").cases, 9U * kTokens);
  EXPECT_EQ(record_of(all, "theorem1.fixed").cases, 9UL * 3 * kTokens);
  const report::Report some = check(masked_source(kWindow));
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
  const Source window = masked_source(kWindow);
  const CheckSettings settings = settings_of_lengths(window.shape());
  const report::Report expected = check(window, settings);
  const Mask mask = listed([](std::int64_t row) { return kWindow.first(row); }, 1);
  const report::Report found = check(masked_source(mask), settings);
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
  const Mask third = listed([](std::int64_t row) { return row % 3; }, 3);
  for (const report::ClaimRecord& record : check(weights_source(third)).claims) {
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
    report::Report found = check(weights_source(mask, at::kHalf));
    const std::uint64_t rows = 9 * (mask.full ? kTokens : kTokens - 1);
    EXPECT_EQ(record_of(found, "cage.norm").cases, rows);
    const std::uint64_t with_logits = record_of(found, "corollary3.sharp").cases;
    EXPECT_GT(with_logits, 0U);
    EXPECT_LT(with_logits, rows);
    for (const report::ClaimRecord& record : found.claims) {
      EXPECT_EQ(record.undecided, record.sampled_open) << record.id;
      EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
    }
    for (const report::GradientPoint& point : found.inputs.front().figures.gradient) {
      EXPECT_LE(point.largest_t_norm, 0.5 + 1e-12);
      EXPECT_GT(point.mean_t_norm, 0);
    }
    report::complete(found);
    EXPECT_NO_THROW(report::report_from_json(nlohmann::json::parse(report::report_text(found))));
  }
}

/// All weight on the first token: no row has logits, and none has weights without that token.
TEST(CheckSource, ReadsWeightsThatAreAllOnTheFirstToken) {
  Source sink = weights_source();
  for (LayerRows& layer : sink.layers) {
    const at::Tensor weights = all_heads(layer.weights).zero_();
    weights.select(2, 0).fill_(1);
    layer.weights = weights;
  }
  report::Report found = check(sink);
  EXPECT_EQ(record_of(found, "cage.norm").violated, 0U);
  EXPECT_EQ(record_of(found, "cage.norm").cases, 9U * (kTokens - 1));
  EXPECT_EQ(found.inputs.front().not_covered.at("corollary3.sharp"), "rows with logits");
  EXPECT_TRUE(found.inputs.front().figures.gradient.empty());
  for (const report::SeparabilityPoint& point : found.inputs.front().figures.separability) {
    EXPECT_EQ(point.share.has_value(), !point.without_first);
    EXPECT_EQ(point.lower_bound.has_value(), !point.without_first);
  }
  report::complete(found);
  EXPECT_NO_THROW(report::report_from_json(nlohmann::json::parse(report::report_text(found))));
}

/// By query: a sum too far from 1 leaves a row without logits; one of 0 is of no weights at all.
/// Beside a learned sink, which takes what is left, only a sum above 1 is off.
TEST(HeadOf, TellsRowsThatAreOffTheirSum) {
  constexpr double kFar = 2 * kOffSum, kNear = 0.5 * kOffSum;
  struct Row {
    double sum;
    bool is_off, is_off_beside_sink;
  };
  const Row rows[] = {{1, false, false},      {1 + kNear, false, false}, {1 - kNear, false, false},
                      {1 + kFar, true, true}, {1 - kFar, true, false},   {0.25, true, false},
                      {0, false, false}};
  const auto count = static_cast<std::int64_t>(std::size(rows));
  LayerRows layer{.layer = 0, .temperature = 1, .q = {}, .k = {}, .v = {}, .pattern = {}};
  layer.mask.full = true;
  const at::Tensor weights = at::zeros({2, count, count}, at::kDouble);
  for (std::int64_t row = 0; row < count; ++row) {
    const double each = rows[row].sum / static_cast<double>(count);
    weights[1][row].fill_(each);
    weights[0][row].fill_(1 / static_cast<double>(count));
  }
  layer.weights = weights;
  for (const bool has_sink : {false, true}) {
    SCOPED_TRACE(has_sink ? "with a sink" : "without");
    if (has_sink) layer.sink = at::zeros({2}, at::kDouble);
    const Head plain = head_of(layer, 0, 1), head = head_of(layer, 1, 1);
    ASSERT_EQ(std::ssize(head.is_off_sum), count);
    for (std::size_t row = 0; row < std::size(rows); ++row) {
      EXPECT_FALSE(plain.is_off_sum[row]) << row;
      EXPECT_EQ(head.is_off_sum[row], has_sink ? rows[row].is_off_beside_sink : rows[row].is_off)
          << rows[row].sum;
      const auto at = static_cast<Eigen::Index>(row);
      if (!has_sink) {
        EXPECT_EQ(head.has_weights(at), rows[row].sum > 0);
        EXPECT_EQ(head.has_logits(at), rows[row].sum > 0 && !rows[row].is_off);
      }
    }
    RecordedWeights recorded;
    recorded.add(layer);
    EXPECT_EQ(recorded.zeros, std::size(rows)) << "one row of zeros";
    EXPECT_EQ(recorded.off_sum_rows, has_sink ? 1U : 3U);
    EXPECT_EQ(recorded.rows_above_one, 1U);
    EXPECT_NEAR(recorded.farthest_sum.value(), has_sink ? 1 + kFar : 0.25, 1e-14);
  }
}

/// Whether attention is nearly uniform, moderate or nearly all on one token.
TEST(RowMutants, AreCaughtByEveryKindOfAttention) {
  for (const double scale : {1e-3, 1.0, 20.0}) {
    const report::Report report =
        check(random_source(kTokens, [=](LayerRows& layer) { layer.q = layer.q * scale; }),
              settings_of_all_rows());
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

/// Whatever rows and temperatures are checked beside.
TEST(RowMutants, AreSearchedOnSmallRowsAtTheModelsTemperature) {
  constexpr std::int64_t kFewTokens = 6;
  CheckSettings settings = settings_of_all_rows();
  settings.measures.selection.rows = {kFewTokens - 1};
  settings.lengths = settings.measures.lengths = {kFewTokens};
  settings.temperatures = {0.05};
  const report::Report report = check(random_source(kFewTokens), settings);
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
  mutants.add(head_of(layer, 0, 2.0), 2.0);
  const std::vector<report::MutantRecord> records = mutants.records("corollary3.sharp");
  EXPECT_EQ(records.size(), report::kLeastMutants);
  for (const report::MutantRecord& record : records) {
    EXPECT_FALSE(record.caught) << record.id;
    EXPECT_EQ(record.cases, 0U) << record.id;
  }
}

/// A recording of two tokens shows nothing about rows with more of them.
TEST(RowMutants, ThatTwoTokensCannotCatchLeaveTheirClaimAsExpected) {
  CheckSettings settings = settings_of_all_rows();
  settings.measures.selection.rows = {1};
  settings.measures.selection.counts = {1};
  settings.lengths = settings.measures.lengths = {2};
  const report::Report report = check(random_source(2), settings);
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
  CheckSettings settings = settings_of_all_rows();
  settings.measures.selection.rows = {1, 2};
  settings.measures.selection.counts = {1, 2};
  settings.lengths = settings.measures.lengths = {2, 3};
  const report::Report report = check(random_source(3), settings);
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
  const Head head = head_of(layer, 0, 1.0);
  const std::vector<TemperatureGradients> none{{.temperature = 1, .rows = 1}};
  LargestSteps steps;
  steps.add(LargestSteps::rows_of(RowKeeper(head), none), none);
  for (const report::ClaimRecord& record : steps.records(report::Stage::gpt2)) {
    EXPECT_EQ(record.cases, 0U) << record.id;
    EXPECT_EQ(record.outcome, report::Outcome::not_covered) << record.id;
  }
}

/// On the recording that the project ships.
TEST(CheckSource, DecidesEveryHeadOfGpt2) {
  const auto source = open_recording(ATTN_SHIPPED "/recordings/gpt2_124m_9tok.safetensors");
  ASSERT_EQ(source->shape().layers.size(), 12U);
  ASSERT_EQ(source->shape().heads(), 144);
  ASSERT_EQ(source->shape().queries(), 9);
  CheckSettings settings = settings_of_all_rows();
  settings.stage = report::Stage::activations;
  settings.measures.selection.rows = {1, 2, 3, 4, 5, 6, 7, 8};
  settings.measures.selection.counts = {1, 5};
  settings.lengths = settings.measures.lengths = {9};
  const report::Report report = check_source(*source, settings);
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
  EXPECT_FALSE(report.inputs.front().pattern_difference_by_layer.empty());
  for (const double difference : report.inputs.front().pattern_difference_by_layer) {
    EXPECT_LE(difference, 1e-6);
  }
}

/// The bounds are compared on the rows of every head.
TEST(CheckSource, ComparesBoundsOnTheRowsOfAllHeads) {
  const report::Report found = check(2);
  for (const char* const id : {"lemma1.lower.sharp", "corollary3.local.upper"}) {
    const auto at = std::ranges::find(found.comparisons, id, &report::ComparisonRecord::sharp);
    ASSERT_NE(at, found.comparisons.end()) << id;
    EXPECT_EQ(at->cases, record_of(found, id).cases) << id;
  }
}

}  // namespace
}  // namespace attn::gpt2
