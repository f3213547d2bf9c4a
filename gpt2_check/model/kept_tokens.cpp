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

/// What the tokens are ranked by, [.., query, key]: of a key that the query does not see no more
/// than of any that it sees.
at::Tensor scores_of(const KeptTokens& kept, const at::Tensor& weights, const at::Tensor& sees,
                     const at::Tensor& importance) {
  switch (kept.ranking) {
    case Ranking::weight:
      return weights;
    case Ranking::contribution:
      return weights * importance.unsqueeze(-2);
    case Ranking::random:
      return at::where(sees, importance.unsqueeze(-2), -1.0);
  }
  return {};
}

/// The `count` largest of each row, of equal ones the first.
at::Tensor largest(const at::Tensor& scores, std::int64_t count) {
  const at::Tensor least =
      std::get<0>(at::topk(scores, count, -1, /*largest=*/true, /*sorted=*/false))
          .amin(-1, /*keepdim=*/true);
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
  const std::int64_t keys = weights.size(-1);
  if (kept.count >= keys) return weights;
  const at::TensorOptions indices = weights.options().dtype(at::kLong);
  const at::Tensor query = at::arange(start, start + weights.size(-2), indices).unsqueeze(-1);
  const at::Tensor sees = at::arange(keys, indices) <= query;
  at::Tensor left = weights * largest(scores_of(kept, weights, sees, importance), kept.count);
  if (kept.renormalized) {
    const at::Tensor sum = left.sum(-1, /*keepdim=*/true);
    left =
        left / at::where(sum > 0, sum, 1.0);  // where the kept ones weigh nothing, nothing is left
  }
  return at::where(query < kept.count, weights, left);
}

}  // namespace attn::gpt2
