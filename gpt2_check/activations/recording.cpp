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
#include <regex>
#include <set>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "reports/record/words.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::gpt2 {
namespace {

using Sizes = std::vector<std::int64_t>;

using enum BadInputKind;
using safetensors::place;

/// The layers that attention tensors name, ascending.
std::vector<std::int64_t> layers_of(const safetensors::File& file) {
  static const std::regex pattern(
      R"(blocks\.(\d{1,6})\.attn\.hook_(q|k|rot_q|rot_k|attn_scores|v|pattern))");
  std::set<std::int64_t> layers;
  std::smatch match;
  for (const auto& [name, entry] : file.entries()) {
    if (std::regex_match(name, match, pattern)) layers.insert(std::stoll(match[1]));
  }
  if (layers.empty()) {
    file.complaint().refuse(BadInput(
        {.kind = missing,
         .expected = "activations: blocks.0.attn.hook_q and hook_k, hook_rot_q and hook_rot_k, "
                     "hook_attn_scores, or hook_pattern, of one layer or more",
         .found = file.entries().empty() ? "none"
                                         : fmt::format("none, but {} and other names",
                                                       in_quotes(file.entries().begin()->first))}));
  }
  constexpr std::int64_t kMost = 4095;
  file.complaint().unless(*layers.rbegin() <= kMost, too_large, "",
                          fmt::format("layers 0..{}", kMost),
                          fmt::format("layer {}", *layers.rbegin()));
  return {layers.begin(), layers.end()};
}

/// The sizes of a tensor of three dimensions, without a batch of one before them.
Sizes sizes_of(const safetensors::File& file, const std::string& name) {
  const Sizes& shape = file.entry(name).shape;
  if (shape.size() != 4) return shape;
  file.complaint().unless(shape.front() == 1, unsupported, place(name), "one sequence",
                          fmt::format("a batch of {}: shape {}", shape.front(), shape),
                          "record tensor[0], or another one of them");
  return {shape.begin() + 1, shape.end()};
}

/// The sizes of a tensor of three dimensions, none of them 0. `expected`: what they are.
Sizes three_sizes(const safetensors::File& file, const std::string& name,
                  std::string_view expected) {
  const Sizes sizes = sizes_of(file, name);
  file.complaint().unless(sizes.size() == 3 && std::ranges::count(sizes, 0) == 0, malformed,
                          place(name), fmt::format("{}, each 1 or more", expected),
                          fmt::format("shape {}", file.entry(name).shape));
  return sizes;
}

constexpr const char* kMaskAdvice = "metadata 'mask' says which keys a query sees";
constexpr const char* kPaddingAdvice =
    "is it padding? metadata 'zeros' that say 'hidden' leave zeros and rows of NaN out";
constexpr std::string_view kRows = "[position, head, d_head]";
constexpr std::string_view kSquares = "[head, query, key]";

/// `queries`: those, or what stands for queries and keys where it is `square`: the scores or the
/// weights. `keys`: those, or the values where there are some. There are as many heads of keys as
/// of queries, or a divisor of that.
ActivationShape shape_of(const safetensors::File& file, const std::string& queries, bool square,
                         const std::optional<std::string>& keys) {
  const Sizes sizes = three_sizes(file, queries, square ? kSquares : kRows);
  const std::int64_t heads = sizes[square ? 0 : 1];
  ActivationShape shape{.heads = heads,
                        .positions = sizes[square ? 1 : 0],
                        .key_heads = heads,
                        .has_queries = !square};
  if (!keys) return shape;
  const Sizes of_keys = three_sizes(file, *keys, kRows);
  file.complaint().unless(
      heads % of_keys[1] == 0, inconsistent, place(*keys),
      fmt::format("as many heads as there are of queries, {}, or a divisor of that", heads),
      fmt::format("{}", of_keys[1]));
  shape.head_width = square ? of_keys[2] : sizes[2];
  shape.key_heads = of_keys[1];
  return shape;
}

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
  const std::int64_t positions = seen.size(1);
  const auto of_last = seen[0][positions - 1].sum().item<std::int64_t>();
  for (const Mask& mask : {Mask{}, Mask{.full = true}, Mask{.window = of_last}}) {
    if (of_last > 0 && seen.ne(hidden_keys(mask, positions)).all().item<bool>()) return mask;
  }
  return std::nullopt;
}

void check_tensor(const safetensors::File& file, const std::string& name, const Sizes& expected) {
  const safetensors::Entry& entry = file.entry(name);
  file.complaint().unless(at::isFloatingType(entry.dtype), malformed, place(name),
                          "F64, F32, F16 or BF16", one_line(entry.type));
  file.complaint().unless(sizes_of(file, name) == expected, inconsistent, place(name),
                          fmt::format("shape {} to match the first layer", expected),
                          fmt::format("{}", entry.shape));
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
      : file_(file),
        layers_(layers_of(file_)),
        is_rotary_(file_.contains(names::rotary_q(layers_.front()))),
        hides_zeros_(read_zeros(file_)) {
    const std::int64_t first = layers_.front();
    const bool has_queries = file_.contains(q_name(first)) || file_.contains(k_name(first));
    const bool has_values = std::ranges::any_of(
        layers_, [&](std::int64_t layer) { return file_.contains(names::v(layer)); });
    const auto values = has_values ? std::optional(names::v(first)) : std::nullopt;
    // Where all three are there, the scores are what the model weighed by.
    if (file_.contains(names::scores(first))) {
      shape_ = shape_of(file_, names::scores(first), true, values);
    } else if (!has_queries && file_.contains(names::pattern(first))) {
      shape_ = shape_of(file_, names::pattern(first), true, values);
      shape_.has_weights_alone = true;
    } else {
      shape_ = shape_of(file_, q_name(first), false, k_name(first));
    }
    shape_.layers = std::ssize(layers_);
    shape_.has_values = has_values;
    masks_ = read_masks(file_, layers_.size());
    for (const std::int64_t layer : layers_) check_layer(layer);
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
  /// Whether scores stand for q and k.
  [[nodiscard]] bool has_scores() const { return !shape_.has_queries && !shape_.has_weights_alone; }

  [[nodiscard]] std::string q_name(std::int64_t layer) const {
    return is_rotary_ ? names::rotary_q(layer) : names::q(layer);
  }

  [[nodiscard]] std::string k_name(std::int64_t layer) const {
    return is_rotary_ ? names::rotary_k(layer) : names::k(layer);
  }

  void check_layer(std::int64_t layer) const {
    const Sizes queries{shape_.positions, shape_.heads, shape_.head_width};
    const Sizes keys{shape_.positions, shape_.key_heads, shape_.head_width};
    const Sizes weights{shape_.heads, shape_.positions, shape_.positions};
    if (shape_.has_queries) {
      check_tensor(file_, q_name(layer), queries);
      check_tensor(file_, k_name(layer), keys);
    }
    if (has_scores()) check_tensor(file_, names::scores(layer), weights);
    if (shape_.has_values) check_tensor(file_, names::v(layer), keys);
    if (shape_.has_weights_alone || file_.contains(names::pattern(layer))) {
      check_tensor(file_, names::pattern(layer), weights);
    }
  }

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
  [[nodiscard]] at::Tensor hidden_by_numbers(std::int64_t layer) const {
    if (has_scores()) {
      return marked(recorded(names::scores(layer)));
    }
    if (!hides_zeros_ || !file_.contains(names::pattern(layer))) return {};
    const at::Tensor weights = recorded(names::pattern(layer)).to(at::kDouble);
    return weights.eq(0).logical_or(weights.isnan());
  }

  /// What the queries of a layer see, without their numbers.
  [[nodiscard]] LayerRows sight(std::size_t index) const {
    LayerRows layer{
        .layer = layers_[index], .temperature = shape_.temperatures[index], .mask = masks_[index]};
    const at::Tensor hidden = hidden_by_numbers(layer.layer);
    if (!hidden.defined() || !hidden.any().item<bool>()) return layer;
    at::Tensor seen = hidden.logical_not();
    const bool tells_of_later_keys = hidden.triu(1).any().item<bool>();
    if (!tells_of_later_keys || file_.metadata(names::kMask)) {
      seen.masked_fill_(hidden_keys(layer.mask, seen.size(1)), false);
    }
    seen = kept(seen, {1, 2});
    const auto of_all = named(seen);
    layer.mask = of_all.value_or(Mask{});
    if (!of_all) layer.seen = seen;
    return layer;
  }

  /// Tokens that no query sees, or only their own, which sees nothing else.
  void find_padding() {
    at::Tensor seen;  // by any head
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerRows layer = sight(i);
      if (!layer.seen.defined() && layer.mask.window > 1) return;  // no token is alone
      const at::Tensor of_layer = seen_keys(layer, shape_.positions).any(0);
      seen = seen.defined() ? seen.logical_or(of_layer) : of_layer;
    }
    at::Tensor of_others = seen.clone();
    of_others.fill_diagonal_(false);
    const at::Tensor alone =
        seen.diagonal().logical_not().logical_or(of_others.any(1).logical_not());
    const at::Tensor padding = of_others.any(0).logical_not().logical_and(alone);
    const auto count = padding.sum().item<std::int64_t>();
    if (count == 0 || count == shape_.positions) return;
    shape_.padding = static_cast<std::uint64_t>(count);
    kept_ = padding.logical_not().nonzero().flatten();
    shape_.positions = kept_.numel();
  }

  void find_reach() {
    std::vector<std::string> words;
    std::vector<ActivationShape::Reach> rows(static_cast<std::size_t>(shape_.positions));
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerRows layer = sight(i);
      words.push_back(layer.seen.defined() ? std::string(report::kRecordedMask)
                                           : word_of(layer.mask));
      at::Tensor most, whole;
      if (layer.seen.defined()) {
        const at::Tensor counts = layer.seen.sum(-1);
        most = std::get<0>(counts.max(0));
        whole = layer.seen.ne(hidden_keys({}, shape_.positions)).all(-1).all(0);
        shape_.rows_left_out += static_cast<std::uint64_t>(counts.lt(2).sum().item<std::int64_t>());
      }
      for (std::int64_t row = 0; row < shape_.positions; ++row) {
        auto& reach = rows[static_cast<std::size_t>(row)];
        const std::int64_t end = layer.mask.end(row, shape_.positions);
        const bool from_first = layer.mask.first(row) == 0 && end == row + 1;
        reach.most =
            std::max(reach.most, most.defined() ? most[row].item<std::int64_t>()
                                                : layer.mask.tokens(row, shape_.positions));
        reach.is_whole = reach.is_whole && (whole.defined() ? whole[row].item<bool>() : from_first);
      }
    }
    if (std::ranges::adjacent_find(words, std::not_equal_to<>()) == words.end()) words.resize(1);
    const std::string joined = fmt::format("{}", fmt::join(words, ","));
    if (joined == report::kCausalMask) return;
    shape_.mask_words = joined;
    shape_.rows = std::move(rows);
    file_.complaint().unless(shape_.positions <= 1 || shape_.longest_row() >= 2, out_of_range, "",
                             "a query that sees two keys", "none");
  }

  void read_temperatures() {
    const auto layers = static_cast<std::size_t>(shape_.layers);
    shape_.temperatures.assign(
        layers, shape_.has_queries ? std::sqrt(static_cast<double>(shape_.head_width)) : 1);
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
    shape_.temperatures = list.get<std::vector<double>>();
  }

  [[nodiscard]] LayerRows read_layer(std::size_t index) const {
    const std::int64_t layer = layers_[index];
    const auto finite = [&](const std::string& name) {
      const at::Tensor tensor = file_.read_finite(name).to(at::kDouble);
      return kept(tensor.reshape(sizes_of(file_, name)), {0});
    };
    LayerRows rows = sight(index);
    const auto hidden = [&] { return seen_keys(rows, shape_.positions).logical_not(); };
    if (shape_.has_queries) {
      rows.q = finite(q_name(layer));
      rows.k = finite(k_name(layer));
    }
    if (const std::string name = names::v(layer); shape_.has_values) {
      rows.v = not_vanishing(file_, name, finite(name));
    }
    if (const std::string name = names::scores(layer); has_scores()) {
      const at::Tensor scores = kept(recorded(name).to(at::kDouble), {1, 2});
      rows.scores = visible_scores(file_, name, scores, hidden());
    }
    if (const std::string name = names::pattern(layer); file_.contains(name)) {
      at::Tensor pattern = kept(recorded(name).to(at::kDouble), {1, 2});
      if (hides_zeros_) pattern.masked_fill_(pattern.isnan(), 0);
      if (shape_.has_weights_alone) {
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
  bool is_rotary_;                    ///< whether q and k are those after rotary embedding
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
