// Layers whose queries and keys are not equally many, with a learned sink, and layers that are not
// alike.
#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "gpt2_check/activations/agreement.hpp"
#include "gpt2_check/rows/row.hpp"
#include "gpt2_check/tests/all_heads.hpp"
#include "gpt2_check/tests/check_source.hpp"
#include "gpt2_check/tests/layers_source.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::gpt2 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Heads of queries, of keys; numbers of a query, of a value.
constexpr std::int64_t kHeads = 2, kKeyHeads = 1, kWidth = 4, kValues = 3;

at::Tensor random(at::IntArrayRef sizes, std::uint64_t seed) {
  return at::randn(sizes, at::detail::createCPUGenerator(seed), at::kDouble);
}

/// A layer of so many queries and keys.
LayerRows layer_of(std::int64_t queries, std::int64_t keys, std::uint64_t seed) {
  return {.layer = 0,
          .temperature = 2,
          .q = 2 * random({queries, kHeads, kWidth}, seed),
          .k = random({keys, kKeyHeads, kWidth}, seed + 1),
          .v = random({keys, kKeyHeads, kValues}, seed + 2)};
}

/// l/T as a model has it, [head, query, key].
at::Tensor logits_of(const LayerRows& layer) {
  const at::Tensor keys = layer.k.expand({-1, layer.q.size(1), -1});
  return at::bmm(layer.q.permute({1, 0, 2}), keys.permute({1, 2, 0})) / layer.temperature;
}

LayerShape shape_of(const LayerRows& layer) {
  LayerShape shape{.layer = layer.layer, .temperature = layer.temperature};
  if (layer.q.defined()) {
    shape.heads = layer.q.size(1);
    shape.queries = layer.q.size(0);
    shape.keys = layer.k.size(0);
    shape.key_heads = layer.k.size(1);
    shape.width = layer.q.size(2);
  } else {
    const at::Tensor square = all_heads(layer.scores.defined() ? layer.scores : layer.weights);
    shape.source = layer.scores.defined() ? LogitSource::scores : LogitSource::weights;
    shape.heads = square.size(0);
    shape.queries = square.size(1);
    shape.keys = square.size(2);
  }
  if (layer.v.defined()) {
    shape.key_heads = layer.v.size(1);
    shape.value_width = layer.v.size(2);
  }
  shape.has_sink = layer.sink.defined();
  shape.see(layer.mask, layer.seen);
  return shape;
}

LayersSource source_of(const std::vector<LayerRows>& layers) {
  LayersSource source;
  source.layers = layers;
  for (const LayerRows& layer : layers) source.of.layers.push_back(shape_of(layer));
  return source;
}

/// Checks these rows of each head, or all of them.
report::Report check(LayersSource source, std::vector<std::int64_t> rows = {}) {
  const bool takes_all = rows.empty();
  for (std::int64_t row = 0; takes_all && row < source.of.queries(); ++row) {
    if (source.of.sees_two(row)) rows.push_back(row);
  }
  CheckSettings settings{
      .stage = report::Stage::activations,
      .measures = {.selection = {.rows = std::move(rows), .counts = {1, 3}, .draws = 2},
                   .lengths = {},
                   .temperatures = {0.1, 1, 2},
                   .seed = 5},
      .lengths = {},
      .temperatures = {}};
  if (const std::int64_t longest = source.of.longest_length(); longest > 0) {
    settings.lengths = {longest};
    if (source.of.common(&LayerShape::has_values).value_or(false))
      settings.measures.lengths = {longest};
  }
  return check_source(source, settings);
}

report::Report check(const LayerRows& layer, std::vector<std::int64_t> rows = {}) {
  return check(source_of({layer}), std::move(rows));
}

const report::ClaimRecord& record_of(const report::Report& report, std::string_view id) {
  const auto found = std::ranges::find(report.claims, id, &report::ClaimRecord::id);
  if (found == report.claims.end()) throw std::logic_error("no such record");
  return *found;
}

/// Every claim that both have, but those of which few rows are taken, as the rows are numbered, or
/// have their sides known, and those that `but` names. How many were compared.
std::size_t expect_same_claims(const report::Report& found, const report::Report& expected,
                               const std::set<std::string>& but = {}) {
  std::size_t compared = 0;
  for (const report::ClaimRecord& record : expected.claims) {
    const Claim& claim = find_claim(record.id);
    const RowKernel* const kernel = kernel_of(claim);
    const bool is_of_all =
        kernel != nullptr && kernel->formula != nullptr && claim.kind != InputKind::normalized_row;
    if (!is_of_all || but.contains(record.id)) continue;
    const report::ClaimRecord& same = record_of(found, record.id);
    EXPECT_EQ(same.cases, record.cases) << record.id;
    EXPECT_EQ(same.violated, record.violated) << record.id;
    EXPECT_EQ(same.undecided, record.undecided) << record.id;
    const double ratio = record.max_ratio.value_or(0);
    EXPECT_NEAR(same.max_ratio.value_or(0), ratio, 1e-9 * (1 + ratio)) << record.id;
    compared += record.cases > 0 ? 1 : 0;
  }
  return compared;
}

void expect_same_numbers(const report::HeadNumbers& found, const report::HeadNumbers& expected) {
  EXPECT_EQ(found.rows, expected.rows);
  EXPECT_EQ(found.n, expected.n);
  const auto near = [](const std::optional<double>& one, const std::optional<double>& other) {
    ASSERT_EQ(one.has_value(), other.has_value());
    if (one) {
      EXPECT_NEAR(*one, *other, 1e-12 * (1 + std::abs(*other)));
    }
  };
  near(found.distance, expected.distance);
  near(found.distance_over_bound, expected.distance_over_bound);
  near(found.share, expected.share);
  near(found.f_score, expected.f_score);
  near(found.sink_share, expected.sink_share);
  near(found.largest_t_norm, expected.largest_t_norm);
}

void expect_same_heads(const report::Report& found, const report::Report& expected) {
  const auto& heads = found.inputs.front().heads;
  const auto& of = expected.inputs.front().heads;
  ASSERT_EQ(heads.size(), of.size());
  for (std::size_t h = 0; h < heads.size(); ++h) {
    expect_same_numbers(heads[h], of[h]);
    ASSERT_TRUE(heads[h].without_first && of[h].without_first);
    expect_same_numbers(*heads[h].without_first, *of[h].without_first);
  }
}

/// Every case that says something is decided, and nothing that is proved is violated.
void expect_sound(report::Report report) {
  for (const report::ClaimRecord& record : report.claims) {
    EXPECT_EQ(record.outcome, report::Outcome::as_expected) << record.id;
  }
  report::complete(report);
  const std::string text = report::report_text(report);
  EXPECT_EQ(report::report_text(report::report_from_json(nlohmann::json::parse(text))), text);
}

/// The claims on sets of tokens: on few rows, as the rows are numbered, they have one set more.
std::set<std::string> on_sets_of_few() {
  std::set<std::string> found;
  for (const Claim& claim : catalogue()) {
    if (claim.kind == InputKind::set_embeddings) found.emplace(claim.id);
  }
  return found;
}

/// The last queries of a sequence are those rows of the whole: under each mask, of each source.
TEST(Shapes, LastQueriesAreTheLastRows) {
  constexpr std::int64_t kAll = 14, kLast = 5, kShift = kAll - kLast;
  for (const Mask& mask : {Mask{}, Mask{.full = true}, Mask{.window = 6}}) {
    LayerRows whole = layer_of(kAll, kAll, 11);
    whole.mask = mask;
    LayerRows last = whole;
    last.q = whole.q.slice(0, kShift).contiguous();
    last.mask.shift = kShift;
    const at::Tensor hidden = hidden_keys(mask, kAll, kAll);
    EXPECT_TRUE(at::equal(hidden.slice(0, kShift), hidden_keys(last.mask, kLast, kAll)));
    std::vector<std::int64_t> rows;
    for (std::int64_t row = kShift; row < kAll; ++row) rows.push_back(row);
    const auto compare = [&] {
      const report::Report found = check(last), expected = check(whole, rows);
      EXPECT_GT(expect_same_claims(found, expected, on_sets_of_few()), 30U);
      // None of these is one of the few, here or there.
      const report::Report some = check(last, {2, 4});
      EXPECT_GT(expect_same_claims(some, check(whole, {2 + kShift, 4 + kShift})), 30U);
      EXPECT_GT(record_of(some, "theorem1.fixed.any_set").cases, 0U);
      EXPECT_EQ(record_of(found, "corollary3").cases, 1U * kHeads * kLast);
      expect_same_heads(found, expected);
      expect_sound(found);
      EXPECT_EQ(found.inputs.front().positions, kLast);
      EXPECT_EQ(found.inputs.front().keys, kAll);
      EXPECT_EQ(found.inputs.front().figures.distance_by_n.empty(), mask.window == 6);
    };
    compare();
    whole.scores = logits_of(whole).masked_fill(hidden, 0).contiguous();
    whole.weights = at::softmax(logits_of(whole).masked_fill(hidden, -INFINITY), -1).contiguous();
    whole.q = whole.k = last.q = last.k = at::Tensor();
    last.scores = all_heads(whole.scores).slice(1, kShift).contiguous();
    last.weights = all_heads(whole.weights).slice(1, kShift).contiguous();
    whole.temperature = last.temperature = 1;
    compare();
    whole.scores = last.scores = at::Tensor();
    compare();
  }
}

/// A query at a time, and what lists show it. Rows 0 and 15 are both among the few on which claims
/// on sets have one set more.
TEST(Shapes, ReadsAStepOfDecoding) {
  constexpr std::int64_t kAll = 16, kShift = kAll - 1;
  const LayerRows whole = layer_of(kAll, kAll, 21);
  LayerRows step = whole;
  step.q = whole.q.slice(0, kShift).contiguous();
  step.mask.shift = kShift;
  const report::Report expected = check(whole, {kShift});
  EXPECT_GT(expect_same_claims(check(step), expected), 30U);
  step.mask = {.full = true};
  EXPECT_GT(expect_same_claims(check(step), expected), 30U);
  step.mask = {};
  step.seen = at::ones({1, 1, kAll}, at::kBool);  // of all heads alike
  EXPECT_GT(expect_same_claims(check(step), expected), 30U);
  expect_same_heads(check(step), expected);
}

/// A case of a query and one key has the query's own: among more keys its last ones are meant; of a
/// query that has none, or does not see it, the last that it sees.
TEST(Shapes, PairAQueryWithItsOwnKey) {
  const auto key_of = [](const LayerRows& layer, std::int64_t row) {
    const Head head = head_of(layer, 1, layer.temperature);
    const Case input = exact_case(head, InputKind::query_key, {.row = {row, layer.temperature}});
    for (Eigen::Index key = 0; key < head.keys(); ++key) {
      if (input.keys.front().front() == exact(head.k(key, 0))) return key;
    }
    return Eigen::Index{-1};
  };
  LayerRows layer = layer_of(3, 7, 25);
  layer.mask.shift = 4;
  EXPECT_EQ(key_of(layer, 0), 4);
  EXPECT_EQ(key_of(layer, 2), 6);
  layer.mask = {.full = true};
  EXPECT_EQ(key_of(layer, 0), 4);
  layer.mask = {};
  layer.seen = at::ones({1, 3, 7}, at::kBool);
  layer.seen[0][1][5] = false;
  EXPECT_EQ(key_of(layer, 0), 4);
  EXPECT_EQ(key_of(layer, 1), 6);
  LayerRows more = layer_of(7, 3, 26);
  more.mask = {.full = true};
  EXPECT_EQ(key_of(more, 0), 2);
  EXPECT_EQ(key_of(more, 5), 1);
}

/// Rows that see many tokens are cut to the first few, so that mutants are tried on small ones.
TEST(Shapes, TryMutantsOnRowsThatAreCut) {
  LayerRows last = layer_of(3, 30, 27);
  last.mask.shift = 27;
  LayerRows cross = last;
  cross.mask = {.full = true};
  for (const LayerRows& layer : {last, cross}) {
    const Head head = head_of(layer, 0, 2);
    const Head cut = cut_to_few_tokens(head, 3);
    EXPECT_EQ(cut.tokens(0), 2);
    EXPECT_EQ(cut.tokens(2), 4);
    EXPECT_TRUE(raw_logits(cut, 2).isApprox(raw_logits(head, 2).head(4)));
    const report::Report found = check(layer);
    std::uint64_t tried = 0;
    for (const report::ClaimRecord& record : found.claims) {
      for (const report::MutantRecord& mutant : record.mutants) tried += mutant.cases;
    }
    EXPECT_GT(tried, 30U);
  }
}

/// Cross attention, as [query, key] of either more: the rows are those of a square in which queries
/// or keys that are not there are hidden.
TEST(Shapes, DecidesEveryRowOfCrossAttention) {
  const std::pair<std::int64_t, std::int64_t> sizes[] = {{4, 9}, {9, 4}};
  for (const auto& [queries, keys] : sizes) {
    LayerRows cross = layer_of(queries, keys, 31);
    cross.mask = {.full = true};
    const report::Report found = check(cross);
    for (const char* const id : {"corollary3", "cage.norm", "corollary1.upper", "entropy.lower"}) {
      EXPECT_EQ(record_of(found, id).cases, static_cast<std::uint64_t>(kHeads * queries)) << id;
    }
    EXPECT_EQ(record_of(found, "theorem1.fixed").cases,
              static_cast<std::uint64_t>(kHeads * queries * 2));
    expect_sound(found);
    EXPECT_EQ(found.inputs.front().keys, keys);
    // The last row, which sees all of them.
    ASSERT_EQ(found.inputs.front().figures.distance_by_length.size(), 2U);
    EXPECT_EQ(found.inputs.front().figures.distance_by_length[0].length, keys);
    EXPECT_GT(record_of(found, "theorem1.random.sharp").cases, 0U);

    const std::int64_t most = std::max(queries, keys);
    LayerRows square = layer_of(most, most, 1);
    square.q = at::cat({cross.q, at::zeros({most - queries, kHeads, kWidth}, at::kDouble)});
    square.k = at::cat({cross.k, at::zeros({most - keys, kKeyHeads, kWidth}, at::kDouble)});
    square.v = at::cat({cross.v, at::zeros({most - keys, kKeyHeads, kValues}, at::kDouble)});
    square.seen = at::zeros({1, most, most}, at::kBool);
    square.seen.slice(1, 0, queries).slice(2, 0, keys).fill_(true);
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < queries; ++row) rows.push_back(row);
    const report::Report expected = check(square, rows);
    std::set<std::string> on_sets;  // random sets are drawn in another order
    for (const report::ClaimRecord& record : found.claims) {
      const InputKind& kind = find_claim(record.id).kind;
      if (has_field(kind, case_field::set) || kind == InputKind::random_set_embeddings ||
          kind == InputKind::sphere_embeddings) {
        on_sets.insert(record.id);
      }
    }
    EXPECT_GT(expect_same_claims(found, expected, on_sets), 15U);
    const auto& heads = found.inputs.front().heads;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      expect_same_numbers(heads[h], expected.inputs.front().heads[h]);
    }
  }
}

/// With a learned sink that is its first key, as the sink has no key, no queries are known.
LayerRows with_sink_as_key(LayerRows layer, const at::Tensor& logits) {
  const at::Tensor sink = layer.sink.reshape({-1, 1, 1}).expand({-1, logits.size(1), 1});
  layer.scores = at::cat({sink, logits}, -1).contiguous();
  layer.v = at::cat({at::zeros({1, layer.v.size(1), kValues}, at::kDouble), layer.v});
  layer.q = layer.k = layer.sink = at::Tensor();
  layer.temperature = 1;
  return layer;
}

/// The rows are those of a head whose first token is the sink, with all its cases; without it they
/// are those of the head that has none.
TEST(Sink, IsATokenLikeAnyOther) {
  constexpr std::int64_t kTokens = 10;
  for (const Mask& mask : {Mask{}, Mask{.full = true}, Mask{.window = 4}}) {
    LayerRows plain = layer_of(kTokens, kTokens, 41);
    plain.mask = mask;
    const at::Tensor logits = logits_of(plain);
    LayerRows queries = plain;
    queries.sink = at::tensor({0.5, 1.5}, at::kDouble);
    LayerRows key = with_sink_as_key(queries, logits);
    const at::Tensor seen = hidden_keys(mask, kTokens, kTokens).logical_not();
    key.seen = at::cat({at::ones({kTokens, 1}, at::kBool), seen}, -1).unsqueeze(0);
    key.mask = {};
    LayerRows scores = queries;
    scores.scores = logits.contiguous();
    scores.q = scores.k = at::Tensor();
    scores.temperature = 1;
    LayerRows weights = scores;
    weights.scores = at::Tensor();
    const at::Tensor seen_scores =
        all_heads(key.scores).masked_fill(key.seen.logical_not(), -INFINITY);
    weights.weights = at::softmax(seen_scores, -1).slice(-1, 1).contiguous();

    const report::Report expected = check(key);
    EXPECT_EQ(record_of(expected, "corollary3").cases, 1U * kHeads * kTokens);
    std::set<std::string> on_sets;
    for (const report::ClaimRecord& record : expected.claims) {
      const InputKind& kind = find_claim(record.id).kind;
      if (has_field(kind, case_field::set) || kind == InputKind::random_set_embeddings ||
          kind == InputKind::sphere_embeddings) {
        on_sets.insert(record.id);  // random sets are drawn in another order
      }
    }
    for (const LayerRows& layer : {queries, scores}) {
      report::Report found = check(layer);
      EXPECT_GT(expect_same_claims(found, expected, on_sets), 15U);
      expect_sound(found);
      const report::Measurements& measured = found.inputs.front();
      EXPECT_EQ(measured.learned_sink, true);
      EXPECT_EQ(measured.keys, std::nullopt);
      EXPECT_EQ(measured.not_covered.at("corollary1.upper"),
                layer.q.defined() ? "key of the learned sink" : "queries and keys");
      const report::Report without = check(plain);
      for (std::size_t h = 0; h < 2; ++h) {
        expect_same_numbers(measured.heads[h], expected.inputs.front().heads[h]);
        expect_same_numbers(measured.heads[h].without_first.value(),
                            without.inputs.front().heads[h]);
      }
    }
    // A constant is lost that all logits of a row have in common.
    const report::Report of_weights = check(weights);
    for (const char* const id : {"corollary3", "cage.norm", "theorem1.fixed", "lemma2.sharp"}) {
      EXPECT_EQ(record_of(of_weights, id).cases, record_of(expected, id).cases) << id;
      EXPECT_EQ(record_of(of_weights, id).violated, record_of(expected, id).violated) << id;
    }
    expect_sound(of_weights);
  }
}

/// Recorded weights of the keys alone are what softmax makes of the logits and the sink.
TEST(Sink, ExplainsSumsBelowOne) {
  LayerRows layer = layer_of(6, 8, 51);
  layer.mask.shift = 2;
  layer.sink = at::tensor({0.3, -1.0}, at::kDouble);
  const at::Tensor hidden = hidden_keys(layer.mask, 6, 8);
  const at::Tensor logits = logits_of(layer).masked_fill(hidden, -INFINITY);
  const at::Tensor powers = logits.exp();
  layer.pattern = powers / (powers.sum(-1, true) + layer.sink.exp().reshape({2, 1, 1}));
  EXPECT_LT(agreement(layer).largest, 1e-14);
  RecordedWeights weights;
  weights.add(layer);
  EXPECT_EQ(weights.off_sum_rows, 0U);
  layer.sink = at::Tensor();
  EXPECT_GT(agreement(layer).largest, 0.01);
  weights.add(layer);
  EXPECT_EQ(weights.off_sum_rows, 12U);
  // Above 1 they stay unexplained.
  layer.sink = at::tensor({0.3, -1.0}, at::kDouble);
  layer.pattern = all_heads(layer.pattern) * 2;
  weights = {};
  weights.add(layer);
  EXPECT_GT(weights.off_sum_rows, 0U);
}

/// Heads, widths, sources, values and queries by layer: each is checked as it is alone.
TEST(Shapes, ChecksEachLayerByItself) {
  LayerRows wide = layer_of(8, 8, 61);
  wide.layer = 2;
  wide.v = random({8, 2, 7}, 63);
  LayerRows scores = layer_of(8, 8, 71);
  scores.layer = 3;
  scores.temperature = 1;
  scores.scores = random({3, 8, 8}, 72);
  scores.v = random({8, 3, 2}, 73);
  scores.q = scores.k = at::Tensor();
  LayerRows bare = layer_of(8, 8, 81);
  bare.layer = 5;
  bare.v = at::Tensor();
  LayerRows cross = layer_of(5, 11, 91);
  cross.layer = 6;
  cross.mask = {.full = true};

  const LayersSource together = source_of({wide, scores, bare, cross});
  const report::Report found = check(together);
  expect_sound(found);
  std::uint64_t cases = 0, of_values = 0, with_keys = 0;
  for (const LayerRows& layer : together.layers) {
    const report::Report alone = check(layer);
    cases += record_of(alone, "corollary3").cases;
    if (layer.v.defined()) of_values += record_of(alone, "theorem1.fixed").cases;
    if (layer.q.defined()) with_keys += record_of(alone, "corollary1.upper").cases;
  }
  EXPECT_EQ(record_of(found, "corollary3").cases, cases);
  EXPECT_EQ(record_of(found, "theorem1.fixed").cases, of_values);
  EXPECT_EQ(record_of(found, "corollary1.upper").cases, with_keys);
  const report::Measurements& measured = found.inputs.front();
  EXPECT_EQ(measured.layers, 4U);
  EXPECT_EQ(measured.heads_per_layer, std::nullopt);
  EXPECT_EQ(measured.positions, std::nullopt);
  EXPECT_EQ(measured.head_width, std::nullopt);
  EXPECT_EQ(measured.heads.size(), 9U);
  EXPECT_EQ(measured.no_lengths, "layer 5 has no values");
  EXPECT_TRUE(measured.figures.distance_by_n.empty());
  EXPECT_FALSE(measured.figures.gradient.empty());
  ASSERT_EQ(measured.layer_sizes.size(), 4U);
  const report::LayerSizes& sizes = measured.layer_sizes[1];
  EXPECT_EQ(sizes.layer, 3U);
  EXPECT_EQ(sizes.in_place_of_queries, report::Stead::scores);
  EXPECT_EQ(sizes.heads, 3U);
  EXPECT_EQ(sizes.value_width, 2U);
  EXPECT_EQ(sizes.width, std::nullopt);
  EXPECT_EQ(measured.layer_sizes[2].value_width, std::nullopt);
  EXPECT_EQ(measured.layer_sizes[3].queries, 5U);
  EXPECT_EQ(measured.layer_sizes[3].keys, 11U);

  LayerRows of_scores = scores;
  of_scores.v = at::Tensor();
  const report::Report valueless = check(source_of({wide, of_scores}));
  EXPECT_EQ(valueless.inputs.front().layer_sizes[0].key_heads, 2U);
  EXPECT_EQ(valueless.inputs.front().layer_sizes[1].key_heads, std::nullopt);
  const report::Report no_length = check(source_of({wide, cross}));
  EXPECT_THAT(no_length.inputs.front().no_lengths, HasSubstr("there is no L"));
  // With other widths alone there are figures over all heads.
  LayerRows other = wide;
  other.v = random({8, 2, 5}, 64);
  const report::Report alike = check(source_of({wide, other}));
  EXPECT_EQ(alike.inputs.front().no_lengths, "");
  EXPECT_FALSE(alike.inputs.front().figures.distance_by_n.empty());
  EXPECT_EQ(alike.inputs.front().layer_sizes.size(), 2U);
  EXPECT_EQ(check(layer_of(8, 8, 61)).inputs.front().layer_sizes.size(), 1U);  // v is narrower
}

TEST(Shapes, OfASourceAreThoseThatAllLayersHave) {
  ActivationShape shape{{{.heads = 2, .queries = 5, .keys = 9, .key_heads = 1},
                         {.heads = 3, .queries = 7, .keys = 7, .key_heads = 1}}};
  EXPECT_EQ(shape.heads(), 5);
  EXPECT_EQ(shape.queries(), 7);
  EXPECT_EQ(shape.longest_row(), 9);
  EXPECT_EQ(shape.common(&LayerShape::key_heads), 1);
  EXPECT_EQ(shape.common(&LayerShape::heads), std::nullopt);
  EXPECT_FALSE(shape.has_length(4));  // the first query of layer 0 is the fifth token
  EXPECT_TRUE(shape.has_length(5));
  EXPECT_TRUE(shape.has_length(7));
  EXPECT_FALSE(shape.has_length(8));
  EXPECT_EQ(shape.longest_length(), 7);
  shape.layers[1].has_sink = true;
  EXPECT_EQ(shape.longest_length(), 8);
  EXPECT_EQ(shape.layers[1].row_of(8), 6);
  EXPECT_EQ(shape.layers[1].reach(0).most, 2);
  shape.layers[0].see({.full = true}, {});
  EXPECT_FALSE(shape.has_length(8));
  EXPECT_TRUE(shape.layers[0].has_length(9));
}

}  // namespace
}  // namespace attn::gpt2
