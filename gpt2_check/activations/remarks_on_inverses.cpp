#include <ATen/TensorOperators.h>
#include <ATen/ops/_unique.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/mm.h>

#include <tuple>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

/// A head of as many queries as keys, those that see no key and are not seen aside.
struct InverseOfHead {
  at::Tensor weights, seen;  ///< [query, key]
  at::Tensor inverse;        ///< [key, query]
  double rounded{};          ///< by how much of them the weights may be off
  at::Tensor error;          ///< [key, query]: by how much the inverse may be
};

std::optional<InverseOfHead> inverse_of(const at::Tensor& all, const at::Tensor& all_seen,
                                        const Rounding& rounding) {
  constexpr std::int64_t kFew = 8;
  constexpr double kSteps = 4;
  if (!all_seen.any(1).equal(all_seen.any(0))) return std::nullopt;
  InverseOfHead head{
      seen_part(all, all_seen), seen_part(all_seen, all_seen), {}, kSteps * rounding.relative, {}};
  if (head.seen.size(0) < kFew) return std::nullopt;
  head.inverse = std::get<0>(at::linalg_inv_ex(head.weights));
  const at::Tensor sizes = head.inverse.abs();
  head.error = at::mm(at::mm(sizes, head.weights), sizes) * head.rounded;
  // Singular weights leave none.
  if (!head.error.isfinite().all().item<bool>()) return std::nullopt;
  return head;
}

/// How many rows have the largest weight of a key that another row has it of, where numbers above 0
/// multiply the rows so that every column sums to 1, as a softmax over the queries has had it; 0
/// where there are none. Rows that each have a key of their own have such numbers of any softmax.
std::int64_t rows_over_queries(const InverseOfHead& head) {
  const at::Tensor factors = head.inverse.sum(0);
  const at::Tensor error = head.inverse.abs().sum(0) * head.rounded;  // as the columns sum to 1
  if (factors.le(error).any().item<bool>()) return 0;
  const at::Tensor largest = head.weights.argmax(1);
  return largest.numel() - std::get<0>(at::_unique(largest)).numel();
}

/// How many rows show that the inverse has no number above 0 beside its diagonal, as where weights
/// A stay and go on: of I - cA. Those do that have one near 0 beside the others, and do not have
/// half of their weight on their own key; nothing where it has one.
std::int64_t rows_of_diffusion(const InverseOfHead& head) {
  constexpr std::int64_t kFewKeys = 8;
  constexpr double kNearNone = 0.1;
  const at::Tensor is_other = head.seen.clone().fill_diagonal_(false);
  const at::Tensor others = head.inverse.masked_fill(is_other.logical_not(), 0);
  if (others.gt(head.error).any().item<bool>()) return 0;
  const at::Tensor keys = is_other.sum(1, false, at::kDouble);
  const at::Tensor mean = others.sum(1) / -keys.clamp_min(1);
  const at::Tensor least = (-head.inverse).masked_fill(is_other.logical_not(), kInfinity).amin(1);
  // Weights of distances alone leave no numbers but of neighbours.
  const at::Tensor is_clear = (2 * others.lt(-head.error).sum(1)).ge(keys);
  return keys.ge(kFewKeys)
      .logical_and(least.le(mean * kNearNone))
      .logical_and(is_clear)
      .logical_and(head.weights.diagonal().lt(0.5))
      .sum()
      .item<std::int64_t>();
}

/// Whether of the rows of each head, of as many queries as keys, one in `part` are so, and enough
/// of all heads.
bool are_so(const HeadSquares& weights, const at::Tensor& seen, const Rounding& rounding,
            std::int64_t part, std::int64_t (*rows_of)(const InverseOfHead& head)) {
  constexpr std::int64_t kMostQueries = 256;  // of more it takes long
  constexpr std::int64_t kFewRows = 24;       // of all heads: chance makes fewer
  if (seen.size(1) > kMostQueries || seen.size(1) != seen.size(2)) return false;
  std::int64_t rows = 0;
  for (std::int64_t head = 0; head < weights.heads(); ++head) {
    const auto of_head =
        inverse_of(seen_weights(weights, seen, head), square_of(seen, head), rounding);
    if (!of_head) return false;
    const std::int64_t found = rows_of(*of_head);
    if (part * found < of_head->weights.size(0)) return false;
    rows += found;
  }
  return rows >= kFewRows;
}

}  // namespace

std::optional<std::string> remark_on_queries(const HeadSquares& weights, const at::Tensor& seen,
                                             const Rounding& rounding) {
  constexpr std::int64_t kPart = 8;
  if (!are_so(weights, seen, rounding, kPart, rows_over_queries)) return std::nullopt;
  return kOverQueries;
}

std::optional<std::string> remark_on_diffusion(const HeadSquares& weights, const at::Tensor& seen,
                                               const Rounding& rounding) {
  constexpr std::int64_t kPart = 3;
  if (!are_so(weights, seen, rounding, kPart, rows_of_diffusion)) return std::nullopt;
  return kDiffused;
}

}  // namespace attn::gpt2
