#include <ATen/core/Tensor.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "reports/record/words.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::place;

constexpr const char* kMaskAdvice = "metadata 'mask' says which keys a query sees";
constexpr const char* kPaddingAdvice =
    "is it padding? metadata 'zeros' that say 'hidden' leave zeros and rows of NaN out";
/// Scores that say that a query does not see a key: minus infinity, or what a mask puts in its
/// place, the least number of the type.
at::Tensor marked(const at::Tensor& scores) {
  const double least = scores.scalar_type() == at::kHalf
                           ? -static_cast<double>(std::numeric_limits<c10::Half>::max())
                           : -static_cast<double>(std::numeric_limits<float>::max());
  return scores.to(at::kDouble).le(least / 2);
}

/// Refuses embeddings of which those of a head are so small that their squares underflow.
at::Tensor not_vanishing(const safetensors::File& file, const std::string& name, at::Tensor x) {
  constexpr double kLeast = 1e-100;
  const at::Tensor largest = x.abs().amax(Sizes{0, 2});
  const at::Tensor vanish = largest.gt(0).logical_and(largest.lt(kLeast));
  if (!vanish.any().item<bool>()) return x;
  file.complaint().refuse(BadInput(
      {.kind = out_of_range,
       .where = place(name),
       .expected = fmt::format("in every head a number of absolute value {} or more, whose "
                               "square a double holds, or zeros alone",
                               kLeast),
       .found = fmt::format("at most {:.3g}", largest.masked_select(vanish).max().item<double>()),
       .advice = "multiply all embeddings by one number, which changes no verdict"}));
}

/// Refuses a tensor of which something does not hold.
void require_all(const safetensors::File& file, const std::string& name, const at::Tensor& holds,
                 const char* expected, const char* found, const char* advice) {
  file.complaint().unless(holds.all().item<bool>(), out_of_range, place(name), expected, found,
                          advice);
}

/// What queries do not see of the scores is 0, whatever a mask made of it; the rest must be finite.
at::Tensor visible_scores(const safetensors::File& file, const std::string& name, at::Tensor scores,
                          const at::Tensor& hidden) {
  scores.masked_fill_(hidden, 0);
  require_all(file, name, at::isfinite(scores), "finite numbers where a query sees a key", "others",
              kMaskAdvice);
  return scores;
}

/// Weights: at least 0, with something on every row that sees a key; 0 where a query does not see
/// one.
at::Tensor visible_weights(const safetensors::File& file, const std::string& name,
                           const at::Tensor& weights, const at::Tensor& hidden) {
  const auto all = [&](const at::Tensor& holds, const char* expected, const char* found,
                       const char* advice) {
    require_all(file, name, holds, expected, found, advice);
  };
  all(at::isfinite(weights), "finite numbers", "nan or inf", kPaddingAdvice);
  all(weights.ge(0), "weights of at least 0", "a negative one", kMaskAdvice);
  all(weights.eq(0).logical_or(hidden.logical_not()), "0 where a query does not see a key",
      "another weight", kMaskAdvice);
  all(weights.sum(-1).gt(0).logical_or(hidden.all(-1)), "a weight above 0 in every row",
      "a row of zeros", kPaddingAdvice);
  return weights;
}

std::optional<Mask> mask_called(const std::string& word) {
  if (word == report::kCausalMask) return Mask{};
  if (word == report::kFullMask) return Mask{.full = true};
  if (!word.starts_with(report::kWindowMask)) return std::nullopt;
  const auto window =
      number_from<std::int64_t>(std::string_view(word).substr(report::kWindowMask.size()));
  if (!window || *window < 2) return std::nullopt;
  return Mask{.window = *window};
}

std::string word_of(const Mask& mask) {
  if (mask.is_causal()) return std::string(report::kCausalMask);
  return mask.full ? std::string(report::kFullMask)
                   : fmt::format("{}{}", report::kWindowMask, mask.window);
}

/// A value of the metadata as JSON; discarded where it is none. At a byte 0 the parser would end.
nlohmann::json json_in(const std::string& value) {
  if (value.find('\0') != std::string::npos) return nlohmann::json::value_t::discarded;
  return nlohmann::json::parse(value, nullptr, /*allow_exceptions=*/false);
}

/// The tokens that a query sees, by layer, as the metadata says; causal where they say nothing.
std::vector<Mask> read_masks(const safetensors::File& file, std::size_t layers) {
  const auto found = file.metadata(names::kMask);
  if (!found) return std::vector<Mask>(layers);
  std::vector<std::string> words(layers, *found);
  const auto list = json_in(*found);
  if (list.is_array() && std::ranges::all_of(list, &nlohmann::json::is_string)) {
    words = list.get<std::vector<std::string>>();
  }
  std::vector<Mask> masks;
  for (const std::string& word : words) {
    if (const auto mask = mask_called(word)) masks.push_back(*mask);
  }
  file.complaint().unless(
      masks.size() == layers, malformed, "metadata 'mask'",
      fmt::format("causal, full or window:K with K >= 2, or a JSON list of {} of these, one a "
                  "layer",
                  layers),
      in_quotes(*found));
  return masks;
}

/// Whether the zeros of a pattern are keys that a query does not see.
bool read_zeros(const safetensors::File& file) {
  const auto zeros = file.metadata(names::kZeros);
  file.complaint().unless(!zeros || *zeros == names::kHidden, malformed, "metadata 'zeros'",
                          names::kHidden, in_quotes(zeros.value_or("")));
  return zeros.has_value();
}

/// The mask with a name that shows every head [head, query, key] what it sees, where there is one.
std::optional<Mask> named(const at::Tensor& seen) {
  const std::int64_t queries = seen.size(1), keys = seen.size(2), shift = keys - queries;
  const auto of_last = seen[0][queries - 1].sum().item<std::int64_t>();
  for (const Mask& mask :
       {Mask{.shift = shift}, Mask{.full = true}, Mask{.window = of_last, .shift = shift}}) {
    if (of_last > 0 && seen.ne(hidden_keys(mask, queries, keys)).all().item<bool>()) return mask;
  }
  return std::nullopt;
}

std::vector<safetensors::Slot> slots(const Config& config, std::int64_t positions,
                                     at::ScalarType dtype) {
  const Sizes rows{positions, config.heads, config.head_width()};
  std::vector<safetensors::Slot> result;
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

/// A recording that is read layer by layer.
class Recording : public ActivationSource {
 public:
  explicit Recording(const std::filesystem::path& file)
      : file_(file), layers_(layers_of(file_)), hides_zeros_(read_zeros(file_)) {
    for (const std::int64_t layer : layers_) shape_.layers.push_back(layer_shape(file_, layer));
    masks_ = read_masks(file_, layers_.size());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerShape& layer = shape_.layers[i];
      masks_[i].shift = layer.keys - layer.queries;
      file_.complaint().unless(masks_[i].shift == 0 || file_.metadata(names::kMask), missing,
                               fmt::format("layer {}", layer.layer),
                               "metadata 'mask' where there are not as many queries as keys",
                               fmt::format("{} queries and {} keys", layer.queries, layer.keys));
    }
    read_temperatures();
    find_padding();
    find_reach();
  }

  [[nodiscard]] ActivationShape shape() const override { return shape_; }
  [[nodiscard]] std::string sha256() const override { return file_.sha256(); }
  [[nodiscard]] std::string model_name() const override {
    return file_.metadata(names::kModel).value_or(valid_utf8(file_.path().filename().string()));
  }
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override {
    for (std::size_t i = 0; i < layers_.size(); ++i) visit(read_layer(i));
  }

 private:
  /// A tensor without its batch dimension.
  [[nodiscard]] at::Tensor recorded(const std::string& name) const {
    return file_.read(name).reshape(sizes_of(file_, name));
  }

  /// Without the padding along these axes, contiguous.
  [[nodiscard]] at::Tensor kept(at::Tensor tensor, std::initializer_list<std::int64_t> axes) const {
    for (const std::int64_t axis : axes) {
      if (kept_.defined()) tensor = tensor.index_select(axis, kept_);
    }
    return tensor.contiguous();
  }

  /// [head, query, key] with the padding: whether a score or a weight hides the key; undefined
  /// where none can.
  [[nodiscard]] at::Tensor hidden_by_numbers(std::int64_t layer, LogitSource source) const {
    if (source == LogitSource::scores) {
      return marked(recorded(names::scores(layer)));
    }
    if (!hides_zeros_ || !file_.contains(names::pattern(layer))) return {};
    const at::Tensor weights = recorded(names::pattern(layer)).to(at::kDouble);
    return weights.eq(0).logical_or(weights.isnan());
  }

  /// What the queries of a layer see, without their numbers.
  [[nodiscard]] LayerRows sight(std::size_t index) const {
    LayerRows layer{.layer = layers_[index],
                    .temperature = shape_.layers[index].temperature,
                    .mask = masks_[index]};
    const at::Tensor hidden = hidden_by_numbers(layer.layer, shape_.layers[index].source);
    if (!hidden.defined() || !hidden.any().item<bool>()) return layer;
    at::Tensor seen = hidden.logical_not();
    const bool tells_of_later_keys = hidden.triu(1).any().item<bool>();
    if (!tells_of_later_keys || file_.metadata(names::kMask)) {
      seen.masked_fill_(hidden_keys(layer.mask, seen.size(1), seen.size(2)), false);
    }
    seen = kept(seen, {1, 2});
    const auto of_all = named(seen);
    layer.mask = of_all.value_or(Mask{.shift = seen.size(2) - seen.size(1)});
    if (!of_all) layer.seen = seen;
    return layer;
  }

  /// Tokens that no query sees, or only their own, which sees nothing else.
  void find_padding() {
    const auto is_square = [&](const LayerShape& layer) {
      return layer.queries == layer.keys && layer.keys == shape_.layers.front().keys;
    };
    if (!std::ranges::all_of(shape_.layers, is_square)) return;
    const std::int64_t positions = shape_.layers.front().keys;
    at::Tensor seen;  // by any head
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerRows layer = sight(i);
      if (!layer.seen.defined() && layer.mask.window > 1) return;  // no token is alone
      const at::Tensor of_layer = seen_keys(layer, positions, positions).any(0);
      seen = seen.defined() ? seen.logical_or(of_layer) : of_layer;
    }
    at::Tensor of_others = seen.clone();
    of_others.fill_diagonal_(false);
    const at::Tensor alone =
        seen.diagonal().logical_not().logical_or(of_others.any(1).logical_not());
    const at::Tensor padding = of_others.any(0).logical_not().logical_and(alone);
    const auto count = padding.sum().item<std::int64_t>();
    if (count == 0 || count == positions) return;
    shape_.padding = static_cast<std::uint64_t>(count);
    kept_ = padding.logical_not().nonzero().flatten();
    for (LayerShape& layer : shape_.layers) layer.queries = layer.keys = kept_.numel();
  }

  void find_reach() {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerRows layer = sight(i);
      shape_.layers[i].see(layer.mask, layer.seen);
      words.push_back(layer.seen.defined() ? std::string(report::kRecordedMask)
                                           : word_of(layer.mask));
      if (!layer.seen.defined()) continue;
      const at::Tensor few = layer.seen.sum(-1).lt(2);
      shape_.rows_left_out += static_cast<std::uint64_t>(few.sum().item<std::int64_t>());
    }
    if (std::ranges::adjacent_find(words, std::not_equal_to<>()) == words.end()) words.resize(1);
    const std::string joined = fmt::format("{}", fmt::join(words, ","));
    if (joined == report::kCausalMask) return;
    shape_.mask_words = joined;
    file_.complaint().unless(shape_.layers.front().keys <= 1 || shape_.longest_row() >= 2,
                             out_of_range, "", "a query that sees two keys", "none");
  }

  void read_temperatures() {
    const std::size_t layers = layers_.size();
    for (LayerShape& layer : shape_.layers) {
      layer.temperature = layer.has_queries() ? std::sqrt(static_cast<double>(layer.width)) : 1;
    }
    const auto found = file_.metadata(names::kTemperatures);
    if (!found) return;
    const auto list = json_in(*found);
    const bool valid = list.is_array() && list.size() == layers &&
                       std::ranges::all_of(list, [](const auto& value) {
                         return value.is_number() && value.template get<double>() > 0 &&
                                std::isfinite(value.template get<double>());
                       });
    file_.complaint().unless(valid, malformed, "metadata 'temperatures'",
                             fmt::format("a JSON list of {} positive numbers, one a layer", layers),
                             in_quotes(*found));
    for (std::size_t i = 0; i < layers; ++i) shape_.layers[i].temperature = list[i].get<double>();
  }

  [[nodiscard]] LayerRows read_layer(std::size_t index) const {
    const std::int64_t layer = layers_[index];
    const LayerShape& shape = shape_.layers[index];
    const auto finite = [&](const std::string& name) {
      const at::Tensor tensor = file_.read_finite(name).to(at::kDouble);
      return kept(tensor.reshape(sizes_of(file_, name)), {0});
    };
    LayerRows rows = sight(index);
    const auto hidden = [&] { return seen_keys(rows, shape.queries, shape.keys).logical_not(); };
    if (shape.has_queries()) {
      rows.q = finite(q_name(file_, layer));
      rows.k = finite(k_name(file_, layer));
    }
    if (const std::string name = names::v(layer); shape.has_values()) {
      rows.v = not_vanishing(file_, name, finite(name));
    }
    if (const std::string name = names::scores(layer); shape.source == LogitSource::scores) {
      const at::Tensor scores = kept(recorded(name).to(at::kDouble), {1, 2});
      rows.scores = visible_scores(file_, name, scores, hidden());
    }
    if (const std::string name = names::pattern(layer); file_.contains(name)) {
      at::Tensor pattern = kept(recorded(name).to(at::kDouble), {1, 2});
      if (hides_zeros_) pattern.masked_fill_(pattern.isnan(), 0);
      if (shape.source == LogitSource::weights) {
        rows.weights = visible_weights(file_, name, pattern, hidden());
      } else {
        rows.pattern = pattern.masked_fill(hidden().all(-1, true), 0);
        require_all(file_, name, at::isfinite(rows.pattern), "finite numbers", "nan or inf",
                    kPaddingAdvice);
      }
    }
    return rows;
  }

  safetensors::File file_;
  std::vector<std::int64_t> layers_;  ///< their numbers, ascending
  bool hides_zeros_;                  ///< whether zeros of a pattern hide a key
  std::vector<Mask> masks_;           ///< by layer, as the metadata say
  at::Tensor kept_;                   ///< the positions that are no padding; undefined: all
  ActivationShape shape_;
};

}  // namespace

std::unique_ptr<ActivationSource> open_recording(const std::filesystem::path& file) {
  return std::make_unique<Recording>(file);
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
  const auto append = [&](std::int64_t layer, const LayerActivations& activations) {
    writer.append(names::q(layer), activations.q);
    writer.append(names::k(layer), activations.k);
    writer.append(names::v(layer), activations.v);
    writer.append(names::pattern(layer), activations.pattern);
    writer.append(names::resid_post(layer), activations.resid_post);
  };
  writer.append(names::kLogits, forward(config, checkpoint.weights, ids, append));
  writer.append(names::kTokens, ids);
  writer.commit();
}

}  // namespace attn::gpt2
