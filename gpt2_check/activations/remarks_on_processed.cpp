#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

/// Rows that chance does not make.
constexpr std::int64_t kFewRows = 8;

/// By how much more than a number is rounded by one is off that was computed from a few.
constexpr double kSteps = 4;

/// [key - 1], booleans: before which keys but the first all rows of a head that see keys on both
/// sides have one share of their weight, in no proportion to the number of keys, though they
/// differ by `clear` times more than these shares do.
at::Tensor cuts_of_one_share(const at::Tensor& of_head, const at::Tensor& seen, double rounded,
                             double clear) {
  constexpr double kLeast = 0.02;
  const std::int64_t cuts = of_head.size(1) - 1, pairs = of_head.size(0) - 1;
  const at::Tensor sums = of_head.sum(-1, true), shares = of_head / sums;
  const at::Tensor before = shares.cumsum(-1).slice(1, 0, cuts);  // [query, cut]
  const at::Tensor keys = seen.cumsum(-1, at::kDouble);
  const at::Tensor level = keys.slice(1, 0, cuts) / keys.slice(1, cuts);
  const at::Tensor is_none = level.gt(0).logical_and(level.lt(1)).logical_not();
  const at::Tensor least = before.masked_fill(is_none, 1).amin(0);
  const at::Tensor most = before.masked_fill(is_none, 0).amax(0), error = most * (2 * rounded);
  const at::Tensor is_one = (most - least).le(error).logical_and(least.ge(kLeast));
  const at::Tensor are_enough = is_none.logical_not().sum(0).ge(kFewRows);
  // As of a text that repeats.
  const at::Tensor is_level = (before - level).abs().le(error).logical_or(is_none).all(0);
  const auto change = [&](const at::Tensor& of) { return of.slice(0, 1) - of.slice(0, 0, pairs); };
  const at::Tensor no_pair = is_none.slice(0, 1).logical_or(is_none.slice(0, 0, pairs));
  const at::Tensor off = change(before).masked_fill(no_pair, 0).square().sum(0);
  const at::Tensor part = level.slice(0, 1), moved = change(shares).square().sum(-1, true);
  const at::Tensor by_chance = (part * (1 - part) * moved).masked_fill(no_pair, 0).sum(0);
  return is_one.logical_and(most.le(1 - kLeast))
      .logical_and(are_enough)
      .logical_and(is_level.logical_not())
      .logical_and((off * clear * clear).lt(by_chance));
}

/// [query, key], booleans: where the least weight of a row of a head stands, which is above 0 and
/// comes several times, and no other does; of rows that see enough keys.
at::Tensor floors_of(const at::Tensor& of_head, const at::Tensor& seen,
                     const at::Tensor& has_keys) {
  constexpr std::int64_t kSeveral = 3, kFewOthers = 2;
  const at::Tensor all = of_head.masked_fill(seen.logical_not(), kInfinity);
  const at::Tensor least = all.amin(-1, true);
  at::Tensor is_floor = all.eq(least).logical_and(has_keys);
  const at::Tensor times = is_floor.sum(-1), others = seen.sum(-1) - times;
  const at::Tensor may_be =
      least.squeeze(1).gt(0).logical_and(times.ge(kSeveral)).logical_and(others.ge(kFewOthers));
  const at::Tensor rows = may_be.nonzero().flatten();  // few, as it takes long
  const at::Tensor sorted = std::get<0>(at::sort(all.index_select(0, rows)));
  const at::Tensor larger = sorted.slice(1, 1);
  const at::Tensor is_again = larger.eq(sorted.slice(1, 0, -1)).logical_and(larger.ne(kInfinity));
  const at::Tensor is_alone = is_again.sum(-1).eq(times.index_select(0, rows) - 1);
  const at::Tensor has_floor =
      at::zeros_like(may_be).index_put_({rows.masked_select(is_alone)}, at::ones({}, at::kBool));
  return is_floor.logical_and_(has_floor.unsqueeze(1));
}

/// Whether the weights of a head are those of keys for queries too, in rows that are not level.
bool is_symmetric(const at::Tensor& of_head, const Rounding& rounding) {
  const at::Tensor larger = at::maximum(of_head, of_head.t());
  const at::Tensor error = larger * (kSteps * rounding.relative) + 2 * rounding.least;
  if ((of_head - of_head.t()).abs().gt(error).any().item<bool>()) return false;
  const at::Tensor of_others = of_head.clone().fill_diagonal_(0);
  const at::Tensor most = of_others.amax(-1);
  const at::Tensor least = of_others.masked_fill(of_others.le(0), kInfinity).amin(-1);
  const at::Tensor is_uneven = most.gt(least * (1 + kSteps * kSteps * rounding.relative));
  return is_uneven.sum().item<std::int64_t>() >= kFewRows;
}

/// Whether each row of a head, those of zeros aside, may be the mean of all rows up to it of other
/// weights, and these are not what the row before has.
bool are_running_means(const at::Tensor& of_head, const Rounding& rounding) {
  constexpr double kUneven = 0.5;  // rows that are nearly alike have less
  const at::Tensor rows = of_head.index_select(0, of_head.sum(-1).gt(0).nonzero().flatten());
  const std::int64_t count = rows.size(0);
  if (count < kFewRows) return false;
  const at::Tensor number = at::arange(1, count).unsqueeze(1);
  const at::Tensor last = rows.slice(0, 0, count - 1) * number;  // the sums of all rows
  const at::Tensor now = rows.slice(0, 1) * (number + 1), added = now - last;
  const at::Tensor error =
      (now + last) * (kSteps * rounding.relative) + (2 * number + 1) * rounding.least;
  if (added.lt(-error).any().item<bool>()) return false;
  const at::Tensor is_new = last.le(0);
  const at::Tensor known = added.masked_fill(is_new.logical_or(added.le(error)), 0);
  const at::Tensor alike = last * (known.sum(-1, true) / last.sum(-1, true));
  const double uneven = (known - alike).abs().sum().item<double>();
  return 2 * known.gt(0).any(-1).sum().item<std::int64_t>() >= count &&
         uneven >= kUneven * known.sum().item<double>();
}

/// Whether `is_so` of the weights of every head, of as many queries as keys.
bool in_all_heads(const HeadSquares& weights, const at::Tensor& seen, const Rounding& rounding,
                  bool (*is_so)(const at::Tensor& of_head, const Rounding& rounding)) {
  if (seen.size(1) != seen.size(2)) return false;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    if (!is_so(seen_weights(weights, seen, head), rounding)) return false;
  }
  return true;
}

}  // namespace

double clear_of_heads(std::int64_t heads) {
  // By chance one head may have one share of some keys, and all of them do hardly.
  constexpr double kClear = 20, kClearOfAll = 1e5;
  return std::max(kClear, std::pow(kClearOfAll, 1 / static_cast<double>(heads)));
}

std::optional<std::string> remark_on_shares(const HeadSquares& weights, const at::Tensor& seen,
                                            const Rounding& rounding) {
  const double clear = clear_of_heads(weights.heads());
  at::Tensor are_cuts;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor of_head =
        cuts_of_one_share(seen_weights(weights, seen, head), square_of(seen, head),
                          kSteps * rounding.relative, clear);
    are_cuts = are_cuts.defined() ? are_cuts.logical_and(of_head) : of_head;
    if (!are_cuts.any().item<bool>()) return std::nullopt;
  }
  const auto keys = are_cuts.to(at::kByte).argmax().item<std::int64_t>() + 1;
  return fmt::format(kOneShare, keys, keys == 1 ? "" : "s");
}

std::optional<std::string> remark_on_floor(const HeadSquares& weights, const at::Tensor& seen,
                                           const Rounding& rounding) {
  constexpr std::int64_t kFewKeys = 8, kFewPlaces = 8;
  // Numbers of 16 bits are alike by chance.
  if (rounding.relative > rounding_of(at::kFloat).relative) return std::nullopt;
  std::int64_t rows = 0, rows_of_floors = 0;
  at::Tensor floors = at::zeros({seen.size(1), seen.size(2)}, at::kInt), others = floors.clone();
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const at::Tensor is_seen = square_of(seen, head);
    const at::Tensor has_keys = is_seen.sum(-1, true).ge(kFewKeys);
    const at::Tensor is_floor = floors_of(seen_weights(weights, seen, head), is_seen, has_keys);
    const at::Tensor has_floor = is_floor.any(-1, true);
    rows += has_keys.sum().item<std::int64_t>();
    const auto found = has_floor.sum().item<std::int64_t>();
    if (found == 0) continue;
    rows_of_floors += found;
    floors += is_floor;
    others += is_floor.logical_not().logical_and_(has_floor).logical_and_(is_seen);
  }
  if (rows < kFewRows || 2 * rows_of_floors <= rows) return std::nullopt;
  // Keys that are alike, or that a mask has left, have it in all heads that they are least of.
  if (at::minimum(floors, others).sum().item<std::int64_t>() < kFewPlaces) return std::nullopt;
  return kFloor;
}

std::optional<std::string> remark_on_symmetry(const HeadSquares& weights, const at::Tensor& seen,
                                              const Rounding& rounding) {
  return in_all_heads(weights, seen, rounding, is_symmetric)
             ? std::optional<std::string>(kSymmetric)
             : std::nullopt;
}

std::optional<std::string> remark_on_means(const HeadSquares& weights, const at::Tensor& seen,
                                           const Rounding& rounding) {
  return in_all_heads(weights, seen, rounding, are_running_means)
             ? std::optional<std::string>(kRunningMeans)
             : std::nullopt;
}

}  // namespace attn::gpt2
