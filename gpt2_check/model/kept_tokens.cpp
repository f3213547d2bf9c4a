#include "gpt2_check/model/kept_tokens.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>

namespace attn::gpt2 {
namespace {

/// What the tokens are ranked by, [.., query, key], for the queries `first`, first + 1, ...: of a
/// key that the query does not see no more than of any that it sees.
at::Tensor scores_of(const KeptTokens& kept, const at::Tensor& weights, std::int64_t first,
                     const at::Tensor& importance) {
  switch (kept.ranking) {
    case Ranking::weight:
      return weights;
    case Ranking::contribution:
      return weights * importance.unsqueeze(-2);
    case Ranking::random:
      break;
  }
  const at::TensorOptions indices = weights.options().dtype(at::kLong);
  const at::Tensor query = at::arange(first, first + weights.size(-2), indices).unsqueeze(-1);
  const at::Tensor sees = at::arange(weights.size(-1), indices) <= query;
  return at::where(sees, importance.unsqueeze(-2), -1.0);
}

/// The `count` largest of each row, of equal ones the first.
at::Tensor largest(const at::Tensor& scores, std::int64_t count) {
  const at::Tensor least =
      std::get<0>(at::topk(scores, count, -1, /*largest=*/true, /*sorted=*/false))
          .amin(-1, /*keepdim=*/true);
  at::Tensor reach = scores >= least;
  if (reach.sum().item<std::int64_t>() == count * least.numel()) return reach;  // no ties
  const at::Tensor above = scores > least;
  const at::Tensor equal = scores == least;
  const at::Tensor room = count - above.sum(-1, /*keepdim=*/true);
  return above | (equal & (equal.cumsum(-1) <= room));
}

}  // namespace

at::Tensor random_orders(std::uint64_t seed, std::int64_t layer, std::int64_t heads,
                         std::int64_t tokens, const at::TensorOptions& options) {
  at::Tensor orders = at::empty({heads, tokens}, at::kDouble);
  for (std::int64_t head = 0; head < heads; ++head) {
    std::seed_seq from{seed >> 32U, seed & 0xffffffffU, static_cast<std::uint64_t>(layer),
                       static_cast<std::uint64_t>(head)};
    std::mt19937 random(from);
    const std::span<double> order(orders[head].data_ptr<double>(),
                                  static_cast<std::size_t>(tokens));
    std::iota(order.begin(), order.end(), 0.0);
    std::ranges::shuffle(order, random);
  }
  return orders.to(options);
}

at::Tensor keep(const KeptTokens& kept, const at::Tensor& weights, std::int64_t start,
                const at::Tensor& importance) {
  // So many queries see N tokens or fewer.
  const std::int64_t whole = std::clamp<std::int64_t>(kept.count - start, 0, weights.size(-2));
  if (whole == weights.size(-2)) return weights;
  at::Tensor result = weights.clone();
  const at::Tensor left = result.slice(-2, whole);
  left.mul_(largest(scores_of(kept, left, start + whole, importance), kept.count));
  if (kept.renormalized) {
    const at::Tensor sum = left.sum(-1, /*keepdim=*/true);
    left.div_(at::where(sum > 0, sum, 1.0));  // where the kept ones weigh nothing, nothing is left
  }
  return result;
}

}  // namespace attn::gpt2
