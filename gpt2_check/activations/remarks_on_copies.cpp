#include <ATen/TensorOperators.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/unique_dim.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <compare>
#include <map>
#include <tuple>
#include <utility>

#include "gpt2_check/activations/first_rows.hpp"
#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// Keys, and which one each of them may be a copy of.
struct Keys {
  at::Tensor number;  ///< [n]: their numbers, ascending
  at::Tensor first;   ///< [n]: of each the first one that may be the same, or itself
};

/// The keys of these numbers, of which the first with the same `rows` [n, number] may be the same.
Keys by_rows(const at::Tensor& number, const at::Tensor& rows) {
  const at::Tensor kind = std::get<1>(at::unique_dim(rows.to(at::kDouble), 0, true, true));
  Keys keys{number, number.clone()};
  std::map<std::int64_t, std::int64_t> first;  // by kind
  for (std::int64_t i = 0; i < number.numel(); ++i) {
    const auto place = first.emplace(kind[i].item<std::int64_t>(), number[i].item<std::int64_t>());
    keys.first[i] = place.first->second;
  }
  return keys;
}

/// The row that sees the most keys in all heads, and which these are, [n].
std::pair<std::int64_t, at::Tensor> widest_row(const at::Tensor& seen) {
  const at::Tensor of_all = seen.all(0);
  const auto row = of_all.sum(-1).argmax().item<std::int64_t>();
  return {row, of_all[row].nonzero().flatten()};
}

/// How many keys there are, and how many different ones.
struct Copies {
  std::int64_t keys{}, different{};
  bool are_alike{};  ///< whether each has as many copies

  friend auto operator<=>(const Copies&, const Copies&) = default;
};

/// The copies among keys, where a quarter of them are some, of four keys or more, none of which has
/// half of them, as what is level has.
std::optional<Copies> copies_of(const Keys& keys) {
  constexpr std::int64_t kFew = 4;
  const at::Tensor all = at::bincount(keys.first);
  const at::Tensor sizes = all.masked_select(all.gt(0));
  const auto most = sizes.max().item<std::int64_t>(), least = sizes.min().item<std::int64_t>();
  const Copies found{keys.number.numel(), sizes.numel(), least == most};
  const bool are_many = 4 * (found.keys - found.different) >= found.keys;
  const bool are_clear = found.different >= kFew && 2 * most <= found.keys;
  return are_many && are_clear ? std::optional(found) : std::nullopt;
}

/// What the keys and the first ones of a head have, along an axis of its square [query, key].
struct Pairs {
  at::Tensor are_same;  ///< [n]: whether all numbers that are seen of both
  at::Tensor shown;     ///< [n]: how many of these are not 0
};

Pairs pairs_of(const at::Tensor& square, const at::Tensor& is_seen, std::int64_t axis,
               const Keys& keys) {
  const at::Tensor here = square.index_select(axis, keys.number);
  const at::Tensor first = square.index_select(axis, keys.first);
  const at::Tensor both =
      is_seen.index_select(axis, keys.number).logical_and(is_seen.index_select(axis, keys.first));
  return {here.eq(first).logical_or(both.logical_not()).all(1 - axis),
          here.ne(0).logical_and(both).sum(1 - axis)};
}

/// The copies among the keys of a layer of scores or weights: they have the same column in every
/// head, in all rows that see both, and more than zeros there. Where their queries have the same
/// rows too, it is tokens that come again.
std::optional<Copies> copies_in(const HeadSquares& numbers, const at::Tensor& seen) {
  constexpr std::int64_t kFew = 2, kMany = 16;  // numbers, which chance does not make the same
  const auto [row, number] = widest_row(seen);
  if (number.numel() == 0) return std::nullopt;
  std::vector<at::Tensor> of_row;
  for (std::int64_t head = 0; head < numbers.heads(); ++head) {
    of_row.push_back(numbers[head][row].index_select(0, number));
  }
  Keys keys = by_rows(number, at::stack(of_row, 1));
  at::Tensor shown = at::zeros({number.numel()}, at::kLong);
  at::Tensor are_same = at::ones({number.numel()}, at::kBool), are_rows_same = are_same;
  for (std::int64_t head = 0; head < numbers.heads(); ++head) {
    const at::Tensor of_head = numbers[head], is_seen = square_of(seen, head);
    const Pairs columns = pairs_of(of_head, is_seen, 1, keys);
    are_same = are_same.logical_and(columns.are_same);
    shown += columns.shown;
    if (seen.size(1) != seen.size(2)) continue;
    are_rows_same = are_rows_same.logical_and(pairs_of(of_head, is_seen, 0, keys).are_same);
  }
  keys.first = keys.first.where(are_same.logical_and(shown.ge(kFew)), keys.number);
  const at::Tensor is_copy = keys.first.ne(keys.number);
  const bool are_clear = shown.masked_select(is_copy).sum().item<std::int64_t>() >= kMany;
  const bool are_tokens = seen.size(1) == seen.size(2) &&
                          are_rows_same.logical_or(is_copy.logical_not()).all().item<bool>();
  return are_clear && !are_tokens ? copies_of(keys) : std::nullopt;
}

/// Whether the row of each key, [key, head, d], is that of the key which it may be a copy of, [n].
/// A head at a time: all of a long text are large.
at::Tensor are_rows_same(const at::Tensor& rows, const Keys& keys) {
  at::Tensor are_same = at::ones({keys.number.numel()}, at::kBool);
  for (std::int64_t head = 0; head < rows.size(1); ++head) {
    const at::Tensor of_head = rows.select(1, head);
    const at::Tensor first = of_head.index_select(0, keys.first);
    are_same.logical_and_(of_head.index_select(0, keys.number).eq(first).all(-1));
  }
  return are_same;
}

/// The copies among the keys that queries see, [key, head, d], where their queries are no copies.
std::optional<Copies> copies_in_rows(const at::Tensor& q, const at::Tensor& k,
                                     const at::Tensor& seen) {
  const at::Tensor number = seen.any(0).any(0).nonzero().flatten();
  if (number.numel() == 0) return std::nullopt;
  Keys keys = by_rows(number, k.select(1, 0).index_select(0, number));
  keys.first = keys.first.where(are_rows_same(k, keys), keys.number);
  const bool are_tokens = seen.size(1) == seen.size(2) && are_rows_same(q, keys).all().item<bool>();
  return are_tokens ? std::nullopt : copies_of(keys);
}

std::optional<Copies> copies_in_layer(const File& file, const LayerShape& layer,
                                      const at::Tensor& seen) {
  if (layer.source == LogitSource::queries_and_keys) {
    const auto rows_of = [&](const std::string& name) {
      return file.read(name).reshape(sizes_of(file, name));
    };
    return copies_in_rows(rows_of(q_name(file, layer.layer)), rows_of(k_name(file, layer.layer)),
                          seen);
  }
  const bool are_scores = layer.source == LogitSource::scores;
  const std::string name = are_scores ? names::scores(layer.layer) : names::pattern(layer.layer);
  const HeadSquares all{
      layer.heads, [&](std::int64_t head) {
        return file.read_part(name, head * layer.queries * layer.keys, {layer.queries, layer.keys});
      }};
  const auto& [numbers, of_rows] = first_rows(all, seen);
  return copies_in(numbers, of_rows);
}

}  // namespace

std::vector<std::string> remarks_on_copies(
    const File& file, const std::vector<LayerShape>& layers,
    const std::function<at::Tensor(std::size_t layer)>& seen_of) {
  std::map<Copies, std::vector<std::int64_t>> found;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (const auto copies = copies_in_layer(file, layers[i], seen_of(i))) {
      found[*copies].push_back(layers[i].layer);
    }
  }
  std::vector<std::string> remarks;
  for (const auto& [copies, of] : found) {
    // Without positions a text that repeats its tokens has the same keys in the first layer.
    if (of == std::vector<std::int64_t>{0} && !copies.are_alike) continue;
    remarks.push_back(fmt::format("layer{} {}: {}", of.size() > 1 ? "s" : "", fmt::join(of, ", "),
                                  fmt::format(kCopies, copies.keys, copies.different)));
  }
  return remarks;
}

}  // namespace attn::gpt2
