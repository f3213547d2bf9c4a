#include <ATen/TensorOperators.h>
#include <ATen/ops/_unique.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/frexp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

constexpr const char* kSideBySide =
    "are they several sequences, one after the other, or does the text repeat?";

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

/// The layers, two at least, of which tensors have the same numbers; `names` of the tensors of
/// `layers`.
std::vector<std::vector<std::int64_t>> same_tensors(const File& file,
                                                    const std::vector<std::string>& names,
                                                    const std::vector<std::int64_t>& layers) {
  std::map<std::string, std::vector<std::size_t>> by_end;
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto& alike = by_end[end_of(file, names[i])];
    if (alike.empty() || are_same(file, names[alike.front()], names[i])) alike.push_back(i);
  }
  std::vector<std::vector<std::int64_t>> all;
  for (const auto& [end, alike] : by_end) {
    if (alike.size() < 2) continue;
    auto& one = all.emplace_back();
    for (const std::size_t i : alike) one.push_back(layers[i]);
  }
  return all;
}

/// The tensor that a layer is decided by.
std::string main_tensor(const File& file, const LayerShape& layer) {
  switch (layer.source) {
    case LogitSource::queries_and_keys:
      return q_name(file, layer.layer);
    case LogitSource::scores:
      return names::scores(layer.layer);
    case LogitSource::weights:
      break;
  }
  return names::pattern(layer.layer);
}

/// How many rows of a head [query, key] are not level over what they see.
std::int64_t uneven_rows(const at::Tensor& square) {
  const at::Tensor is_seen = square.isfinite().logical_and(square.ne(0));
  const at::Tensor most = square.masked_fill(is_seen.logical_not(), -INFINITY).amax(-1);
  const at::Tensor least = square.masked_fill(is_seen.logical_not(), INFINITY).amin(-1);
  return most.gt(least).sum().item<std::int64_t>();
}

/// The heads of scores or weights that have the numbers of the first of them, two at least; none
/// where their rows are level, or too few of them are not and other heads have other numbers.
std::vector<std::int64_t> same_heads(const File& file, const LayerShape& layer,
                                     const std::string& name) {
  const std::int64_t size = layer.queries * layer.keys;
  const auto part = [&](std::int64_t head, std::int64_t first, std::int64_t count) {
    return file.read_part(name, head * size + first, {count / layer.keys, layer.keys});
  };
  const std::int64_t last = size - layer.keys;
  constexpr std::int64_t kFew = 8;  // rows: chance makes fewer the same in two heads
  for (std::int64_t head = 0; head + 1 < layer.heads; ++head) {
    std::vector<std::int64_t> same{head};
    const at::Tensor end = part(head, last, layer.keys);
    for (std::int64_t other = head + 1; other < layer.heads; ++other) {
      const bool is_same = at::equal(part(other, last, layer.keys), end) &&
                           at::equal(part(other, 0, size), part(head, 0, size));
      if (is_same) same.push_back(other);
    }
    if (same.size() < 2) continue;
    const bool are_all = std::ssize(same) == layer.heads;
    const at::Tensor square = part(head, 0, size);
    if (uneven_rows(square) >= (are_all ? 1 : kFew)) return same;
  }
  return {};
}

/// After how many rows of a tensor all of them come again; 0 where they do not. `is_same`: whether
/// two rows are.
template <class IsSame>
std::int64_t period(std::int64_t rows, const IsSame& is_same) {
  constexpr std::int64_t kFew = 3;
  for (std::int64_t after = 1; rows >= kFew && 2 * after <= rows; ++after) {
    bool repeats = true;
    for (std::int64_t row = rows - 1; row >= after && repeats; --row) {
      repeats = is_same(row, row - after);
    }
    if (repeats) return after;
  }
  return 0;
}

/// After how many rows all heads of scores or weights have them again; 0 where they do not, or are
/// level.
std::int64_t period_of_rows(const File& file, const LayerShape& layer, const std::string& name) {
  std::int64_t found = 0;
  bool is_uneven = false;
  const std::int64_t size = layer.queries * layer.keys;
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const at::Tensor square = file.read_part(name, head * size, {layer.queries, layer.keys});
    const std::int64_t of_head = period(layer.queries, [&](std::int64_t a, std::int64_t b) {
      return at::equal(square[a], square[b]);
    });
    if (of_head == 0) return 0;
    found = std::max(found, of_head);
    is_uneven = is_uneven || uneven_rows(square) > 0;
  }
  return is_uneven ? found : 0;
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

/// Whether all numbers have four significant bits or fewer, and are many: 8 bits with an exponent,
/// as E4M3 and E5M2 are.
bool are_of_few_bits(const at::Tensor& rows) {
  constexpr double kLast = 16;  // 2^4: a fraction from 1/2 to 1 is whole times this
  constexpr std::int64_t kMany = 32;
  const at::Tensor part = std::get<0>(at::frexp(rows)) * kLast;
  return part.eq(part.round()).all().item<bool>() && std::get<0>(at::_unique(rows)).numel() > kMany;
}

/// Whether each number of each head has the mean 0 over the positions, but for a small part of what
/// chance leaves of numbers whose mean it is.
bool are_of_mean_zero(const at::Tensor& rows) {
  constexpr double kClear = 0x1p-6;
  constexpr std::int64_t kFewPositions = 4, kMany = 16;
  const std::int64_t positions = rows.size(0);
  if (positions < kFewPositions) return false;
  const at::Tensor sizes = rows.abs().sum(0), sums = rows.sum(0).abs();
  const double part = kClear / std::sqrt(static_cast<double>(positions));
  return sums.le(part * sizes).all().item<bool>() &&
         sizes.gt(0).sum().item<std::int64_t>() >= kMany;
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

/// On the heads and rows of scores or weights.
void add_remarks_on_squares(const File& file, const LayerShape& layer, const names::Hook& hook,
                            std::vector<std::string>& remarks) {
  const std::string name = hook(layer.layer);
  if (const auto same = same_heads(file, layer, name); std::ssize(same) == layer.heads) {
    remarks.push_back(fmt::format(
        "all heads of hook_{} have the same numbers: are they the mean of the heads?", hook.name));
  } else if (!same.empty()) {
    remarks.push_back(
        fmt::format("heads {} of hook_{} have the same numbers: are they of several sequences?",
                    fmt::join(same, ", "), hook.name));
  }
  if (const std::int64_t after = period_of_rows(file, layer, name); after == 1) {
    remarks.push_back(fmt::format(
        "all rows of hook_{} have the same numbers: is it one query's, expanded?", hook.name));
  } else if (after > 1) {
    remarks.push_back(
        fmt::format("the rows of hook_{} repeat after {}: {}", hook.name, after, kSideBySide));
  }
}

/// On queries, keys and values.
void add_remarks_on_rows(const File& file, const LayerShape& layer,
                         std::vector<std::string>& remarks) {
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
  std::map<std::int64_t, std::vector<const char*>> repeating;
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
    } else if (are_of_few_bits(numbers)) {
      remarks.push_back(
          fmt::format("the {} have at most four significant bits: are they codes of 8 bits, "
                      "without their scale?",
                      words));
    } else if (are_of_mean_zero(numbers)) {
      remarks.push_back(fmt::format(kMeanIsZero, words, words));
    } else if (i > 0 && are_same(file, rows[i - 1].name, name)) {
      remarks.push_back(fmt::format("{} and {} have the same numbers: was one recorded twice?",
                                    rows[i - 1].words, words));
    } else {
      const std::int64_t after = period(positions, [&](std::int64_t a, std::int64_t b) {
        return at::equal(numbers[a], numbers[b]);
      });
      if (after > 0) repeating[after].push_back(words);
    }
  }
  for (const auto& [after, words] : repeating) {
    remarks.push_back(fmt::format("the {} repeat after {} positions: {}", fmt::join(words, ", "),
                                  after, kSideBySide));
  }
}

}  // namespace

std::vector<std::string> remarks_on_layers(const File& file,
                                           const std::vector<LayerShape>& layers) {
  struct Tensors {
    std::vector<std::string> names{};
    std::vector<std::int64_t> layers{};

    void add(std::string name, const LayerShape& layer) {
      names.push_back(std::move(name));
      layers.push_back(layer.layer);
    }
  };
  Tensors main, keys, values;
  for (const LayerShape& layer : layers) {
    main.add(main_tensor(file, layer), layer);
    // A pattern shows whether the keys are the layer's own, and outputs whether the values are.
    const bool has_pattern = file.contains(names::pattern(layer.layer));
    if (layer.has_queries() && !has_pattern) keys.add(k_name(file, layer.layer), layer);
    const bool has_outputs = file.contains(names::z(layer.layer));
    if (layer.has_values() && !has_outputs) values.add(names::v(layer.layer), layer);
  }
  std::vector<std::string> remarks;
  const auto all = same_tensors(file, main.names, main.layers);
  for (const auto& alike : all) {
    remarks.push_back(
        fmt::format("layers {} have the same numbers: was one recorded in the place of the others?",
                    fmt::join(alike, ", ")));
  }
  const auto add_shared = [&](const Tensors& tensors, const char* words) {
    for (const auto& alike : same_tensors(file, tensors.names, tensors.layers)) {
      if (std::ranges::find(all, alike) != all.end()) continue;
      remarks.push_back(
          fmt::format("layers {} have the same {}: does the model share them, or was one recorded "
                      "in the place of the others?",
                      fmt::join(alike, ", "), words));
    }
  };
  add_shared(keys, "keys");
  add_shared(values, "values");
  return remarks;
}

std::vector<std::string> remarks_on_numbers(const File& file, const LayerShape& layer) {
  std::vector<std::string> remarks;
  for (const names::Hook& hook : {names::scores, names::pattern}) {
    if (file.contains(hook(layer.layer))) add_remarks_on_squares(file, layer, hook, remarks);
  }
  if (are_scores_one(file, layer)) {
    remarks.emplace_back("all scores are one number: were they never filled?");
  }
  if (auto remark = remark_on_products(file, layer)) remarks.push_back(std::move(*remark));
  if (auto remark = remark_on_rotation(file, layer)) remarks.push_back(std::move(*remark));
  add_remarks_on_rows(file, layer, remarks);
  for (std::string& remark : remarks_on_heads(file, layer)) remarks.push_back(std::move(remark));
  return remarks;
}

}  // namespace attn::gpt2
