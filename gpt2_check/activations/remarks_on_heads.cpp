#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {
namespace {

/// [position], booleans: where each head has the numbers of the one so many heads on, in rows
/// [position, head, d], and several that are not 0: chance makes others alike.
at::Tensor shared_positions(const at::Tensor& rows, std::int64_t apart) {
  const at::Tensor first = rows.slice(1, 0, rows.size(1) - apart);
  return first.eq(rows.slice(1, apart)).all(2).all(1).logical_and(rows.ne(0).sum(2).gt(1).all(1));
}

/// A position where heads share their numbers, and how many heads lie between.
struct SharedRow {
  std::int64_t position{}, apart{};
};

/// The first position at which half of the heads, or another part of them, has the numbers of the
/// next part; nothing where that is so at all positions, as of heads that were expanded.
std::optional<SharedRow> shared_row(const at::Tensor& rows) {
  const std::int64_t heads = rows.size(1);
  for (std::int64_t apart = heads / 2; apart >= 1; --apart) {
    if (heads % apart != 0) continue;
    const at::Tensor shared = shared_positions(rows, apart);
    if (shared.all().item<bool>()) return std::nullopt;
    if (shared.any().item<bool>()) {
      return SharedRow{shared.to(at::kByte).argmax().item<std::int64_t>(), apart};
    }
  }
  return std::nullopt;
}

/// [head, head], booleans: which heads of rows [position, head, d] have the same numbers.
at::Tensor same_heads(const at::Tensor& rows) {
  at::Tensor same = rows[0].unsqueeze(0).eq(rows[0].unsqueeze(1)).all(2);
  const at::Tensor pairs = same.nonzero();
  for (std::int64_t i = 0; i < pairs.size(0); ++i) {
    const auto a = pairs[i][0].item<std::int64_t>(), b = pairs[i][1].item<std::int64_t>();
    same[a][b] = rows.select(1, a).equal(rows.select(1, b));
  }
  return same;
}

/// Whether heads of keys are the same where those of values are not, and the other way round.
bool have_other_groups(const at::Tensor& keys, const at::Tensor& values) {
  if (keys.size(1) != values.size(1)) return false;
  const at::Tensor of_keys = same_heads(keys), of_values = same_heads(values);
  return of_keys.gt(of_values).any().item<bool>() && of_values.gt(of_keys).any().item<bool>();
}

}  // namespace

std::vector<std::string> remarks_on_heads(const safetensors::File& file, const LayerShape& layer) {
  std::vector<std::string> remarks;
  const auto add = [&](const char* words, const std::string& name) {
    const at::Tensor rows = file.read(name).reshape(sizes_of(file, name));
    if (const auto found = shared_row(rows)) {
      remarks.push_back(fmt::format(kSharedRow, words, found->apart, found->position));
    }
    return rows;
  };
  at::Tensor keys, values;
  if (layer.has_queries()) keys = add("keys", k_name(file, layer.layer));
  if (layer.has_values()) values = add("values", names::v(layer.layer));
  if (keys.defined() && values.defined() && have_other_groups(keys, values)) {
    remarks.emplace_back(kOtherGroups);
  }
  return remarks;
}

std::optional<std::string> remark_on_square(const LayerShape& layer, bool has_pattern,
                                            bool sees_all) {
  // Where there are more heads of queries, their sizes tell.
  const std::int64_t heads = layer.has_queries() ? layer.heads : layer.key_heads;
  const bool is_square = layer.queries == layer.keys && heads == layer.keys && heads > 1;
  const bool are_rows_open = (layer.has_queries() && !has_pattern) || layer.has_values();
  const bool are_squares_open = !layer.has_queries() && sees_all;
  if (!is_square || !(are_rows_open || are_squares_open)) return std::nullopt;
  const char* const both = are_rows_open && are_squares_open ? " and " : "";
  return fmt::format(kSquare, layer.keys, are_rows_open ? "[position, head, d_head]" : "", both,
                     are_squares_open ? "[head, query, key]" : "");
}

}  // namespace attn::gpt2
