#include "gpt2_check/activations/layer_tensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/wrong_sizes.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::File;
using safetensors::place;

constexpr std::string_view kRows = "[position, head, d_head]";
constexpr std::string_view kSquares = "[head, query, key]";

/// Checks the type and that there are three axes, none of them 0. `axes`: what they are.
Tensor tensor_of(const File& file, std::string name, std::string_view axes) {
  const safetensors::Entry& entry = file.entry(name);
  file.complaint().unless(at::isFloatingType(entry.dtype), malformed, place(name),
                          "F64, F32, F16 or BF16", one_line(entry.type),
                          "record it as floats, dequantised");
  Sizes sizes = sizes_of(file, name);
  file.complaint().unless(sizes.size() == 3 && std::ranges::count(sizes, 0) == 0, malformed,
                          place(name), fmt::format("{}, each 1 or more", axes),
                          fmt::format("shape {}", entry.shape),
                          sizes.size() != 2 ? ""
                          : axes == kRows ? "are its heads side by side? unflatten(-1, (heads, -1))"
                                          : kOfEachHead);
  return {std::move(name), std::move(sizes)};
}

/// One way to take the axes.
struct Order {
  std::array<std::size_t, 3> queries;  ///< where position, head and d of q are
  std::array<std::size_t, 3> keys;     ///< where those of k and v are
  std::array<std::size_t, 3> squares;  ///< where head, query and key of scores and weights are
};
constexpr Order kDocumented{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}};

/// The sizes of a layer where its axes are taken in that order; nothing where they do not go
/// together.
std::optional<LayerShape> fitted(const Recorded& of, const Order& order) {
  const auto query = [&](std::size_t axis) { return of.q->sizes[order.queries.at(axis)]; };
  const auto key = [&](const Tensor& tensor, std::size_t axis) {
    return tensor.sizes[order.keys.at(axis)];
  };
  LayerShape shape;
  if (of.square) {
    shape.heads = of.square->sizes[order.squares[0]];
    shape.queries = of.square->sizes[order.squares[1]];
    shape.keys = of.square->sizes[order.squares[2]];
  } else {
    shape.heads = query(1);
    shape.queries = query(0);
    shape.keys = key(*of.k, 0);
  }
  shape.key_heads = shape.heads;
  bool fits = true;
  if (of.q) {
    shape.width = query(2);
    fits = query(0) == shape.queries && query(1) == shape.heads && key(*of.k, 2) == shape.width;
  }
  for (const auto* const keys : {&of.v, &of.k}) {
    if (!*keys) continue;
    shape.key_heads = key(**keys, 1);
    fits = fits && key(**keys, 0) == shape.keys && shape.heads % shape.key_heads == 0;
  }
  if (of.v) {
    shape.value_width = key(*of.v, 2);
    fits = fits && key(*of.v, 1) == shape.key_heads;
  }
  return fits ? std::optional(shape) : std::nullopt;
}

bool is_of_itself(const LayerShape& shape) {
  return shape.queries == shape.keys;
}

bool is_of_key_heads(const LayerShape& shape) {
  return shape.heads == shape.key_heads;
}

/// Whether what else lies in the file allows these sizes: how many tokens were read, and which keys
/// each query sees.
bool is_allowed(const File& file, std::int64_t layer, const LayerShape& shape) {
  const auto last = [&](const std::string& name,
                        std::size_t from_end) -> std::optional<std::int64_t> {
    if (!file.contains(name)) return std::nullopt;
    const Sizes& sizes = file.entry(name).shape;
    return sizes.size() < from_end ? std::nullopt : std::optional(sizes[sizes.size() - from_end]);
  };
  for (const char* const positions : {names::kTokens, names::kAttentionMask}) {
    if (last(positions, 1).value_or(shape.keys) != shape.keys) return false;
  }
  return last(names::mask(layer), 1).value_or(shape.keys) == shape.keys &&
         last(names::mask(layer), 2).value_or(shape.queries) == shape.queries;
}

/// A way to take the axes that is not the documented one.
struct OtherOrder {
  Order order;
  std::string_view rows, squares;  ///< what the axes are then; empty where they are as documented
  /// The axes of `squares` in the order that makes them the documented ones.
  std::array<std::size_t, 3> permute{};
};
constexpr std::string_view kHeadsFirst = "[head, position, d_head]";
constexpr OtherOrder kOthers[] = {
    {.order = {{1, 0, 2}, {1, 0, 2}, {0, 1, 2}}, .rows = kHeadsFirst, .squares = {}},
    {.order = {{0, 1, 2}, {1, 0, 2}, {0, 1, 2}}, .rows = kHeadsFirst, .squares = {}},
    {{{0, 1, 2}, {0, 1, 2}, {1, 0, 2}}, {}, "[query, head, key]", {1, 0, 2}},
    {{{0, 1, 2}, {0, 1, 2}, {2, 0, 1}}, {}, "[query, key, head]", {2, 0, 1}},
    {{{1, 0, 2}, {1, 0, 2}, {1, 0, 2}}, kHeadsFirst, "[query, head, key]", {1, 0, 2}},
    {{{1, 0, 2}, {1, 0, 2}, {2, 0, 1}}, kHeadsFirst, "[query, key, head]", {2, 0, 1}},
};

/// An order of the axes that is not the documented one, and what the sizes are in it.
struct OtherReading {
  const OtherOrder* other;
  LayerShape shape;
};

/// The first other order in which the axes go together, and with what else lies in the file;
/// nothing where there is none. `is_wanted`: of the sizes in it.
std::optional<OtherReading> other_reading(const File& file, std::int64_t layer, const Recorded& of,
                                          bool (*is_wanted)(const LayerShape&)) {
  for (const OtherOrder& other : kOthers) {
    const bool has_rows = of.q || of.v;
    if ((!other.rows.empty() && !has_rows) || (!other.squares.empty() && !of.square)) continue;
    const std::optional<LayerShape> shape = fitted(of, other.order);
    if (shape && is_allowed(file, layer, *shape) && is_wanted(*shape)) return {{&other, *shape}};
  }
  return std::nullopt;
}

std::string in_words(const LayerShape& shape) {
  return is_of_itself(shape) ? fmt::format("{} heads of {} positions", shape.heads, shape.keys)
                             : fmt::format("{} heads of {} queries and {} keys", shape.heads,
                                           shape.queries, shape.keys);
}

/// `documented`: what the documented order makes of the axes, where it is in doubt.
[[noreturn]] void refuse_order(const File& file, const Recorded& of, const OtherReading& reading,
                               const std::optional<LayerShape>& documented) {
  check_signs(file, of);
  const OtherOrder& other = *reading.other;
  const bool is_rows = !other.rows.empty();
  const bool are_keys = other.order.queries != other.order.keys;  // such as those of a cache
  const Tensor& tensor = !is_rows ? *of.square : !of.q ? *of.v : are_keys ? *of.k : *of.q;
  const Sizes& stored = file.entry(tensor.name).shape;
  const std::size_t batch = stored.size() - 3;
  const std::string change = is_rows
                                 ? fmt::format("{}transpose(0, 1)", batch > 0 ? "tensor[0]." : "")
                                 : fmt::format("{}permute({})", batch > 0 ? "tensor[0]." : "",
                                               fmt::join(other.permute, ", "));
  std::string found = fmt::format("shape {}: ", stored);
  if (documented) found += fmt::format("{}, or ", in_words(*documented));
  found += fmt::format("as {} {}", is_rows ? other.rows : other.squares, in_words(reading.shape));
  std::string advice = fmt::format("{} makes {}", change, is_rows ? kRows : kSquares);
  if (is_rows) advice += are_keys ? ", of k and v" : ", of q, k and v alike";
  if (is_rows && tensor.sizes[0] == 1) {
    advice = "if its heads are side by side, tensor[0].unflatten(-1, (heads, -1)); else " + advice;
  }
  if (documented) {
    const bool is_as_long = reading.shape.keys == documented->keys;
    const bool are_sizes_same = is_as_long && reading.shape.queries == documented->queries;
    advice += fmt::format("; if it is the first, record {} beside it",
                          are_sizes_same ? "hook_pattern [head, query, key]"
                          : is_as_long   ? "hook_mask [query, key]"
                                         : "tokens [position] or hook_mask [query, key]");
  }
  file.complaint().refuse(BadInput({.kind = inconsistent,
                                    .where = place(tensor.name),
                                    .expected = std::string(is_rows ? kRows : kSquares),
                                    .found = std::move(found),
                                    .advice = std::move(advice)}));
}

/// Whether the squares are those of a self-attention with as many positions as the rows have: what
/// does not go together is the heads.
bool has_positions(const Recorded& of) {
  if (!of.square || of.square->sizes[1] != of.square->sizes[2]) return false;
  return std::ranges::all_of(std::array{&of.q, &of.k, &of.v}, [&](const auto* rows) {
    return !*rows || (*rows)->sizes[0] == of.square->sizes[1];
  });
}

/// The sizes of a layer: in the documented order, where that is the one that is meant.
LayerShape settled(const File& file, std::int64_t layer, const Recorded& of) {
  const std::optional<LayerShape> documented = fitted(of, kDocumented);
  const auto other_if = [&](bool (*is_wanted)(const LayerShape&)) {
    return other_reading(file, layer, of, is_wanted);
  };
  const auto is_any = [](const LayerShape&) { return true; };
  if (documented && is_allowed(file, layer, *documented)) {
    const bool is_likely =
        is_of_itself(*documented) && (of.square || documented->heads <= documented->keys);
    if (is_likely) return *documented;
    auto other = other_if(&is_of_itself);
    const bool may_be_other = !of.square && documented->keys < documented->key_heads;
    if (!other && may_be_other) other = other_if(is_any);
    // As many queries as key heads are heads, where these are no groups then.
    const bool may_be_query_first = of.square && of.v && documented->key_heads > 1 &&
                                    documented->queries == documented->key_heads &&
                                    documented->heads != documented->key_heads;
    if (!other && may_be_query_first) other = other_if(&is_of_key_heads);
    if (other) refuse_order(file, of, *other, documented);
    return *documented;
  }
  if (!documented && has_positions(of)) {
    check_not_averaged(file, of);
    refuse_sizes(file, of);
  }
  if (!documented && are_values_of_queries(file, of)) refuse_sizes(file, of);
  // Tokens of something else may lie beside sizes that go together as documented.
  auto other = other_if(&is_of_itself);
  if (!other && !documented) other = other_if(is_any);
  if (other) refuse_order(file, of, *other, std::nullopt);
  if (!documented) refuse_sizes(file, of);
  return *documented;
}

/// The tensor of a name; nothing where the file has none.
std::optional<Tensor> if_there(const File& file, const std::string& name, std::string_view axes) {
  return file.contains(name) ? std::optional(tensor_of(file, name, axes)) : std::nullopt;
}

bool is_rotary(const File& file, std::int64_t layer) {
  return file.contains(names::rotary_q(layer)) || file.contains(names::rotary_k(layer));
}

/// Refuses queries or keys that lack the other.
void check_both(const File& file, std::int64_t layer, const std::string& q, const std::string& k) {
  const bool has_q = file.contains(q);
  file.complaint().unless(
      has_q && file.contains(k), missing, place(has_q ? k : q),
      fmt::format("it beside {}", in_quotes(has_q ? q : k)), "none",
      is_rotary(file, layer) ? "what is not rotated is recorded under that name too" : "");
}

}  // namespace

std::vector<std::int64_t> layers_of(const File& file) {
  static const std::regex pattern(
      R"(blocks\.(\d{1,6})\.attn\.hook_(q|k|rot_q|rot_k|attn_scores|v|pattern))");
  std::set<std::int64_t> layers;
  std::smatch match;
  for (const auto& [name, entry] : file.entries()) {
    if (!std::regex_match(name, match, pattern)) continue;
    const std::int64_t layer = std::stoll(match[1]);
    file.complaint().unless(match[1] == std::to_string(layer), malformed, place(name),
                            fmt::format("layer {} without zeros before it", layer),
                            in_quotes(match[1].str()));
    layers.insert(layer);
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

Sizes sizes_of(const File& file, const std::string& name) {
  const Sizes& shape = file.entry(name).shape;
  if (shape.size() != 4) return shape;
  file.complaint().unless(shape.front() == 1, unsupported, place(name), "one sequence",
                          fmt::format("a batch of {}: shape {}", shape.front(), shape),
                          shape[1] == 1
                              ? "if the batch is the second axis, record tensor[:, 0]; else one "
                                "sequence, tensor[0]"
                              : "record tensor[0], or another one of them; if the first two axes "
                                "are groups of heads, or pages of positions, flatten(0, 1); if the "
                                "middle ones are groups of heads, flatten(1, 2)");
  return {shape.begin() + 1, shape.end()};
}

std::string q_name(const File& file, std::int64_t layer) {
  return is_rotary(file, layer) ? names::rotary_q(layer) : names::q(layer);
}

std::string k_name(const File& file, std::int64_t layer) {
  return is_rotary(file, layer) ? names::rotary_k(layer) : names::k(layer);
}

LayerShape layer_shape(const File& file, std::int64_t layer) {
  const std::string q = q_name(file, layer), k = k_name(file, layer);
  const bool has_queries = file.contains(q) || file.contains(k);
  Recorded of{.square = if_there(file, names::scores(layer), kSquares),
              .q = {},
              .k = {},
              .v = if_there(file, names::v(layer), kRows)};
  LogitSource source = LogitSource::scores;
  const std::optional<Tensor> pattern = if_there(file, names::pattern(layer), kSquares);
  if (of.square) {
    check_two_keys(file, of);
    file.complaint().unless(
        !pattern || pattern->sizes == of.square->sizes, inconsistent, place(names::pattern(layer)),
        fmt::format("shape {} as {} has", of.square->sizes, in_quotes(of.square->name)),
        fmt::format("{}", pattern ? pattern->sizes : Sizes{}));
  } else if (has_queries) {
    source = LogitSource::queries_and_keys;
    of.square = pattern;
    of.q = if_there(file, q, kRows);
    of.k = if_there(file, k, kRows);
    check_both(file, layer, q, k);
  } else if (pattern) {
    source = LogitSource::weights;
    of.square = pattern;
  } else {
    file.complaint().refuse(
        BadInput({.kind = missing,
                  .where = fmt::format("layer {}", layer),
                  .expected = "hook_q and hook_k, hook_attn_scores or hook_pattern",
                  .found = fmt::format("{} alone", in_quotes(names::v(layer))),
                  .advice = "transformers hands out patterns where the model is loaded with "
                            "attn_implementation='eager'"}));
  }
  LayerShape shape = settled(file, layer, of);
  shape.layer = layer;
  shape.source = source;
  return shape;
}

}  // namespace attn::gpt2
