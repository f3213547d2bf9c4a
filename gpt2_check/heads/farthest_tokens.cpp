#include "gpt2_check/heads/farthest_tokens.hpp"

#include <algorithm>
#include <cmath>

#include "gpt2_check/heads/arrays.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

constexpr Eigen::Index kTokens = 32;  // that are compared at once

/// ||u - v||^2, which rounding may make negative: infinity where a term has overflowed.
inline double expanded(double square, double other_square, double product) {
  const double distance = square + other_square - 2 * product;
  const double positive = distance > 0 ? distance : 0;
  return std::abs(distance) < kInfinity ? positive : kInfinity;
}

/// ||u - v||^2 of one u and many v, which rounding may make negative: 0 then, and infinity where a
/// term has overflowed.
ATTN_EACH_VECTOR_WIDTH void expand(double square, const double* other_squares,
                                   const double* products, Eigen::Index count, double* distances) {
  for (Eigen::Index i = 0; i < count; ++i) {
    distances[i] = expanded(square, other_squares[i], products[i]);
  }
}

}  // namespace

FarthestTokens::FarthestTokens(const Geometry& geometry)
    : geometry_(&geometry),
      others_(static_cast<std::size_t>(geometry.x.rows())),
      least_(others_.size(), -1.0),
      distances_(others_.size()),
      selected_(others_.size(), 0) {}

void FarthestTokens::see(Eigen::Index first, Eigen::Index end) {
  first_ = first;
  end_ = std::max(end_, first);  // what no row saw will be asked for by none
  for (; end_ < end; ++end_) compare(end_);
}

/// Compares a token with all seen tokens before it.
void FarthestTokens::compare(Eigen::Index token) {
  if (token >= block_ + products_.rows()) {
    block_ = token;
    from_ = first_;
    const Eigen::Index count = std::min(kTokens, geometry_->x.rows() - token);
    products_.resize(count, token + count - from_);
    times_transposed(geometry_->x.middleRows(token, count),
                     geometry_->x.middleRows(from_, products_.cols()), products_);
  }
  const double* const product = products_.row(token - block_).data() + (first_ - from_);
  const double* const squares = geometry_->squares.data();
  expand(squares[token], squares + first_, product, token - first_, distances_.data() + first_);
  const auto at = static_cast<std::size_t>(token);
  for (Eigen::Index i = first_; i < token; ++i) {
    const double square = distances_[static_cast<std::size_t>(i)];
    if (square > least_[at]) keep(token, i, square);
    if (square > least_[static_cast<std::size_t>(i)]) keep(i, token, square);
  }
}

void FarthestTokens::keep(Eigen::Index of, Eigen::Index token, double square) {
  const auto at = static_cast<std::size_t>(of);
  Others& kept = others_[at];
  if (kept.count < kKept) ++kept.count;
  std::size_t k = kept.count - 1;
  for (; k > 0 && kept.squares[k - 1] < square; --k) {
    kept.squares[k] = kept.squares[k - 1];
    kept.tokens[k] = kept.tokens[k - 1];
  }
  kept.squares[k] = square;
  kept.tokens[k] = token;
  if (kept.count == kKept) least_[at] = kept.squares.back();
}

double FarthestTokens::largest_square(std::span<const std::size_t> selected) {
  const auto token = [&](std::size_t j) { return first_ + static_cast<Eigen::Index>(j); };
  for (const std::size_t j : selected) selected_[static_cast<std::size_t>(token(j))] = 1;
  double largest = 0;
  for (const std::size_t j : selected) largest = std::max(largest, kept_outside(token(j)));
  // What a token has not kept is no farther from it than what it has; one with room, whose least is
  // negative, has kept all.
  for (const std::size_t j : selected) {
    const bool may_be_farther = least_[static_cast<std::size_t>(token(j))] > largest;
    if (may_be_farther) largest = std::max(largest, computed_outside(token(j)));
  }
  for (const std::size_t j : selected) selected_[static_cast<std::size_t>(token(j))] = 0;
  return largest;
}

/// The square from a token to the farthest token outside that it keeps; 0 where it keeps none
/// outside.
double FarthestTokens::kept_outside(Eigen::Index token) const {
  const Others& kept = others_[static_cast<std::size_t>(token)];
  for (std::size_t k = 0; k < kept.count; ++k) {
    const Eigen::Index other = kept.tokens[k];
    if (other >= first_ && selected_[static_cast<std::size_t>(other)] == 0) return kept.squares[k];
  }
  return 0;
}

double FarthestTokens::computed_outside(Eigen::Index token) const {
  const Geometry& g = *geometry_;
  double largest = 0;
  for (Eigen::Index i = first_; i < end_; ++i) {
    if (selected_[static_cast<std::size_t>(i)] != 0) continue;
    const double product = g.x.row(token).dot(g.x.row(i));
    largest = std::max(largest, expanded(g.squares(token), g.squares(i), product));
  }
  return largest;
}

}  // namespace attn::gpt2
