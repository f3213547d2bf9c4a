#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "gpt2_check/activations/agreement.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/rows/window_check.hpp"
#include "gpt2_check/tests/all_heads.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"
#include "theory/base/sha256.hpp"

namespace attn::gpt2 {
namespace {

using test::lively_weights;
using test::small_config;

using Tensors = std::map<std::string, at::Tensor>;

const std::vector<std::int64_t> kIds = {3, 1, 4, 1, 5, 9, 2, 6};

std::vector<LayerRows> layers_of(ActivationSource& source) {
  std::vector<LayerRows> layers;
  source.for_each_layer([&](const LayerRows& rows) { layers.push_back(rows); });
  return layers;
}

Checkpoint checkpoint(at::ScalarType dtype = at::kFloat, Config config = small_config()) {
  return {"abc", config, lively_weights(config, dtype)};
}

LayerwiseCheckpoint layerwise(const Checkpoint& model) {
  return {model.sha256, model.config, gpt2::layerwise(model.weights)};
}

void expect_exact_rows(const at::Tensor& tensor) {
  EXPECT_EQ(tensor.scalar_type(), at::kDouble);
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_EQ(tensor.sizes(), at::IntArrayRef({8, 3, 4}));
}

TEST(ModelRun, GivesEveryLayerInOrder) {
  const auto run = model_run(layerwise(checkpoint()), "small", kIds);
  EXPECT_EQ(run->shape().layers.size(), 2U);
  EXPECT_EQ(run->shape().heads(), 6);
  EXPECT_EQ(run->shape().queries(), 8);
  EXPECT_EQ(run->shape().layers[1].width, 4);
  EXPECT_EQ(run->model_name(), "small");
  EXPECT_EQ(run->sha256(), "abc");
  const auto layers = layers_of(*run);
  ASSERT_EQ(layers.size(), 2U);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    EXPECT_EQ(layers[i].layer, static_cast<std::int64_t>(i));
    EXPECT_EQ(layers[i].temperature, 2);
    for (const auto& rows : {layers[i].q, layers[i].k, layers[i].v}) expect_exact_rows(rows);
  }
}

TEST(ModelRun, RefusesNumbersThatAreNotFinite) {
  Checkpoint broken = checkpoint();
  broken.weights.blocks[1].c_attn_weight.mul_(1e38);
  broken.weights.blocks[1].ln_1_weight.mul_(1e4);
  const auto run = model_run(layerwise(broken), "broken", kIds);
  EXPECT_BAD_INPUT(run->for_each_layer([](const LayerRows&) {}),
                   {.kind = BadInputKind::out_of_range, .where = "blocks.1.attn.hook_q"});
}

/// softmax(q.k / 2) of every head over the keys that are not hidden.
at::Tensor pattern_of(const at::Tensor& q, const at::Tensor& k, const at::Tensor& hidden) {
  const std::int64_t heads = q.size(1), group = heads / k.size(1);
  std::vector<at::Tensor> patterns;
  for (std::int64_t head = 0; head < heads; ++head) {
    const at::Tensor scores = at::mm(q.select(1, head), k.select(1, head / group).t()) / 2;
    patterns.push_back(at::softmax(scores.masked_fill(hidden, -INFINITY), -1));
  }
  return at::stack(patterns);
}

class RecordingFile : public test::WithFolder {
 protected:
  [[nodiscard]] std::filesystem::path path() const { return folder / "rows.safetensors"; }

  /// Two layers of [8, 3, 4] with a pattern in the first.
  [[nodiscard]] static Tensors tensors() {
    Tensors result;
    for (const std::int64_t layer : {0, 1}) {
      for (const auto& name : {names::q(layer), names::k(layer), names::v(layer)}) {
        result[name] = at::randn({8, 3, 4});
      }
    }
    result[names::pattern(0)] =
        pattern_of(result[names::q(0)], result[names::k(0)], hidden_keys({}, 8, 8));
    return result;
  }

  using Metadata = std::map<std::string, std::string>;

  [[nodiscard]] std::unique_ptr<ActivationSource> recording_of(
      const Tensors& stored, const Metadata& metadata = {}) const {
    safetensors::write(path(), stored, metadata);
    return open_recording(path());
  }

  void expect_refused(const Tensors& stored, const BadInputParts& parts,
                      const Metadata& metadata = {}) const {
    safetensors::write(path(), stored, metadata);
    EXPECT_BAD_INPUT(layers_of(*open_recording(path())), parts);
  }
};

TEST_F(RecordingFile, ReadsBackWhatAModelRecords) {
  Config config = small_config();
  config.scale_by_layer = true;
  for (const auto dtype : {at::kFloat, at::kDouble}) {
    const Checkpoint model = checkpoint(dtype, config);
    record(model, "small", kIds, path());
    const auto run = model_run(layerwise(model), "small", kIds);
    const auto recording = open_recording(path());
    EXPECT_EQ(recording->model_name(), "small");
    EXPECT_EQ(recording->sha256(), sha256_of_file(path()));
    EXPECT_EQ(recording->shape().queries(), 8);
    EXPECT_EQ(run->shape().layers[1].temperature, 4);
    const auto expected = layers_of(*run);
    const auto found = layers_of(*recording);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].temperature, run->shape().layers[i].temperature);
      EXPECT_TRUE(at::equal(found[i].q, expected[i].q));
      EXPECT_TRUE(at::equal(found[i].k, expected[i].k));
      EXPECT_TRUE(at::equal(found[i].v, expected[i].v));
      EXPECT_LE(agreement(found[i]).largest, dtype == at::kFloat ? 1e-6 : 1e-14);
    }
  }
}

TEST_F(RecordingFile, PatternDifferenceSeesOneWrongWeight) {
  record(checkpoint(), "small", kIds, path());
  const auto recording = open_recording(path());
  LayerRows rows = layers_of(*recording)[1];
  const at::Tensor pattern = all_heads(rows.pattern);
  rows.pattern = pattern;
  pattern[2][5][1] += 0.25;
  EXPECT_NEAR(agreement(rows).largest, 0.25, 1e-6);
  pattern[2][5][1] = std::nan("");
  EXPECT_TRUE(std::isnan(agreement(rows).largest));
}

TEST_F(RecordingFile, WidensEveryDtypeExactly) {
  for (const auto type : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    auto stored = tensors();
    for (auto& [name, tensor] : stored) tensor = tensor.to(type);
    const auto recording = recording_of(stored);
    const auto layers = layers_of(*recording);
    for (const auto& rows : {layers[1].q, layers[1].k, layers[1].v}) expect_exact_rows(rows);
    EXPECT_TRUE(at::equal(layers[1].k, stored[names::k(1)].to(at::kDouble)));
    EXPECT_TRUE(at::equal(layers[1].k.to(type), stored[names::k(1)]));
  }
}

TEST_F(RecordingFile, NeedsNoPatternNoTokensNoMetadata) {
  const auto recording = recording_of(tensors());
  EXPECT_EQ(recording->model_name(), "rows.safetensors");
  const auto layers = layers_of(*recording);
  EXPECT_EQ(layers[0].temperature, 2);
  EXPECT_TRUE(layers[0].pattern.defined());
  EXPECT_FALSE(layers[1].pattern.defined());
}

/// A path is of the machine that made the recording; a name in the Hub is one of two parts.
TEST_F(RecordingFile, NamesAModelOfAPathByItsLastPart) {
  for (const auto& [said, name] :
       {std::pair("/home/a/model.gguf", "model.gguf"), std::pair("/home/a/model", "model"),
        std::pair("HuggingFaceTB/SmolLM2-135M", "HuggingFaceTB/SmolLM2-135M"),
        std::pair("/", "/")}) {
    safetensors::write(path(), tensors(), {{names::kModel, said}});
    EXPECT_EQ(open_recording(path())->model_name(), name);
  }
}

TEST_F(RecordingFile, NamesWhatIsMissingOrHasAnotherShape) {
  expect_refused({{"x", at::zeros({1})}}, {.kind = BadInputKind::missing,
                                           .expected = "activations: blocks.0.attn.hook_q",
                                           .found = "none"});
  const auto refused = [&](const std::string& name, const at::Tensor& tensor,
                           const BadInputParts& parts) {
    auto stored = tensors();
    stored[name] = tensor;
    if (!tensor.defined()) stored.erase(name);
    expect_refused(stored, parts);
  };
  for (const std::string& name : {names::q(0), names::k(0)}) {
    refused(name, {}, {.kind = BadInputKind::missing, .where = "tensor '" + name + "'"});
  }
  refused(names::q(7), at::zeros({8, 3, 4}),
          {.kind = BadInputKind::missing, .where = "tensor 'blocks.7.attn.hook_k'"});
  const auto inconsistent = [&](const std::string& name, at::IntArrayRef sizes,
                                const std::string& where, const std::string& expected) {
    refused(name, at::zeros(sizes),
            {.kind = BadInputKind::inconsistent, .where = where, .expected = expected});
  };
  inconsistent(names::v(0), {8, 1, 4}, names::v(0), "3 heads as 'blocks.0.attn.hook_k'");
  inconsistent(names::k(1), {8, 1, 4}, names::v(1), "1 heads as 'blocks.1.attn.hook_k'");
  inconsistent(names::q(1), {8, 1, 5}, names::k(1), "as many heads as there are of queries, 1");
  inconsistent(names::k(0), {7, 3, 4}, names::k(0), "[8, key head, d_head] beside");
  inconsistent(names::pattern(0), {8, 8, 3}, names::pattern(0), "[head, query, key]");
}

/// A recording has no values of one layer, and of another the weights alone.
TEST_F(RecordingFile, ReadsEachLayerByItself) {
  auto stored = tensors();
  stored.erase(names::v(1));
  for (const auto& name : {names::q(0), names::k(0)}) stored.erase(name);
  stored[names::pattern(0)] = at::softmax(at::randn({3, 8, 8}), -1);
  const auto recording = recording_of(stored, {{"mask", R"(["full", "causal"])"}});
  const ActivationShape shape = recording->shape();
  EXPECT_EQ(shape.layers[0].source, LogitSource::weights);
  EXPECT_EQ(shape.layers[1].source, LogitSource::queries_and_keys);
  EXPECT_TRUE(shape.layers[0].has_values());
  EXPECT_FALSE(shape.layers[1].has_values());
  const auto layers = layers_of(*recording);
  EXPECT_TRUE(layers[0].weights.defined() && layers[0].v.defined());
  EXPECT_FALSE(layers[0].q.defined() || layers[1].v.defined());
  EXPECT_TRUE(layers[1].q.defined() && layers[1].k.defined());
}

/// A layer of four heads of queries and two of keys, after rotary embedding; what was before it is
/// in the file too.
Tensors rotary_and_grouped() {
  const at::Tensor q = at::randn({8, 4, 4}, at::kDouble), k = at::randn({8, 2, 4}, at::kDouble);
  return {{names::rotary_q(0), q},
          {names::rotary_k(0), k},
          {names::q(0), at::randn({8, 4, 4})},
          {names::k(0), at::randn({8, 2, 4})},
          {names::v(0), at::randn({8, 2, 4})},
          {names::pattern(0), pattern_of(q, k, hidden_keys({}, 8, 8))}};
}

TEST_F(RecordingFile, TakesRotaryQueriesAndGroupedKeys) {
  const auto stored = rotary_and_grouped();
  const auto recording = recording_of(stored);
  EXPECT_EQ(recording->shape().heads(), 4);
  EXPECT_EQ(recording->shape().layers[0].key_heads, 2);
  const LayerRows layer = layers_of(*recording).front();
  EXPECT_TRUE(at::equal(layer.q, stored.at(names::rotary_q(0))));
  EXPECT_TRUE(at::equal(layer.k, stored.at(names::rotary_k(0))));
  EXPECT_LE(agreement(layer).largest, 1e-14);
}

TEST_F(RecordingFile, RefusesHeadsThatNoGroupOfKeysDivides) {
  auto stored = rotary_and_grouped();
  stored[names::rotary_k(0)] = stored[names::v(0)] = at::randn({8, 3, 4});
  expect_refused(stored, {.kind = BadInputKind::inconsistent,
                          .where = "tensor 'blocks.0.attn.hook_rot_k'",
                          .expected = "4, or a divisor",
                          .found = "3"});
  stored = rotary_and_grouped();
  stored.erase(names::rotary_k(0));
  expect_refused(stored,
                 {.kind = BadInputKind::missing, .where = "tensor 'blocks.0.attn.hook_rot_k'"});
}

/// Two layers of two heads on five tokens, masked as frameworks mask them.
Tensors scores_alone() {
  Tensors stored;
  const at::Tensor hidden = at::ones({5, 5}).triu(1).to(at::kBool);
  for (const std::int64_t layer : {0, 1}) {
    const at::Tensor scores = at::randn({2, 5, 5}).masked_fill(hidden, -INFINITY);
    stored[names::scores(layer)] = scores;
    stored[names::pattern(layer)] = at::softmax(scores, -1);
  }
  return stored;
}

TEST_F(RecordingFile, TakesScoresInPlaceOfQueriesAndKeys) {
  const auto stored = scores_alone();
  const auto recording = recording_of(stored);
  const ActivationShape shape = recording->shape();
  EXPECT_EQ(shape.layers[1].heads, 2);
  EXPECT_EQ(shape.layers[1].keys, 5);
  EXPECT_FALSE(shape.any(&LayerShape::has_queries));
  EXPECT_FALSE(shape.any(&LayerShape::has_values));
  for (const LayerRows& layer : layers_of(*recording)) {
    EXPECT_EQ(layer.temperature, 1);
    EXPECT_LE(agreement(layer).largest, 1e-6);
    const at::Tensor visible = stored.at(names::scores(layer.layer)).tril();
    EXPECT_TRUE(at::equal(all_heads(layer.scores).tril(), visible));
    EXPECT_EQ(all_heads(layer.scores).triu(1).abs().max().item<float>(), 0);
  }
}

TEST_F(RecordingFile, TakesValuesBesideScores) {
  auto stored = scores_alone();
  for (const std::int64_t layer : {0, 1}) stored[names::v(layer)] = at::randn({5, 1, 3});
  const auto recording = recording_of(stored);
  EXPECT_TRUE(recording->shape().common(&LayerShape::has_values).value());
  EXPECT_EQ(recording->shape().layers[0].key_heads, 1);
  EXPECT_EQ(layers_of(*recording)[1].v.sizes(), at::IntArrayRef({5, 1, 3}));
}

TEST_F(RecordingFile, RefusesScoresThatAreNotFiniteOrMissing) {
  auto stored = scores_alone();
  stored[names::scores(1)][1][3][2] = std::nan("");
  expect_refused(stored, {.kind = BadInputKind::out_of_range,
                          .where = "tensor 'blocks.1.attn.hook_attn_scores'",
                          .expected = "finite numbers where a query sees a key"});
  stored.erase(names::scores(1));
  stored.erase(names::pattern(1));
  stored[names::v(1)] = at::zeros({5, 2, 3});
  expect_refused(stored, {.kind = BadInputKind::missing,
                          .where = "layer 1",
                          .expected = "hook_attn_scores or hook_pattern"});
  stored = scores_alone();
  stored[names::scores(0)] = at::zeros({2, 5, 4});
  expect_refused(stored, {.kind = BadInputKind::inconsistent,
                          .where = "tensor 'blocks.0.attn.hook_pattern'",
                          .expected = "shape [2, 5, 4] as 'blocks.0.attn.hook_attn_scores'"});
}

/// The attention of scores_alone() as its weights alone.
Tensors weights_alone() {
  Tensors stored;
  for (auto& [name, tensor] : scores_alone()) {
    if (name.ends_with("pattern")) stored[name] = tensor;
  }
  return stored;
}

TEST_F(RecordingFile, TakesWeightsAlone) {
  const auto stored = weights_alone();
  const auto recording = recording_of(stored);
  const ActivationShape shape = recording->shape();
  EXPECT_EQ(shape.layers.size(), 2U);
  EXPECT_EQ(shape.layers[1].heads, 2);
  EXPECT_EQ(shape.layers[1].keys, 5);
  EXPECT_EQ(shape.common(&LayerShape::source), LogitSource::weights);
  EXPECT_FALSE(shape.any(&LayerShape::has_queries));
  EXPECT_FALSE(shape.any(&LayerShape::has_values));
  for (const LayerRows& layer : layers_of(*recording)) {
    EXPECT_EQ(layer.temperature, 1);
    EXPECT_TRUE(at::equal(all_heads(layer.weights), stored.at(names::pattern(layer.layer))));
    EXPECT_FALSE(layer.scores.defined());
    EXPECT_FALSE(layer.pattern.defined());
  }
}

TEST_F(RecordingFile, RefusesWeightsThatAreNone) {
  const auto refused = [&](std::int64_t key, double weight, const char* found) {
    auto stored = weights_alone();
    stored[names::pattern(1)][1][3][key] = weight;
    expect_refused(stored, {.kind = BadInputKind::out_of_range,
                            .where = "tensor 'blocks.1.attn.hook_pattern'",
                            .found = found});
  };
  refused(2, -1e-9, "-1e-09 at [1, 3, 2]");
  refused(2, std::nan(""), "nan at [1, 3, 2]");
  auto stored = weights_alone();
  stored[names::pattern(0)][0][2].zero_();
  expect_refused(stored, {.kind = BadInputKind::out_of_range, .found = "a row of zeros at [0, 2]"});
  stored = weights_alone();
  stored[names::pattern(1)][1][3][4] = 1e-9;
  expect_refused(stored, {.kind = BadInputKind::inconsistent,
                          .expected = "nothing after a query's own key",
                          .found = "1e-09 at [1, 3, 4]",
                          .advice = "metadata 'mask'"});
}

/// q, k and the pattern of a layer of two heads on six tokens, of which a query sees some.
Tensors masked(std::int64_t back, std::int64_t ahead) {
  const at::Tensor q = at::randn({6, 2, 4}, at::kDouble), k = at::randn({6, 2, 4}, at::kDouble);
  const at::Tensor all = at::ones({6, 6}, at::kBool);
  const at::Tensor hidden = all.tril(-back - 1).logical_or(all.triu(ahead + 1));
  return {{names::q(0), q}, {names::k(0), k}, {names::pattern(0), pattern_of(q, k, hidden)}};
}

struct MaskCase {
  const char* name;
  std::int64_t back, ahead;  ///< how many tokens a query sees before its own, and after it
};
constexpr MaskCase kMasks[] = {{"causal", 5, 0}, {"full", 5, 5}, {"window:3", 2, 0}};

TEST_F(RecordingFile, ReadsTheMask) {
  for (const MaskCase& one : kMasks) {
    for (const MaskCase& other : kMasks) {
      SCOPED_TRACE(std::string(one.name) + ", " + other.name);
      const auto stored = masked(one.back, one.ahead);
      if (&one == &other) {
        const auto recording = recording_of(stored, {{"mask", other.name}});
        EXPECT_LE(recording->shape().layers.front().difference.value(), 1e-14);
        EXPECT_FALSE(recording->shape().layers.front().is_contradicted);
      } else {
        // The pattern is not of that mask, and its zeros are not what it makes.
        expect_refused(
            stored,
            {.kind = BadInputKind::inconsistent, .where = "tensor 'blocks.0.attn.hook_pattern'"},
            {{"mask", other.name}});
      }
    }
  }
}

/// Beside q and k.
TEST_F(RecordingFile, FindsTheMaskThatGivesThePatternBack) {
  for (const MaskCase& one : kMasks) {
    const auto recording = recording_of(masked(one.back, one.ahead));
    EXPECT_FALSE(recording->shape().layers.front().is_contradicted) << one.name;
    const std::string expected = one.name == std::string("causal") ? "" : one.name;
    EXPECT_EQ(recording->shape().mask_words, expected);
  }
}

TEST_F(RecordingFile, RefusesWeightsThatTheMaskHides) {
  for (const MaskCase& one : kMasks) {
    auto stored = masked(one.back, one.ahead);
    stored.erase(names::q(0));
    stored.erase(names::k(0));
    const auto recording = recording_of(stored, {{"mask", one.name}});
    EXPECT_EQ(layers_of(*recording).size(), 1U);
    if (std::string_view(one.name) == "full") {
      expect_refused(stored,
                     {.kind = BadInputKind::inconsistent,
                      .where = "tensor 'blocks.0.attn.hook_pattern'",
                      .expected = "0 where a query does not see a key",
                      .found = " at [0, 0, 1]",
                      .advice = "metadata 'mask'"},
                     {{"mask", "causal"}});
    }
  }
}

TEST_F(RecordingFile, RefusesAMaskThatItDoesNotKnow) {
  for (const char* mask : {"", "Causal", "window", "window:", "window:1", "window:-3", "window:2.5",
                           "window: 3", "window:99999999999999999999"}) {
    expect_refused(masked(5, 0),
                   {.kind = BadInputKind::malformed,
                    .where = "metadata 'mask'",
                    .expected = "causal, full or window:K"},
                   {{"mask", mask}});
  }
}

TEST_F(RecordingFile, TakesABatchOfOne) {
  auto stored = tensors();
  stored[names::kTokens] = at::tensor(kIds, at::kLong);
  safetensors::write(path(), stored);
  const auto expected = layers_of(*open_recording(path()));
  const at::Tensor pattern = all_heads(expected[0].pattern);  // before the file is another
  for (auto& [name, tensor] : stored) tensor = tensor.unsqueeze(0);
  const auto recording = recording_of(stored);
  const auto found = layers_of(*recording);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(at::equal(found[i].q, expected[i].q));
  EXPECT_TRUE(at::equal(all_heads(found[0].pattern), pattern));
  stored[names::q(0)] = at::zeros({2, 8, 3, 4});
  expect_refused(stored, {.kind = BadInputKind::unsupported,
                          .where = "tensor 'blocks.0.attn.hook_q'",
                          .found = "a batch of 2",
                          .advice = "tensor[0]"});
  for (auto& [name, tensor] : stored) tensor = at::zeros({8, 0, 4});
  expect_refused(stored, {.kind = BadInputKind::malformed, .found = "shape [8, 0, 4]"});
}

TEST_F(RecordingFile, HoldsAnyLayers) {
  Tensors stored;
  for (const std::int64_t layer : {5, 11}) {
    for (const auto& name : {names::q(layer), names::k(layer), names::v(layer)}) {
      stored[name] = at::randn({8, 3, 4});
    }
  }
  const auto recording = recording_of(stored, {{"temperatures", "[1, 3]"}});
  EXPECT_EQ(recording->shape().layers.size(), 2U);
  const auto layers = layers_of(*recording);
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].layer, 5);
  EXPECT_EQ(layers[1].layer, 11);
  EXPECT_EQ(layers[1].temperature, 3);
  EXPECT_TRUE(at::equal(layers[1].k, stored[names::k(11)].to(at::kDouble)));
}

/// Alternating masks, of which only some lengths are seen in full by each.
TEST_F(RecordingFile, ReadsAMaskOfEachLayer) {
  auto stored = tensors();
  const auto recording = recording_of(stored, {{"mask", R"(["causal", "window:3"])"}});
  const auto layers = layers_of(*recording);
  EXPECT_TRUE(layers[0].mask.is_causal());
  EXPECT_EQ(layers[1].mask.window, 3);
  const ActivationShape shape = recording->shape();
  EXPECT_EQ(shape.mask_words, "causal,window:3");
  EXPECT_EQ(shape.longest_row(), 8);
  EXPECT_EQ(shape.longest_length(), 3);
  EXPECT_FALSE(shape.has_length(4));
  for (const char* list : {R"(["causal"])", R"(["causal", "none"])", "[1, 2]"}) {
    expect_refused(stored, {.kind = BadInputKind::malformed, .where = "metadata 'mask'"},
                   {{"mask", list}});
  }
}

/// Two sequences of a batch: the first `left` positions and the last `right` ones are padding,
/// marked as frameworks mark it.
TEST_F(RecordingFile, LeavesPaddingOut) {
  const std::int64_t all = 9, left = 2, right = 3, tokens = all - left - right;
  const double least = -static_cast<double>(std::numeric_limits<float>::max());
  const double infinity = std::numeric_limits<double>::infinity();
  const at::Tensor inside = at::ones({tokens, tokens}, at::kBool);
  for (const bool full : {false, true}) {
    for (const double mark : {-infinity, least, least / 2}) {
      const at::Tensor seen = full ? inside : inside.tril();
      at::Tensor scores = at::full({2, all, all}, mark);
      const at::Tensor real = at::randn({2, tokens, tokens}).masked_fill(seen.logical_not(), mark);
      scores.slice(1, left, left + tokens).slice(2, left, left + tokens).copy_(real);
      // Queries of padding see what a query beside them does.
      scores.slice(1, left + tokens).slice(2, left, left + tokens).fill_(1);
      const at::Tensor v = at::randn({all, 2, 3});
      safetensors::write(path(), {{names::scores(0), scores},
                                  {names::v(0), v},
                                  {names::kTokens, at::arange(all, at::kLong)}});
      const auto recording = open_recording(path());
      const ActivationShape shape = recording->shape();
      EXPECT_EQ(shape.layers[0].keys, tokens);
      EXPECT_EQ(shape.padding, 5U);
      EXPECT_EQ(shape.rows_left_out, 0U);
      const LayerRows layer = layers_of(*recording).front();
      EXPECT_FALSE(layer.seen.defined());
      EXPECT_EQ(layer.mask.full, full);
      EXPECT_TRUE(at::equal(all_heads(layer.scores), real.masked_fill(seen.logical_not(), 0)));
      EXPECT_TRUE(at::equal(layer.v, v.slice(0, left, left + tokens).to(at::kDouble)));
    }
  }
}

/// Scores mark what is hidden, or the metadata say what a pattern's zeros are.
TEST_F(RecordingFile, SeesWhatAnyMaskShows) {
  at::Tensor seen = at::rand({2, 7, 7}).lt(0.6);
  seen.select(1, 3).fill_(false);
  seen.select(2, 5).fill_(true);
  const at::Tensor scores = at::randn({2, 7, 7}).masked_fill(seen.logical_not(), -INFINITY);
  const at::Tensor pattern = at::softmax(scores, -1);
  const std::map<std::string, std::string> hidden{{"zeros", "hidden"}};
  const Tensors recordings[] = {{{names::scores(0), scores}, {names::pattern(0), pattern}},
                                {{names::pattern(0), at::where(seen, pattern, 0.0)}}};
  for (const auto& stored : recordings) {
    const auto recording = recording_of(stored, hidden);
    const LayerRows layer = layers_of(*recording).front();
    ASSERT_TRUE(layer.seen.defined());
    EXPECT_TRUE(at::equal(layer.seen, seen));
    EXPECT_EQ(recording->shape().mask_words, "recorded");
    if (layer.pattern.defined()) {
      EXPECT_LE(agreement(layer).largest, 1e-6);
    }
    RecordedWeights weights;
    weights.add(layer);
    EXPECT_EQ(weights.zeros, 0U);
    EXPECT_EQ(weights.off_sum_rows, 0U);
    EXPECT_EQ(recording->shape().rows_left_out,
              static_cast<std::uint64_t>(layer.seen.sum(-1).lt(2).sum().item<std::int64_t>()));
  }
  for (const double padding : {0.0, std::nan("")}) {
    pattern.select(1, 2).fill_(padding);
    expect_refused({{names::pattern(0), pattern}},
                   {.kind = BadInputKind::out_of_range, .advice = "is it padding?"},
                   {{"mask", "full"}});
  }
}

/// q and k of another scale are not what the model weighed by.
TEST_F(RecordingFile, PrefersScoresToQueriesAndKeys) {
  auto stored = scores_alone();
  for (const std::int64_t layer : {0, 1}) {
    stored[names::q(layer)] = stored[names::k(layer)] = at::randn({5, 2, 4});
  }
  const auto recording = recording_of(stored);
  EXPECT_FALSE(recording->shape().any(&LayerShape::has_queries));
  EXPECT_LE(agreement(layers_of(*recording)[1]).largest, 1e-6);
}

TEST_F(RecordingFile, CountsRowsThatHoldAZero) {
  auto stored = weights_alone();
  stored[names::pattern(1)][1][3][0] = 0;
  stored[names::pattern(1)][1][3][1] = 0;
  stored[names::pattern(1)][0][4][2] = 0;
  const auto recording = recording_of(stored, {{"zeros", "weights"}});
  RecordedWeights weights;
  for (LayerRows layer : layers_of(*recording)) {
    weights.add(layer);
    layer.pattern = layer.weights;  // beside logits
    layer.weights = {};
    weights.add(layer);
  }
  EXPECT_EQ(weights.zeros, 6U);
  EXPECT_EQ(weights.zero_rows, 2U);
}

/// As a learned sink makes them: a fifth of the weight is left.
TEST_F(RecordingFile, CountsRowsOfAnotherSum) {
  auto stored = weights_alone();
  stored[names::pattern(1)][1][3] *= 0.2;
  const auto recording = recording_of(stored);
  RecordedWeights weights;
  for (const LayerRows& layer : layers_of(*recording)) weights.add(layer);
  EXPECT_EQ(weights.off_sum_rows, 1U);
  EXPECT_NEAR(weights.farthest_sum.value(), 0.2, 1e-6);
  const Head head = head_of(layers_of(*recording)[1], 1, 1);
  EXPECT_FALSE(head.has_logits(3));
  EXPECT_TRUE(head.has_logits(2));
  EXPECT_TRUE(head.has_shares(1));
}

TEST_F(RecordingFile, NamesWhatIsNotFloatingPointOrNotFinite) {
  auto stored = tensors();
  stored[names::v(1)] = at::zeros({8, 3, 4}, at::kLong);
  expect_refused(stored, {.kind = BadInputKind::malformed,
                          .where = "tensor 'blocks.1.attn.hook_v'",
                          .expected = "F64, F32, F16 or BF16"});
  for (const std::string& name : {names::v(1), names::k(0), names::pattern(0)}) {
    stored = tensors();
    stored[name].flatten()[2] = std::numeric_limits<double>::infinity();
    expect_refused(stored, {.kind = BadInputKind::out_of_range,
                            .where = "tensor '" + name + "'",
                            .expected = "finite numbers",
                            .found = "inf"});
  }
}

TEST_F(RecordingFile, RefusesEmbeddingsWhoseSquaresNoDoubleHolds) {
  auto stored = tensors();
  const std::string name = names::v(1);
  stored[name] = stored[name].to(at::kDouble);
  at::Tensor head = stored[name].select(1, 2);
  head.zero_();
  safetensors::write(path(), stored);
  const auto zeros = open_recording(path());
  EXPECT_EQ(layers_of(*zeros).size(), 2U);
  head[3][1] = -1e-170;
  expect_refused(stored, {.kind = BadInputKind::out_of_range,
                          .where = "tensor '" + name + "'",
                          .expected = "whose square a double holds",
                          .found = "at most 1e-170"});
  head[3][1] = 1e160;
  expect_refused(stored, {.kind = BadInputKind::out_of_range,
                          .where = "tensor '" + name + "'",
                          .expected = "whose square a double holds",
                          .found = "at most 1e+160"});
  head[3][1] = -1e99;
  safetensors::write(path(), stored);
  const auto large = open_recording(path());
  EXPECT_EQ(layers_of(*large).size(), 2U);
}

TEST_F(RecordingFile, ChecksTemperatures) {
  for (const char* list : {"", "8", "[8]", "[8,0]", "[8,-1]", "[8,\"8\"]", "[8,1e999]"}) {
    expect_refused(tensors(), {.kind = BadInputKind::malformed, .where = "metadata 'temperatures'"},
                   {{"temperatures", list}});
  }
}

}  // namespace
}  // namespace attn::gpt2
