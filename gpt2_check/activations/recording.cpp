#include "gpt2_check/activations/recording.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/checkpoint/sha256.hpp"
#include "theory/base/bad_input.hpp"
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
  static const std::regex pattern(R"(blocks\.(\d{1,6})\.attn\.hook_(q|k|rot_q|rot_k|v|pattern))");
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
            .expected = "activations: blocks.0.attn.hook_q, hook_k and hook_v, or hook_rot_q, "
                        "hook_rot_k and hook_v",
            .found = "none"});
  }
  return layers;
}

/// The sizes of a tensor of three dimensions, none of them 0.
Sizes sizes_of_rows(const safetensors::File& file, const std::string& name) {
  const Sizes& sizes = file.entry(name).shape;
  if (sizes.size() != 3 || std::ranges::count(sizes, 0) != 0) {
    refuse(file, {.kind = BadInputKind::malformed,
                  .where = place(name),
                  .expected = "[position, head, d_head] without a batch dimension",
                  .found = fmt::format("shape {}", sizes)});
  }
  return sizes;
}

ActivationShape first_shape(const safetensors::File& file, std::int64_t layers,
                            const std::string& q, const std::string& k) {
  const Sizes queries = sizes_of_rows(file, q), keys = sizes_of_rows(file, k);
  if (queries[1] % keys[1] != 0) {
    refuse(file,
           {.kind = BadInputKind::inconsistent,
            .where = place(k),
            .expected = fmt::format("as many heads as {}, {}, or a divisor of that", q, queries[1]),
            .found = fmt::format("{}", keys[1])});
  }
  return {.layers = layers,
          .heads = queries[1],
          .positions = queries[0],
          .head_width = queries[2],
          .key_heads = keys[1]};
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
  shape_ = first_shape(file_, count_layers(file_), q_name(0), k_name(0));
  for (std::int64_t layer = 0; layer < shape_.layers; ++layer) check_layer(layer);
  read_tokens();
  read_temperatures();
}

void Recording::check_layer(std::int64_t layer) const {
  check_tensor(file_, q_name(layer), {shape_.positions, shape_.heads, shape_.head_width});
  for (const auto& name : {k_name(layer), names::v(layer)}) {
    check_tensor(file_, name, {shape_.positions, shape_.key_heads, shape_.head_width});
  }
  if (file_.contains(names::pattern(layer))) {
    check_tensor(file_, names::pattern(layer), {shape_.heads, shape_.positions, shape_.positions});
  }
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
  temperatures_.assign(layers, std::sqrt(static_cast<double>(shape_.head_width)));
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
  temperatures_ = list.get<std::vector<double>>();
}

std::string Recording::model_name() const {
  const auto found = file_.metadata().find(names::kModel);
  return found == file_.metadata().end() ? valid_utf8(file_.path().filename().string())
                                         : found->second;
}

std::string Recording::sha256() const {
  return sha256_of_file(file_.path());
}

std::string Recording::q_name(std::int64_t layer) const {
  return is_rotary_ ? names::rotary_q(layer) : names::q(layer);
}

std::string Recording::k_name(std::int64_t layer) const {
  return is_rotary_ ? names::rotary_k(layer) : names::k(layer);
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

void Recording::for_each_layer(Embedding embedding,
                               const std::function<void(const LayerRows&)>& visit) {
  const bool hidden = embedding == Embedding::hidden;
  if (hidden) check_hidden();
  const auto read = [&](const std::string& name) {
    return file_.read_finite(name).to(at::kDouble);
  };
  for (std::int64_t layer = 0; layer < shape_.layers; ++layer) {
    LayerRows rows{.layer = layer,
                   .temperature = temperatures_[static_cast<std::size_t>(layer)],
                   .q = read(q_name(layer)),
                   .k = read(k_name(layer)),
                   .v = read(names::v(layer)),
                   .hidden = hidden ? read(hidden_name(layer)) : at::Tensor(),
                   .pattern = {}};
    if (file_.contains(names::pattern(layer))) {
      rows.pattern = file_.read_finite(names::pattern(layer));
    }
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
                              {names::kTemperatures, nlohmann::json(temperatures).dump()}});
  Recorder recorder(writer);
  writer.append(names::kLogits, forward(config, checkpoint.weights, ids, &recorder));
  writer.append(names::kTokens, ids);
  writer.commit();
}

}  // namespace attn::gpt2
