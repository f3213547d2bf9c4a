#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// The last numbers of a tensor, as bytes: others differ there already.
std::string end_of(const File& file, const std::string& name) {
  constexpr std::int64_t kMost = 256;
  std::int64_t numbers = 1;
  for (const std::int64_t size : file.entry(name).shape) numbers *= size;
  const std::int64_t count = std::min(numbers, kMost);
  const at::Tensor last = file.read_part(name, numbers - count, {count});
  return {static_cast<const char*>(last.data_ptr()), last.nbytes()};
}

bool are_same(const File& file, const std::string& a, const std::string& b) {
  const auto &one = file.entry(a), &other = file.entry(b);
  return one.dtype == other.dtype && one.shape == other.shape &&
         end_of(file, a) == end_of(file, b) && at::equal(file.read(a), file.read(b));
}

/// The tensor that a layer is decided by.
std::string main_tensor(const File& file, const LayerShape& layer) {
  switch (layer.source) {
    case LogitSource::queries_and_keys:
      return k_name(file, layer.layer);
    case LogitSource::scores:
      return names::scores(layer.layer);
    case LogitSource::weights:
      break;
  }
  return names::pattern(layer.layer);
}

/// Whether every row of a head [query, key] is level over what it sees.
bool is_level(const at::Tensor& square) {
  const at::Tensor is_seen = square.isfinite().logical_and(square.ne(0));
  const at::Tensor most = square.masked_fill(is_seen.logical_not(), -INFINITY).amax(-1);
  const at::Tensor least = square.masked_fill(is_seen.logical_not(), INFINITY).amin(-1);
  return most.le(least).all().item<bool>();
}

/// Whether all heads have the same numbers, and not level rows alone.
bool are_heads_same(const File& file, const LayerShape& layer, const std::string& name) {
  const std::int64_t size = layer.queries * layer.keys;
  const auto part = [&](std::int64_t head, std::int64_t first, std::int64_t count) {
    return file.read_part(name, head * size + first, {count / layer.keys, layer.keys});
  };
  if (!file.contains(name)) return false;
  for (std::int64_t head = 1; head < layer.heads; ++head) {
    const std::int64_t last = size - layer.keys;
    if (!at::equal(part(head, last, layer.keys), part(0, last, layer.keys))) return false;
  }
  const at::Tensor first = part(0, 0, size);
  for (std::int64_t head = 1; head < layer.heads; ++head) {
    if (!at::equal(part(head, 0, size), first)) return false;
  }
  return layer.heads > 1 && !is_level(first);
}

/// Whether in each head all rows have the same numbers, and not one number alone.
bool are_rows_same(const File& file, const LayerShape& layer, const std::string& name) {
  constexpr std::int64_t kFew = 3;
  if (!file.contains(name) || layer.queries < kFew) return false;
  const std::int64_t size = layer.queries * layer.keys;
  bool is_uneven = false;
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const at::Tensor square = file.read_part(name, head * size, {layer.queries, layer.keys});
    if (!square.eq(square[0]).all().item<bool>()) return false;
    is_uneven = is_uneven || !is_level(square.slice(0, 0, 1));
  }
  return is_uneven;
}

/// The numbers of the heads for which that is true, of booleans [head].
std::vector<std::int64_t> heads_of(const at::Tensor& is_true) {
  const at::Tensor found = is_true.nonzero().flatten();
  return {found.data_ptr<std::int64_t>(), found.data_ptr<std::int64_t>() + found.numel()};
}

/// Whether all numbers of a tensor are whole, and not small: codes of 8 bits.
bool are_codes(const at::Tensor& rows) {
  constexpr double kSmall = 20;
  const bool are_whole = rows.eq(rows.round()).all().item<bool>();
  return are_whole && rows.abs().max().item<double>() > kSmall;
}

/// Where a tensor [position, head, d] is 0, if that is everywhere, in some heads, or at positions
/// of some heads.
std::optional<std::string> zeros_of(const at::Tensor& rows) {
  const at::Tensor zero = rows.eq(0).all(2);
  const at::Tensor whole = zero.all(0), some = zero.any(0);
  if (whole.all().item<bool>()) return "everywhere: were they never filled?";
  if (whole.any().item<bool>()) {
    return fmt::format("at every position of heads {}: were these added to fill a group?",
                       fmt::join(heads_of(whole), ", "));
  }
  if (some.any().item<bool>() && !some.all().item<bool>()) {
    return fmt::format(
        "at positions of heads {} and of no others: are these sequences of other "
        "lengths?",
        fmt::join(heads_of(some), ", "));
  }
  return std::nullopt;
}

/// Whether all scores that are no infinity are one number.
bool are_scores_one(const File& file, const LayerShape& layer) {
  if (layer.source != LogitSource::scores) return false;
  std::optional<double> value;
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const at::Tensor square = file.read_part(
        names::scores(layer.layer), head * layer.queries * layer.keys, {layer.queries, layer.keys});
    const at::Tensor seen = square.masked_select(square.isfinite()).to(at::kDouble);
    if (seen.numel() == 0) continue;
    if (!value) value = seen[0].item<double>();
    if (!seen.eq(*value).all().item<bool>()) return false;
  }
  return value.has_value();
}

/// Whether the scores are the products of the queries and keys beside them, as the last row of the
/// first head has them.
bool are_products(const File& file, const LayerShape& layer) {
  const std::string q = q_name(file, layer.layer), k = k_name(file, layer.layer);
  const bool are_there =
      layer.source == LogitSource::scores && file.contains(q) && file.contains(k);
  if (!are_there || sizes_of(file, q).back() == 1) return false;
  const std::int64_t last = (layer.queries - 1) * layer.keys;
  const at::Tensor scores =
      file.read_part(names::scores(layer.layer), last, {layer.keys}).to(at::kDouble);
  const auto rows = [&](const std::string& name) {
    return file.read(name).to(at::kDouble).reshape(sizes_of(file, name)).select(1, 0);
  };
  const at::Tensor keys = rows(k);
  if (keys.size(0) != layer.keys) return false;
  const at::Tensor products = keys.matmul(rows(q)[-1]);
  const at::Tensor is_seen = scores.isfinite().logical_and(scores.abs().lt(1e4));
  const at::Tensor difference = (scores - products).abs().masked_fill(is_seen.logical_not(), 0);
  constexpr double kNear = 0.02;
  return is_seen.any().item<bool>() &&
         difference.max().item<double>() <= kNear * products.abs().max().item<double>();
}

}  // namespace

std::vector<std::string> remarks_on_layers(const File& file,
                                           const std::vector<LayerShape>& layers) {
  std::map<std::string, std::vector<const LayerShape*>> by_end;
  for (const LayerShape& layer : layers) {
    auto& alike = by_end[end_of(file, main_tensor(file, layer))];
    if (alike.empty() ||
        are_same(file, main_tensor(file, *alike.front()), main_tensor(file, layer))) {
      alike.push_back(&layer);
    }
  }
  std::vector<std::string> remarks;
  for (const auto& [end, alike] : by_end) {
    if (alike.size() < 2) continue;
    std::vector<std::int64_t> numbers;
    for (const LayerShape* layer : alike) numbers.push_back(layer->layer);
    remarks.push_back(
        fmt::format("layers {} have the same numbers: was one recorded in the place "
                    "of the others?",
                    fmt::join(numbers, ", ")));
  }
  return remarks;
}

std::vector<std::string> remarks_on_numbers(const File& file, const LayerShape& layer) {
  std::vector<std::string> remarks;
  for (const names::Hook& hook : {names::scores, names::pattern}) {
    if (!are_heads_same(file, layer, hook(layer.layer))) continue;
    remarks.push_back(fmt::format(
        "all heads of hook_{} have the same numbers: are they the mean of the heads?", hook.name));
  }
  for (const names::Hook& hook : {names::scores, names::pattern}) {
    if (!are_rows_same(file, layer, hook(layer.layer))) continue;
    remarks.push_back(fmt::format(
        "all rows of hook_{} have the same numbers: is it one query's, expanded?", hook.name));
  }
  if (are_scores_one(file, layer)) {
    remarks.emplace_back("all scores are one number: were they never filled?");
  }
  if (are_products(file, layer)) {
    remarks.emplace_back(
        "the scores are the products of queries and keys, not divided: `temperatures` say what the "
        "softmax divides them by");
  }
  struct Rows {
    const char* words;
    std::string name;
  };
  std::vector<Rows> rows;
  if (layer.has_queries()) {
    rows.push_back({"queries", q_name(file, layer.layer)});
    rows.push_back({"keys", k_name(file, layer.layer)});
  }
  if (layer.has_values()) rows.push_back({"values", names::v(layer.layer)});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [words, name] = rows[i];
    const at::Tensor numbers = file.read(name).to(at::kDouble).reshape(sizes_of(file, name));
    const std::int64_t positions = numbers.size(0);
    if (const auto zeros = zeros_of(numbers)) {
      remarks.push_back(fmt::format("the {} are 0 {}", words, *zeros));
    } else if (positions > 2 && numbers.eq(numbers[0]).all().item<bool>()) {
      remarks.push_back(fmt::format("the {} are the same at all positions", words));
    } else if (are_codes(numbers)) {
      remarks.push_back(
          fmt::format("the {} are whole numbers: are they codes of 8 bits, without "
                      "their scale?",
                      words));
    } else if (i > 0 && are_same(file, rows[i - 1].name, name)) {
      remarks.push_back(fmt::format("{} and {} have the same numbers: was one recorded twice?",
                                    rows[i - 1].words, words));
    }
  }
  return remarks;
}

}  // namespace attn::gpt2
