#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/read_rows.hpp"
#include "gpt2_check/activations/recorded_outputs.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/said.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/activations/unread_words.hpp"
#include "gpt2_check/activations/visible_keys.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "reports/record/words.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::place;

/// The mask with a name that shows every head [1 or head, query, key] what it sees, where there is
/// one.
std::optional<Mask> named(const at::Tensor& seen) {
  const std::int64_t queries = seen.size(1), keys = seen.size(2), shift = keys - queries;
  const auto of_last = seen[0][queries - 1].sum().item<std::int64_t>();
  for (const Mask& mask :
       {Mask{.shift = shift}, Mask{.full = true}, Mask{.window = of_last, .shift = shift}}) {
    if (of_last > 0 && (mask.full || shift >= 0) &&
        seen.ne(hidden_keys(mask, queries, keys)).all().item<bool>()) {
      return mask;
    }
  }
  return std::nullopt;
}

/// Which rows and columns of a layer's tensors are read; undefined: all.
struct Kept {
  at::Tensor queries, keys;
};

at::Tensor select(const at::Tensor& tensor, std::int64_t axis, const at::Tensor& kept) {
  return kept.defined() ? tensor.index_select(axis, kept) : tensor;
}

/// A recording that is read layer by layer.
class Recording : public ActivationSource {
 public:
  explicit Recording(const std::filesystem::path& file)
      : file_at_(std::make_shared<const safetensors::File>(file)),
        file_(*file_at_),
        layers_(layers_of(file_)),
        said_(read_said(file_, layers_)) {
    expect_read(file_);
    for (const std::int64_t layer : layers_) shape_.layers.push_back(layer_shape(file_, layer));
    shape_.checked = file_.metadata(names::kChecked).value_or("");
    take_temperatures();
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      readings_.push_back(keys_of(i).decide());
      take(i);
    }
    remark_on_the_file();
    kept_.resize(layers_.size());
    find_padding();
    find_reach();
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      check_outputs(i);
      remark_on_axes(i);
    }
    collect_remarks();
  }

  [[nodiscard]] ActivationShape shape() const override { return shape_; }
  [[nodiscard]] std::string sha256() const override { return file_.sha256(); }
  [[nodiscard]] std::string model_name() const override {
    const std::string name =
        file_.metadata(names::kModel).value_or(valid_utf8(file_.path().filename().string()));
    // Of a path on the machine that recorded it the last part: the others tell nothing elsewhere.
    const std::filesystem::path path(name);
    return path.is_absolute() && path.has_filename() ? path.filename().string() : name;
  }
  void for_each_layer(const std::function<void(const LayerRows&)>& visit) override {
    for (std::size_t i = 0; i < layers_.size(); ++i) visit(read_layer(i));
  }

 private:
  /// The visible keys of a layer, with the sizes of the file: padding has not been left out.
  [[nodiscard]] VisibleKeys keys_of(std::size_t index) const {
    LayerShape recorded = layer_shape(file_, layers_[index]);
    recorded.temperature = shape_.layers[index].temperature;
    return {file_, said_, recorded, index};
  }

  /// Takes the reading of a layer into its shape.
  void take(std::size_t index) {
    const Reading& reading = readings_[index];
    LayerShape& layer = shape_.layers[index];
    if (reading.is_contradicted) {
      layer.source = LogitSource::weights;
      layer.width = 0;
      layer.is_contradicted = true;
      if (said_.temperatures.empty()) layer.temperature = 1;
    }
    layer.difference = reading.difference;
    layer.fitting_temperature = reading.fitting_temperature;
    layer.has_sink = file_.contains(names::sink(layer.layer));
  }

  /// The remarks on what several layers show, with the sizes of the file.
  void remark_on_the_file() {
    shape_.remarks = remarks_on_names(file_);
    for (std::string& remark : remarks_on_words(file_, said_, shape_.layers)) {
      shape_.remarks.push_back(std::move(remark));
    }
    for (std::string& remark : remarks_on_layers(file_, shape_.layers)) {
      shape_.remarks.push_back(std::move(remark));
    }
    const auto seen_of = [this](std::size_t index) {
      return keys_of(index).seen(readings_[index]);
    };
    for (std::string& remark : remarks_on_copies(file_, shape_.layers, seen_of)) {
      shape_.remarks.push_back(std::move(remark));
    }
    if (auto remark = remark_on_layer_means(file_, shape_.layers)) {
      shape_.remarks.push_back(*std::move(remark));
    }
    remark_on_the_unshown();
  }

  /// The remarks on the layers, each with those that it is on.
  void collect_remarks() {
    std::map<std::string, std::vector<std::int64_t>> layers;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      for (const std::string& remark : readings_[i].remarks) layers[remark].push_back(layers_[i]);
    }
    for (const auto& [remark, of] : layers) {
      shape_.remarks.push_back(
          fmt::format("layer{} {}: {}", of.size() > 1 ? "s" : "", fmt::join(of, ", "), remark));
    }
  }

  void take_temperatures() {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      LayerShape& layer = shape_.layers[i];
      const double own = layer.has_queries() ? std::sqrt(static_cast<double>(layer.width)) : 1;
      layer.temperature = said_.temperatures.empty() ? own : said_.temperatures[i];
      if (layer.has_queries() && !file_.contains(names::pattern(layer.layer)))
        expect_divisor(layer);
    }
  }

  /// Refuses a T of queries and keys that is the factor 1/sqrt(d_head), or 1/d_head of heads of a
  /// width at which no one means that.
  void expect_divisor(const LayerShape& layer) const {
    const double divisor = std::sqrt(static_cast<double>(layer.width));
    constexpr std::int64_t kWide = 16;
    const bool is_of_root = layer.is_factor_of(divisor);
    const bool is_factor = is_of_root || (layer.width >= kWide &&
                                          layer.is_factor_of(static_cast<double>(layer.width)));
    file_.complaint().unless(
        !is_factor || layer.width == 1, inconsistent, "metadata 'temperatures'",
        fmt::format("what q.k is divided by, as {:.6g}, the root of d_head", divisor),
        fmt::format("{:.6g} of layer {}, which is 1 over {}: is it what q.k is multiplied by?",
                    layer.temperature, layer.layer, is_of_root ? "that" : "d_head"),
        fmt::format("if so, say {:.6g}; if it is T, record hook_attn_scores, or hook_pattern "
                    "beside q and k",
                    1 / layer.temperature));
  }

  /// Leaves out what is said to be padding, or else is in all layers of so many positions, and keys
  /// of other layers that no query sees.
  void find_padding() {
    std::map<std::int64_t, at::Tensor> seen;  // by any head of any layer: by positions
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const at::Tensor of_layer = keys_of(i).seen(readings_[i]).any(0);
      if (of_layer.size(0) == of_layer.size(1)) {
        at::Tensor& all = seen[of_layer.size(0)];
        all = all.defined() ? all.logical_or(of_layer) : of_layer;
      } else if (const at::Tensor keys = of_layer.any(0); !keys.all().item<bool>()) {
        keep(i, {{}, keys.nonzero().flatten()});
      }
    }
    for (const auto& [positions, all] : seen) {
      const at::Tensor padding =
          said_.padding ? said_.padding_of(file_, positions) : padding_in(all);
      const auto count = padding.sum().item<std::int64_t>();
      if (count == 0 || count == positions) continue;
      shape_.padding += static_cast<std::uint64_t>(count);
      // What is said to be padding sees nothing.
      const at::Tensor sees = seen_of_others(all).any(1).logical_and(padding);
      shape_.padding_that_sees += static_cast<std::uint64_t>(sees.sum().item<std::int64_t>());
      const at::Tensor others = padding.logical_not().nonzero().flatten();
      for (std::size_t i = 0; i < layers_.size(); ++i) {
        const LayerShape& layer = shape_.layers[i];
        if (layer.queries == layer.keys && layer.keys == positions) keep(i, {others, others});
      }
    }
  }

  void keep(std::size_t index, const Kept& kept) {
    kept_[index] = kept;
    LayerShape& layer = shape_.layers[index];
    if (kept.queries.defined()) layer.queries = kept.queries.numel();
    if (kept.keys.defined()) layer.keys = kept.keys.numel();
  }

  /// What the queries of a layer see, without their numbers.
  [[nodiscard]] LayerRows sight(std::size_t index) const {
    const LayerShape& shape = shape_.layers[index];
    LayerRows layer{.layer = shape.layer, .temperature = shape.temperature};
    const Kept& kept = kept_[index];
    const at::Tensor seen = keys_of(index).seen(readings_[index]);
    layer.seen = select(select(seen, 1, kept.queries), 2, kept.keys).contiguous();
    if (const auto mask = named(layer.seen)) {
      layer.mask = *mask;
      layer.seen = at::Tensor();
    }
    return layer;
  }

  void find_reach() {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerRows layer = sight(i);
      shape_.layers[i].see(layer.mask, layer.seen);
      words.push_back(layer.seen.defined() ? std::string(report::kRecordedMask)
                                           : word_of(layer.mask));
      if (!layer.seen.defined()) continue;
      const auto heads = static_cast<std::uint64_t>(shape_.layers[i].heads / layer.seen.size(0));
      const at::Tensor few = layer.seen.sum(-1).lt(2);
      shape_.rows_left_out += heads * static_cast<std::uint64_t>(few.sum().item<std::int64_t>());
    }
    expect_shown(words);
    if (std::ranges::adjacent_find(words, std::not_equal_to<>()) == words.end()) words.resize(1);
    const std::string joined = fmt::format("{}", fmt::join(words, ","));
    if (joined == report::kCausalMask) return;
    shape_.mask_words = joined;
    const bool has_two = shape_.any([](const LayerShape& layer) { return layer.keys > 1; });
    file_.complaint().unless(!has_two || shape_.longest_row() >= 2, out_of_range, "",
                             "a query that sees two keys", "none",
                             "where zeros of a pattern are weights, as of hard attention, metadata "
                             "'zeros': 'weights' says so");
  }

  /// Whether nothing but the habit of models says what the queries of a layer see.
  [[nodiscard]] bool is_mask_open(std::size_t index) const {
    return !said_.masks[index] && !file_.contains(names::mask(layers_[index]));
  }
  [[nodiscard]] bool has_pattern(std::size_t index) const {
    return file_.contains(names::pattern(layers_[index]));
  }

  /// Refuses layers of logits without a pattern where that of another one shows a mask that is not
  /// causal, or another T than is read. `words`: the mask of each layer.
  void expect_shown(const std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerShape& layer = shape_.layers[i];
      if (has_pattern(i) || layer.source == LogitSource::weights) continue;
      for (std::size_t other = 0; other < layers_.size(); ++other) {
        if (!has_pattern(other)) continue;
        const auto fitting = shape_.layers[other].fitting_temperature;
        const bool is_other_mask = layer.has_queries() && is_mask_open(i) && is_mask_open(other) &&
                                   words[other] != report::kCausalMask;
        file_.complaint().unless(
            !is_other_mask, inconsistent, fmt::format("layer {}", layer.layer),
            "a pattern, or a word on what its queries see",
            fmt::format("neither, and in layer {} a pattern of the mask {}", layers_[other],
                        words[other]),
            "metadata 'mask' says it, in one word or a JSON list of one for each layer");
        file_.complaint().unless(!fitting || !said_.temperatures.empty(), inconsistent,
                                 fmt::format("layer {}", layer.layer),
                                 "a pattern, or a word on its T",
                                 fmt::format("neither, and in layer {} a pattern of T = {:.6g}",
                                             layers_[other], fitting.value_or(0)),
                                 "metadata 'temperatures' says the T of each layer");
      }
    }
  }

  /// On layers of logits without a pattern beside others whose pattern contradicts these.
  void remark_on_the_unshown() {
    std::vector<std::int64_t> contradicted, unshown;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const LayerShape& layer = shape_.layers[i];
      if (layer.is_contradicted) contradicted.push_back(layer.layer);
      if (layer.source != LogitSource::weights && !has_pattern(i)) unshown.push_back(layer.layer);
    }
    if (contradicted.empty() || unshown.empty()) return;
    shape_.remarks.push_back(fmt::format(
        "the patterns of layers {} contradict the logits beside them: are those of layers {}, "
        "which have no pattern, as wrong?",
        fmt::join(contradicted, ", "), fmt::join(unshown, ", ")));
  }

  /// Compares the recorded outputs of a layer with its weights and values.
  void check_outputs(std::size_t index) {
    LayerShape& shape = shape_.layers[index];
    if (!shape.has_values() || !file_.contains(names::z(shape.layer))) return;
    const at::Tensor outputs = read_outputs(file_, layer_shape(file_, shape.layer));
    if (!outputs.defined()) {
      readings_[index].remarks.emplace_back(kOtherOutputs);
      return;
    }
    const at::Tensor& queries = kept_[index].queries;
    if (auto remark =
            compare_outputs(file_, read_layer(index), select(outputs, 0, queries), queries)) {
      readings_[index].remarks.push_back(*std::move(remark));
    }
    shape.has_outputs = true;
  }

  void remark_on_axes(std::size_t index) {
    if (shape_.layers[index].has_outputs) return;
    const LayerShape recorded = layer_shape(file_, layers_[index]);
    if (auto remark = remark_on_square(recorded, has_pattern(index), sight(index).mask.full)) {
      readings_[index].remarks.push_back(*std::move(remark));
    }
  }

  [[nodiscard]] LayerRows read_layer(std::size_t index) const {
    const LayerShape& shape = shape_.layers[index];
    const Kept& kept = kept_[index];
    LayerRows rows = sight(index);
    const auto embeddings = [&](const std::string& name, const at::Tensor& positions) {
      at::Tensor left_out;
      if (positions.defined()) {
        left_out = at::ones({sizes_of(file_, name)[0]}, at::kBool).index_fill(0, positions, 0);
      }
      return select(read_rows(file_, name, left_out), 0, positions).contiguous();
    };
    if (shape.has_queries()) {
      rows.q = embeddings(q_name(file_, shape.layer), kept.queries);
      rows.k = embeddings(k_name(file_, shape.layer), kept.keys);
    }
    if (shape.has_sink) rows.sink = read_hook_sink(file_, shape);
    if (const std::string name = names::v(shape.layer); shape.has_values()) {
      rows.v = with_squares(file_, name, embeddings(name, kept.keys));
    }
    if (shape.source == LogitSource::scores) {
      rows.scores = visible(index, names::scores(shape.layer), rows);
    }
    if (const std::string name = names::pattern(shape.layer); file_.contains(name)) {
      HeadSquares& pattern = shape.source == LogitSource::weights ? rows.weights : rows.pattern;
      pattern = visible(index, name, rows);
    }
    return rows;
  }

  /// Without padding, in the type of the file, 0 where a query does not see a key.
  [[nodiscard]] HeadSquares visible(std::size_t index, const std::string& name,
                                    const LayerRows& rows) const {
    const LayerShape& shape = shape_.layers[index];
    const Sizes sizes = sizes_of(file_, name);
    const at::Tensor seen = seen_keys(rows, shape.queries, shape.keys);
    return {shape.heads, [file = file_at_, kept = kept_[index], name, sizes, seen](auto head) {
              const at::Tensor all =
                  file->read_part(name, head * sizes[1] * sizes[2], {sizes[1], sizes[2]});
              return select(select(all, 0, kept.queries), 1, kept.keys)
                  .masked_fill(square_of(seen, head).logical_not(), 0);
            }};
  }

  std::shared_ptr<const safetensors::File> file_at_;
  const safetensors::File& file_;
  std::vector<std::int64_t> layers_;  ///< the numbers of the layers, ascending
  Said said_;
  std::vector<Reading> readings_;  ///< by layer
  std::vector<Kept> kept_;         ///< by layer
  ActivationShape shape_;
};

}  // namespace

std::unique_ptr<ActivationSource> open_recording(const std::filesystem::path& file) {
  return std::make_unique<Recording>(file);
}

}  // namespace attn::gpt2
