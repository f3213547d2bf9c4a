#include "gpt2_check/activations/recording.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/model/code_path.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/number_from.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/valid_utf8.hpp"

namespace attn::gpt2 {
namespace {

using Sizes = std::vector<std::int64_t>;

[[noreturn]] void refuse(const safetensors::File& file, BadInputParts parts) {
  throw BadInput(std::move(parts)).within(file.path().string());
}

std::string place(const std::string& tensor) {
  return fmt::format("tensor '{}'", tensor);
}

/// One more than the largest layer that any attention tensor names.
std::int64_t count_layers(const safetensors::File& file) {
  static const std::regex pattern(
      R"(blocks\.(\d{1,6})\.attn\.hook_(q|k|rot_q|rot_k|attn_scores|v|pattern))");
  std::int64_t layers = 0;
  std::smatch match;
  for (const auto& [name, entry] : file.entries()) {
    if (std::regex_match(name, match, pattern)) {
      layers = std::max<std::int64_t>(layers, std::stoll(match[1]) + 1);
    }
  }
  if (layers == 0) {
    refuse(file,
           {.kind = BadInputKind::missing,
            .expected = "activations: blocks.0.attn.hook_q and hook_k, hook_rot_q and hook_rot_k, "
                        "hook_attn_scores, or hook_pattern",
            .found = "none"});
  }
  return layers;
}

/// The sizes of a tensor of three dimensions, none of them 0. `expected`: what they are.
Sizes three_sizes(const safetensors::File& file, const std::string& name,
                  std::string_view expected) {
  const Sizes& sizes = file.entry(name).shape;
  if (sizes.size() != 3 || std::ranges::count(sizes, 0) != 0) {
    refuse(file, {.kind = BadInputKind::malformed,
                  .where = place(name),
                  .expected = fmt::format("{} without a batch dimension, each 1 or more", expected),
                  .found = fmt::format("shape {}", sizes)});
  }
  return sizes;
}

constexpr const char* kMaskAdvice = "metadata 'mask' says which keys a query sees";
constexpr std::string_view kRows = "[position, head, d_head]";
constexpr std::string_view kSquares = "[head, query, key]";

/// As many heads of keys as of queries, or a divisor of that.
void check_groups(const safetensors::File& file, const std::string& keys, std::int64_t heads,
                  std::int64_t key_heads) {
  if (heads % key_heads == 0) return;
  refuse(file,
         {.kind = BadInputKind::inconsistent,
          .where = place(keys),
          .expected = fmt::format("as many heads as there are of queries, {}, or a divisor of "
                                  "that",
                                  heads),
          .found = fmt::format("{}", key_heads)});
}

ActivationShape shape_of_queries(const safetensors::File& file, std::int64_t layers,
                                 const std::string& q, const std::string& k) {
  const Sizes queries = three_sizes(file, q, kRows), keys = three_sizes(file, k, kRows);
  check_groups(file, k, queries[1], keys[1]);
  return {.layers = layers,
          .heads = queries[1],
          .positions = queries[0],
          .head_width = queries[2],
          .key_heads = keys[1],
          .has_values = file.contains(names::v(0))};
}

/// Of what stands for queries and keys: the scores or the weights, `squares`.
ActivationShape shape_of_squares(const safetensors::File& file, std::int64_t layers,
                                 const std::string& squares) {
  const Sizes scores = three_sizes(file, squares, kSquares);
  ActivationShape shape{.layers = layers,
                        .heads = scores[0],
                        .positions = scores[1],
                        .key_heads = scores[0],
                        .has_queries = false,
                        .has_values = file.contains(names::v(0))};
  if (!shape.has_values) return shape;
  const Sizes values = three_sizes(file, names::v(0), kRows);
  check_groups(file, names::v(0), scores[0], values[1]);
  shape.head_width = values[2];
  shape.key_heads = values[1];
  return shape;
}

/// Embeddings; refused where those of a head are so small that their squares underflow.
at::Tensor embeddings(const safetensors::File& file, const std::string& name) {
  constexpr double kLeast = 1e-100;
  at::Tensor x = file.read_finite(name).to(at::kDouble);
  const auto of_a_head = x.dim() == 3 ? Sizes{0, 2} : Sizes{0, 1};
  const at::Tensor largest = x.abs().amax(of_a_head);
  const at::Tensor vanish = largest.gt(0).logical_and(largest.lt(kLeast));
  if (vanish.any().item<bool>()) {
    refuse(file, {.kind = BadInputKind::out_of_range,
                  .where = place(name),
                  .expected = fmt::format("in every head a number of absolute value {} or more, "
                                          "whose square a double holds, or zeros alone",
                                          kLeast),
                  .found = fmt::format("at most {:.3g}",
                                       largest.masked_select(vanish).max().item<double>()),
                  .advice = "multiply all embeddings by one number, which changes no verdict"});
  }
  return x;
}

/// What queries do not see of the scores is 0, whatever a mask made of it; the rest must be finite.
at::Tensor visible_scores(const safetensors::File& file, const std::string& name,
                          const Mask& mask) {
  at::Tensor scores = file.read(name).to(at::kDouble);
  scores.masked_fill_(hidden_keys(mask, scores.size(1)), 0);
  if (!at::isfinite(scores).all().item<bool>()) {
    refuse(file, {.kind = BadInputKind::out_of_range,
                  .where = place(name),
                  .expected = "finite numbers where a query sees a key",
                  .found = "others",
                  .advice = kMaskAdvice});
  }
  return scores;
}

/// Weights: at least 0, with something on every row; 0 where a query does not see a key.
at::Tensor visible_weights(const safetensors::File& file, const std::string& name,
                           const Mask& mask) {
  const at::Tensor weights = file.read_finite(name).to(at::kDouble);
  const auto require = [&](const at::Tensor& holds, const char* expected, const char* found) {
    if (holds.all().item<bool>()) return;
    refuse(file, {.kind = BadInputKind::out_of_range,
                  .where = place(name),
                  .expected = expected,
                  .found = found,
                  .advice = kMaskAdvice});
  };
  const at::Tensor hidden = hidden_keys(mask, weights.size(1));
  require(weights.ge(0), "weights of at least 0", "a negative one");
  require(weights.eq(0).logical_or(hidden.logical_not()), "0 where a query does not see a key",
          "another weight");
  require(weights.sum(-1).gt(0), "a weight above 0 in every row", "a row of zeros");
  return weights;
}

/// The tokens that a query sees, as the metadata says.
Mask read_mask(const safetensors::File& file) {
  const auto found = file.metadata().find(names::kMask);
  if (found == file.metadata().end() || found->second == names::kCausal) return {};
  if (found->second == report::kFullMask) return {.full = true};
  if (found->second.starts_with(report::kWindowMask)) {
    const auto window = number_from<std::int64_t>(
        std::string_view(found->second).substr(report::kWindowMask.size()));
    if (window && *window >= 2) return {.window = *window};
  }
  refuse(file, {.kind = BadInputKind::malformed,
                .where = "metadata 'mask'",
                .expected = "causal, full or window:K with K >= 2",
                .found = in_quotes(found->second)});
}

void check_tensor(const safetensors::File& file, const std::string& name, const Sizes& expected) {
  const safetensors::Entry& entry = file.entry(name);
  if (!at::isFloatingType(entry.dtype)) {
    refuse(file, {.kind = BadInputKind::malformed,
                  .where = place(name),
                  .expected = "F64, F32, F16 or BF16",
                  .found = c10::toString(entry.dtype)});
  }
  if (entry.shape != expected) {
    refuse(file, {.kind = BadInputKind::inconsistent,
                  .where = place(name),
                  .expected = fmt::format("shape {} to match layer 0", expected),
                  .found = fmt::format("{}", entry.shape)});
  }
}

/// Hands every layer on to the writer as the model computes it.
class Recorder : public LayerObserver {
 public:
  explicit Recorder(safetensors::Writer& writer) : writer_(writer) {}

  void on_layer(std::int64_t layer, const LayerActivations& activations) override {
    if (layer == 0) writer_.append(names::resid_pre(0), activations.resid_pre);
    writer_.append(names::q(layer), activations.q);
    writer_.append(names::k(layer), activations.k);
    writer_.append(names::v(layer), activations.v);
    writer_.append(names::pattern(layer), activations.pattern);
    writer_.append(names::resid_post(layer), activations.resid_post);
  }

 private:
  safetensors::Writer& writer_;
};

std::vector<safetensors::Slot> slots(const Config& config, std::int64_t positions,
                                     at::ScalarType dtype) {
  const Sizes rows{positions, config.heads, config.head_width()};
  std::vector<safetensors::Slot> result = {{names::resid_pre(0), dtype, {positions, config.width}}};
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    result.push_back({names::q(layer), dtype, rows});
    result.push_back({names::k(layer), dtype, rows});
    result.push_back({names::v(layer), dtype, rows});
    result.push_back({names::pattern(layer), dtype, {config.heads, positions, positions}});
    result.push_back({names::resid_post(layer), dtype, {positions, config.width}});
  }
  result.push_back({names::kLogits, dtype, {positions, config.vocabulary}});
  result.push_back({names::kTokens, at::kLong, {positions}});
  return result;
}

}  // namespace

Recording::Recording(const std::filesystem::path& file)
    : file_(file), is_rotary_(file_.contains(names::rotary_q(0))) {
  const std::int64_t layers = count_layers(file_);
  const bool has_queries = file_.contains(q_name(0)) || file_.contains(k_name(0));
  if (!has_queries && file_.contains(names::scores(0))) {
    shape_ = shape_of_squares(file_, layers, names::scores(0));
  } else if (!has_queries && file_.contains(names::pattern(0))) {
    shape_ = shape_of_squares(file_, layers, names::pattern(0));
    shape_.has_weights_alone = true;
  } else {
    shape_ = shape_of_queries(file_, layers, q_name(0), k_name(0));
  }
  shape_.mask = read_mask(file_);
  for (std::int64_t layer = 0; layer < shape_.layers; ++layer) check_layer(layer);
  read_tokens();
  read_temperatures();
}

void Recording::check_layer(std::int64_t layer) const {
  const Sizes queries{shape_.positions, shape_.heads, shape_.head_width};
  const Sizes keys{shape_.positions, shape_.key_heads, shape_.head_width};
  const Sizes weights{shape_.heads, shape_.positions, shape_.positions};
  if (shape_.has_queries) {
    check_tensor(file_, q_name(layer), queries);
    check_tensor(file_, k_name(layer), keys);
  } else {
    check_tensor(file_, square_name(layer), weights);
  }
  if (shape_.has_values) check_tensor(file_, names::v(layer), keys);
  if (file_.contains(names::pattern(layer))) check_tensor(file_, names::pattern(layer), weights);
}

void Recording::read_tokens() {
  if (!file_.contains(names::kTokens)) return;
  const safetensors::Entry& entry = file_.entry(names::kTokens);
  if (!at::isIntegralType(entry.dtype, /*includeBool=*/false) ||
      entry.shape != Sizes{shape_.positions}) {
    refuse(file_,
           {.kind = BadInputKind::inconsistent,
            .where = place(names::kTokens),
            .expected = fmt::format("integers of shape [{}]", shape_.positions),
            .found = fmt::format("{} of shape {}", c10::toString(entry.dtype), entry.shape)});
  }
  const at::Tensor tokens = file_.read(names::kTokens).to(at::kLong);
  const auto* first = tokens.data_ptr<std::int64_t>();
  tokens_.assign(first, first + tokens.numel());
}

void Recording::read_temperatures() {
  const auto layers = static_cast<std::size_t>(shape_.layers);
  shape_.temperatures.assign(
      layers, shape_.has_queries ? std::sqrt(static_cast<double>(shape_.head_width)) : 1);
  const auto found = file_.metadata().find(names::kTemperatures);
  if (found == file_.metadata().end()) return;
  const auto list = nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  const bool valid =
      list.is_array() && list.size() == layers && std::ranges::all_of(list, [](const auto& value) {
        return value.is_number() && value.template get<double>() > 0 &&
               std::isfinite(value.template get<double>());
      });
  if (!valid) {
    refuse(file_,
           {.kind = BadInputKind::malformed,
            .where = "metadata 'temperatures'",
            .expected = fmt::format("a JSON list of {} positive numbers, one a layer", layers),
            .found = in_quotes(found->second)});
  }
  shape_.temperatures = list.get<std::vector<double>>();
}

std::string Recording::model_name() const {
  const auto found = file_.metadata().find(names::kModel);
  return found == file_.metadata().end() ? valid_utf8(file_.path().filename().string())
                                         : found->second;
}

std::string Recording::sha256() const {
  return file_.sha256();
}

std::string Recording::q_name(std::int64_t layer) const {
  return is_rotary_ ? names::rotary_q(layer) : names::q(layer);
}

std::string Recording::k_name(std::int64_t layer) const {
  return is_rotary_ ? names::rotary_k(layer) : names::k(layer);
}

std::string Recording::square_name(std::int64_t layer) const {
  return shape_.has_weights_alone ? names::pattern(layer) : names::scores(layer);
}

std::string Recording::hidden_name(std::int64_t layer) const {
  const std::string before = names::resid_pre(layer);
  if (layer == 0 || file_.contains(before)) return before;
  return names::resid_post(layer - 1);
}

void Recording::check_hidden() const {
  for (std::int64_t layer = 0; layer < shape_.layers; ++layer) {
    const std::string name = hidden_name(layer);
    if (!file_.contains(name)) {
      refuse(file_, {.kind = BadInputKind::missing,
                     .where = place(name),
                     .expected = "one, which --embedding hidden needs",
                     .found = "none",
                     .advice = "record it, or use --embedding value"});
    }
    const Sizes& sizes = file_.entry(name).shape;
    const std::int64_t width = sizes.size() == 2 ? sizes[1] : 0;
    if (width == 0) {
      refuse(file_, {.kind = BadInputKind::malformed,
                     .where = place(name),
                     .expected = "[position, width]",
                     .found = fmt::format("shape {}", sizes)});
    }
    check_tensor(file_, name, {shape_.positions, width});
  }
}

LayerRows Recording::read_layer(std::int64_t layer) const {
  const auto read = [&](const std::string& name) {
    return file_.read_finite(name).to(at::kDouble);
  };
  LayerRows rows;
  rows.layer = layer;
  rows.temperature = shape_.temperatures[static_cast<std::size_t>(layer)];
  rows.mask = shape_.mask;
  if (shape_.has_queries) {
    rows.q = read(q_name(layer));
    rows.k = read(k_name(layer));
  } else if (shape_.has_weights_alone) {
    rows.weights = visible_weights(file_, names::pattern(layer), shape_.mask);
  } else {
    rows.scores = visible_scores(file_, names::scores(layer), shape_.mask);
  }
  if (shape_.has_values) rows.v = embeddings(file_, names::v(layer));
  if (!shape_.has_weights_alone && file_.contains(names::pattern(layer))) {
    rows.pattern = file_.read_finite(names::pattern(layer));
  }
  return rows;
}

void Recording::for_each_layer(Embedding embedding,
                               const std::function<void(const LayerRows&)>& visit) {
  const bool hidden = embedding == Embedding::hidden;
  if (hidden) check_hidden();
  for (std::int64_t layer = 0; layer < shape_.layers; ++layer) {
    LayerRows rows = read_layer(layer);
    if (hidden) rows.hidden = embeddings(file_, hidden_name(layer));
    visit(rows);
  }
}

void record(const Checkpoint& checkpoint, const std::string& model_name,
            const std::vector<std::int64_t>& tokens, const std::filesystem::path& file) {
  const Config& config = checkpoint.config;
  std::vector<double> temperatures;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    temperatures.push_back(temperature(config, layer));
  }
  const at::Tensor ids = at::tensor(tokens, at::kLong);
  safetensors::Writer writer(file, slots(config, ids.numel(), checkpoint.weights.wte.scalar_type()),
                             {{names::kModel, model_name},
                              {"model_sha256", checkpoint.sha256},
                              {"libtorch", libtorch_name()},
                              {"blas", blas_name()},
                              {names::kTemperatures, nlohmann::json(temperatures).dump()}});
  Recorder recorder(writer);
  writer.append(names::kLogits, forward(config, checkpoint.weights, ids, &recorder));
  writer.append(names::kTokens, ids);
  writer.commit();
}

}  // namespace attn::gpt2
