#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// Rows [position, head, d] before and after a rotation, float64, of positions that are finite.
struct Turned {
  at::Tensor before, after;
};

/// How the numbers of d_head go together in pairs that are turned.
enum class Pairs { halves, neighbours };

/// ln of the lengths of the pairs of a head [position, d], less what is alike of a position, as a
/// norm makes it, and of a pair, as weights make it.
at::Tensor own_lengths(const at::Tensor& of_head, Pairs pairs) {
  constexpr double kLeast = 1e-150;  // whose square is a number
  const std::int64_t positions = of_head.size(0), half = of_head.size(1) / 2;
  const at::Tensor numbers = pairs == Pairs::halves ? of_head.reshape({positions, 2, half})
                                                    : of_head.reshape({positions, half, 2});
  const at::Tensor lengths =
      at::linalg_vector_norm(numbers, 2, {pairs == Pairs::halves ? 1 : 2}).clamp_min(kLeast).log();
  return lengths - lengths.mean(0, true) - lengths.mean(1, true) + lengths.mean();
}

/// Whether the lengths of a head's rows [position, d] are those before, up to one factor, and tell
/// something: a norm makes them one.
bool are_as_long(const at::Tensor& before, const at::Tensor& after) {
  constexpr double kNear = 0.02, kVaries = 1.1;  // bfloat16 rounds to less
  const at::Tensor lengths = before.norm(2, 1), of_after = after.norm(2, 1);
  if (lengths.max().le(lengths.min() * kVaries).item<bool>()) return false;
  const at::Tensor factor = of_after.sum() / lengths.sum();
  return (of_after - lengths * factor).abs().le(lengths * factor * kNear).all().item<bool>();
}

/// The largest correlation of the lengths of pairs before and after, of any way to pair; 1 where
/// they are all alike.
double correlation_of_pairs(const at::Tensor& before, const at::Tensor& after) {
  double most = 0;
  for (const Pairs of_before : {Pairs::halves, Pairs::neighbours}) {
    for (const Pairs of_after : {Pairs::halves, Pairs::neighbours}) {
      const at::Tensor a = own_lengths(before, of_before), b = own_lengths(after, of_after);
      const double found = ((a * b).sum() / (a.norm() * b.norm())).item<double>();
      if (!std::isfinite(found)) return 1;
      most = std::max(most, found);
    }
  }
  return most;
}

/// Whether half of the heads are no rotation of what they were, nor of what a norm and weights make
/// of that.
bool are_unlike(const Turned& rows) {
  constexpr double kLittle = 0.3;
  std::vector<double> found;
  for (std::int64_t head = 0; head < rows.before.size(1); ++head) {
    const at::Tensor before = rows.before.select(1, head), after = rows.after.select(1, head);
    found.push_back(are_as_long(before, after) ? 1 : correlation_of_pairs(before, after));
  }
  std::ranges::sort(found);
  return found[found.size() / 2] < kLittle;
}

/// The rows of two tensors; none where their sizes differ.
Turned rows_of(const File& file, const std::string& plain, const std::string& rotated) {
  const auto read = [&](const std::string& name) {
    return file.read(name).to(at::kDouble).reshape(sizes_of(file, name));
  };
  if (file.entry(plain).shape != file.entry(rotated).shape) return {};
  const at::Tensor before = read(plain), after = read(rotated);
  if (before.dim() != 3) return {};
  const auto are_finite = [](const at::Tensor& of) { return of.isfinite().all(2).all(1); };
  const at::Tensor kept = are_finite(before).logical_and(are_finite(after)).nonzero().flatten();
  return {before.index_select(0, kept), after.index_select(0, kept)};
}

}  // namespace

std::optional<std::string> remark_on_rotation(const File& file, const LayerShape& layer) {
  constexpr std::int64_t kFewPositions = 8, kFewNumbers = 4;
  std::vector<const char*> unlike, unchanged, changed;
  for (const auto& [plain, rotated, words] :
       {std::tuple{names::q, names::rotary_q, "queries"}, {names::k, names::rotary_k, "keys"}}) {
    const std::string before = plain(layer.layer), after = rotated(layer.layer);
    if (!file.contains(before) || !file.contains(after)) continue;
    const Turned rows = rows_of(file, before, after);
    const bool is_enough = rows.before.defined() && rows.before.size(0) >= kFewPositions &&
                           rows.before.size(2) >= kFewNumbers && rows.before.size(2) % 2 == 0;
    if (!is_enough) continue;
    (rows.before.equal(rows.after) ? unchanged : changed).push_back(words);
    if (are_unlike(rows)) unlike.push_back(words);
  }
  if (unchanged.size() == 1 && changed.size() == 1) {
    return fmt::format(kNotRotated, unchanged.front(), changed.front());
  }
  if (unlike.empty()) return std::nullopt;
  return fmt::format(kUnlikeRotated, fmt::join(unlike, " and "));
}

}  // namespace attn::gpt2
