#include "gpt2_check/activations/said.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "gpt2_check/activations/names.hpp"
#include "reports/record/words.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::gpt2 {
namespace {

using Sizes = std::vector<std::int64_t>;
using enum BadInputKind;
using safetensors::place;

/// Positions that a list may name.
constexpr std::uint64_t kMostPositions = 1U << 30U;

std::optional<Mask> mask_called(const std::string& word) {
  if (word == report::kCausalMask) return Mask{};
  if (word == report::kFullMask) return Mask{.full = true};
  if (!word.starts_with(report::kWindowMask)) return std::nullopt;
  const auto window =
      number_from<std::int64_t>(std::string_view(word).substr(report::kWindowMask.size()));
  if (!window || *window < 2) return std::nullopt;
  return Mask{.window = *window};
}

/// A value of the metadata as JSON; discarded where it is none. At a byte 0 the parser would end.
nlohmann::json json_in(const std::string& value) {
  if (value.find('\0') != std::string::npos) return nlohmann::json::value_t::discarded;
  return nlohmann::json::parse(value, nullptr, /*allow_exceptions=*/false);
}

std::vector<std::optional<Mask>> read_masks(const safetensors::File& file,
                                            const std::vector<std::int64_t>& layers) {
  const auto found = file.metadata(names::kMask);
  std::vector<std::optional<Mask>> masks(layers.size());
  if (!found) return masks;
  std::vector<std::string> words(layers.size(), *found);
  const auto list = json_in(*found);
  if (list.is_array() && std::ranges::all_of(list, &nlohmann::json::is_string)) {
    words = list.get<std::vector<std::string>>();
  }
  bool is_known = words.size() == layers.size();
  for (std::size_t i = 0; is_known && i < words.size(); ++i) {
    masks[i] = mask_called(words[i]);
    is_known =
        masks[i] || (words[i] == report::kRecordedMask && file.contains(names::mask(layers[i])));
  }
  file.complaint().unless(
      is_known, malformed, "metadata 'mask'",
      fmt::format("causal, full or window:K with K >= 2, recorded where hook_mask is there, or a "
                  "JSON list of {} of these, one a layer",
                  layers.size()),
      in_quotes(*found));
  return masks;
}

std::vector<double> read_temperatures(const safetensors::File& file, std::size_t layers) {
  const auto found = file.metadata(names::kTemperatures);
  if (!found) return {};
  const auto list = json_in(*found);
  const bool valid =
      list.is_array() && list.size() == layers && std::ranges::all_of(list, [](const auto& value) {
        return value.is_number() && value.template get<double>() > 0 &&
               std::isfinite(value.template get<double>());
      });
  file.complaint().unless(valid, malformed, "metadata 'temperatures'",
                          fmt::format("a JSON list of {} positive numbers, one a layer", layers),
                          in_quotes(*found),
                          "where heads have a T of their own, record hook_attn_scores");
  return list.get<std::vector<double>>();
}

Said::Zeros read_zeros(const safetensors::File& file) {
  const auto zeros = file.metadata(names::kZeros);
  if (!zeros) return Said::Zeros::unsaid;
  file.complaint().unless(
      *zeros == names::kHidden || *zeros == names::kWeights, malformed, "metadata 'zeros'",
      fmt::format("{} or {}", names::kHidden, names::kWeights), in_quotes(*zeros));
  return *zeros == names::kHidden ? Said::Zeros::hidden : Said::Zeros::weights;
}

void read_bound(const safetensors::File& file, Said& said) {
  const auto found = file.metadata(names::kHiddenBelow);
  if (!found) return;
  if (*found == names::kNone) {
    said.below = Said::Scores::none;
    return;
  }
  const auto number = json_in(*found);
  file.complaint().unless(number.is_number() && std::isfinite(number.get<double>()), malformed,
                          "metadata 'hidden_below'", "a finite number, or none", in_quotes(*found));
  said.below = Said::Scores::bounded;
  said.bound = number.get<double>();
}

std::optional<Said::Padding> padding_in_metadata(const safetensors::File& file) {
  const auto found = file.metadata(names::kPadding);
  if (!found) return std::nullopt;
  Said::Padding padding{.where = "metadata 'padding'"};
  const auto list = json_in(*found);
  const bool is_list = list.is_array() && std::ranges::all_of(list, [](const auto& position) {
                         return position.is_number_unsigned() &&
                                position.template get<std::uint64_t>() <= kMostPositions;
                       });
  if (is_list) padding.positions = list.get<std::vector<std::int64_t>>();
  std::ranges::sort(padding.positions);
  const bool is_once = std::ranges::adjacent_find(padding.positions) == padding.positions.end();
  file.complaint().unless(is_list && is_once, malformed, padding.where,
                          "a JSON list of positions from 0 on, each once", in_quotes(*found));
  return padding;
}

constexpr const char* kOfAdded = "of a mask that is added to scores record mask == 0";

/// A tensor of zeros and ones, of whatever type, as booleans.
at::Tensor zeros_and_ones(const safetensors::File& file, const std::string& name) {
  const at::Tensor tensor = file.read(name);
  if (tensor.scalar_type() == at::kBool) return tensor;
  const at::Tensor others = tensor.ne(0).logical_and(tensor.ne(1));
  if (others.any().item<bool>()) {
    file.complaint().refuse(BadInput(
        {.kind = out_of_range,
         .where = place(name),
         .expected = "zeros and ones",
         .found =
             fmt::format("{:.6g}", tensor.masked_select(others)[0].to(at::kDouble).item<double>()),
         .advice =
             fmt::format("{}; of documents in one sequence hook_mask [query, key]", kOfAdded)}));
  }
  return tensor.ne(0);
}

std::optional<Said::Padding> padding_in_tensor(const safetensors::File& file) {
  const std::string name = names::kAttentionMask;
  if (!file.contains(name)) return std::nullopt;
  const Sizes& shape = file.entry(name).shape;
  const bool has_batch = shape.size() == 2 && shape.front() == 1;
  file.complaint().unless(
      shape.size() == 1 || has_batch, malformed, place(name),
      "[position]: 1 of a token, 0 of padding", fmt::format("shape [{}]", fmt::join(shape, ", ")),
      shape.size() == 2 ? "of several sequences record that of the one, attention_mask[0]"
                        : "blocks.{i}.attn.hook_mask [query, key] says which keys a query "
                          "sees");
  const at::Tensor tokens = zeros_and_ones(file, name).flatten();
  Said::Padding padding{.length = tokens.numel(), .where = place(name)};
  for (std::int64_t position = 0; position < tokens.numel(); ++position) {
    if (!tokens[position].item<bool>()) padding.positions.push_back(position);
  }
  file.complaint().unless(std::ssize(padding.positions) < tokens.numel(), out_of_range,
                          padding.where, "a token", "padding alone");
  return padding;
}

std::optional<Said::Padding> read_padding(const safetensors::File& file) {
  auto in_metadata = padding_in_metadata(file), in_tensor = padding_in_tensor(file);
  if (in_metadata && in_tensor) {
    file.complaint().unless(in_metadata->positions == in_tensor->positions, inconsistent,
                            in_metadata->where,
                            fmt::format("what the {} says, [{}]", in_tensor->where,
                                        fmt::join(in_tensor->positions, ", ")),
                            fmt::format("[{}]", fmt::join(in_metadata->positions, ", ")));
  }
  return in_tensor ? in_tensor : in_metadata;
}

}  // namespace

Said read_said(const safetensors::File& file, const std::vector<std::int64_t>& layers) {
  Said said{.masks = read_masks(file, layers),
            .temperatures = read_temperatures(file, layers.size()),
            .zeros = read_zeros(file)};
  read_bound(file, said);
  said.padding = read_padding(file);
  return said;
}

at::Tensor Said::padding_of(const safetensors::File& file, std::int64_t positions) const {
  if (!padding) return {};
  const std::int64_t last = padding->positions.empty() ? -1 : padding->positions.back();
  file.complaint().unless(padding->length.value_or(positions) == positions && last < positions,
                          inconsistent, padding->where, fmt::format("of {} positions", positions),
                          padding->length ? fmt::format("{} of them", *padding->length)
                                          : fmt::format("position {}", last),
                          "where layers read sequences of several lengths, leave it out and record "
                          "hook_mask [query, key]");
  at::Tensor mask = at::zeros({positions}, at::kBool);
  for (const std::int64_t position : padding->positions) mask[position].fill_(true);
  return mask;
}

at::Tensor read_hook_mask(const safetensors::File& file, const LayerShape& layer) {
  const std::string name = names::mask(layer.layer);
  if (!file.contains(name)) return {};
  const safetensors::Entry& entry = file.entry(name);
  file.complaint().unless(entry.dtype == at::kBool || entry.dtype == at::kByte, malformed,
                          place(name), "BOOL or U8: 1 where a query sees a key",
                          one_line(entry.type),
                          fmt::format("{}; of zeros and ones mask.bool()", kOfAdded));
  Sizes sizes = entry.shape;
  while (sizes.size() > 2 && sizes.front() == 1) sizes.erase(sizes.begin());
  const Sizes of_all{layer.queries, layer.keys};
  const Sizes by_head{layer.heads, layer.queries, layer.keys};
  file.complaint().unless(sizes == of_all || sizes == by_head, inconsistent, place(name),
                          fmt::format("shape [{}] or [{}]: [query, key] or [head, query, key]",
                                      fmt::join(of_all, ", "), fmt::join(by_head, ", ")),
                          fmt::format("[{}]", fmt::join(entry.shape, ", ")));
  const bool has_heads = sizes.size() == 3;
  return zeros_and_ones(file, name)
      .reshape({has_heads ? layer.heads : 1, layer.queries, layer.keys});
}

at::Tensor read_hook_sink(const safetensors::File& file, const LayerShape& layer) {
  const std::string name = names::sink(layer.layer);
  if (!file.contains(name)) return {};
  const safetensors::Entry& entry = file.entry(name);
  file.complaint().unless(at::isFloatingType(entry.dtype), malformed, place(name),
                          "F64, F32, F16 or BF16", one_line(entry.type));
  file.complaint().unless(
      std::ranges::count_if(entry.shape, [](auto size) { return size != 1; }) <= 1 &&
          std::accumulate(entry.shape.begin(), entry.shape.end(), std::int64_t{1},
                          std::multiplies<>()) == layer.heads,
      inconsistent, place(name), fmt::format("shape [{}]: [head]", layer.heads),
      fmt::format("[{}]", fmt::join(entry.shape, ", ")));
  return file.read_finite(name).to(at::kDouble).flatten();
}

std::string word_of(const Mask& mask) {
  if (mask.is_causal()) return std::string(report::kCausalMask);
  return mask.full ? std::string(report::kFullMask)
                   : fmt::format("{}{}", report::kWindowMask, mask.window);
}

}  // namespace attn::gpt2
