#include "gpt2_check/model/kept_tokens.hpp"

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

/// Numbers >= 0 as integers in the same order; what is no number comes after all others.
template <class Real>
using Rank = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

template <class Real>
Rank<Real> rank_of(Real score) {
  return std::bit_cast<Rank<Real>>(score) & std::numeric_limits<Rank<Real>>::max();
}

/// Sets all but the `count` largest to 0, of equal ones the first; there are more than that. The
/// least one that is kept is found bit by bit: as many reach it as are kept, or more that are
/// equal.
template <class Real>
void keep_largest(const Rank<Real>* ranks, Real* weights, std::size_t size, Rank<Real> count) {
  Rank<Real> least = 0, reach = static_cast<Rank<Real>>(size);
  for (int bit = std::numeric_limits<Rank<Real>>::digits; bit-- > 0 && reach != count;) {
    const Rank<Real> tried = least | (Rank<Real>{1} << bit);
    Rank<Real> reach_it = 0;
    for (std::size_t i = 0; i < size; ++i) reach_it += ranks[i] >= tried ? 1 : 0;
    if (reach_it >= count) least = tried, reach = reach_it;
  }
  for (std::size_t i = 0; i < size; ++i) weights[i] = ranks[i] >= least ? weights[i] : 0;
  for (std::size_t i = size; reach > count;) {
    if (ranks[--i] != least) continue;
    weights[i] = 0;
    --reach;
  }
}

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH void keep_first(const std::int32_t* ranks, float* weights,
                                                        std::size_t size, std::int32_t count) {
  keep_largest(ranks, weights, size, count);
}

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH void keep_first(const std::int64_t* ranks, double* weights,
                                                        std::size_t size, std::int64_t count) {
  keep_largest(ranks, weights, size, count);
}

template <class Real>
void renormalize(std::span<Real> weights) {
  const auto sum = static_cast<Real>(std::reduce(weights.begin(), weights.end(), 0.0));
  if (sum == 0) return;  // where the kept ones weigh nothing, nothing is left
  for (Real& weight : weights) weight /= sum;
}

/// What the tokens of one query are ranked by. `importance`: as `keep` reads it.
template <class Real>
void rank(Ranking ranking, std::span<const Real> weights, const Real* importance,
          std::vector<Rank<Real>>& ranks) {
  ranks.resize(weights.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    switch (ranking) {
      case Ranking::weight:
        ranks[i] = rank_of(weights[i]);
        break;
      case Ranking::contribution:
        ranks[i] = rank_of(weights[i] * importance[i]);
        break;
      case Ranking::random:
        ranks[i] = rank_of(importance[i]);
        break;
    }
  }
}

template <class Real>
void keep_rows(const KeptTokens& kept, const at::Tensor& weights, std::int64_t start,
               const Real* importance) {
  std::vector<Rank<Real>> ranks;
  for (std::int64_t row = 0; row < weights.size(0); ++row) {
    const std::int64_t sees = start + row + 1;
    if (sees <= kept.count) continue;
    const std::span seen(weights.data_ptr<Real>() + row * weights.stride(0),
                         static_cast<std::size_t>(sees));
    rank<Real>(kept.ranking, seen, importance, ranks);
    keep_first(ranks.data(), seen.data(), seen.size(), static_cast<Rank<Real>>(kept.count));
    if (kept.renormalized) renormalize(seen);
  }
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

void keep(const KeptTokens& kept, const at::Tensor& weights, std::int64_t start,
          const at::Tensor& importance) {
  AT_DISPATCH_FLOATING_TYPES(weights.scalar_type(), "keep", [&] {
    keep_rows<scalar_t>(kept, weights, start,
                        importance.defined() ? importance.data_ptr<scalar_t>() : nullptr);
  });
}

}  // namespace attn::gpt2
