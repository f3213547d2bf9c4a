#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "theory/attention/distance.hpp"

namespace attn {

// o = sum_i a_i x_i, which attention puts out.

/// The embedding of all these tokens; null where they have not one.
inline const std::vector<Rational>* shared_embedding(const CaseContext& context,
                                                     const std::vector<std::size_t>& tokens) {
  const auto& x = context.embeddings();
  const auto is_as_first = [&](std::size_t i) { return x[i] == x[tokens.front()]; };
  return std::ranges::all_of(tokens, is_as_first) ? &x[tokens.front()] : nullptr;
}

template <class W>
std::vector<W> weighted_sum(const std::vector<W>& a, const Rows<W>& x) {
  std::vector<W> sum(x.front().size(), W(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += a[i] * x[i][k];
  }
  return sum;
}

/// sum_i a_i (x_i - origin): exactly zero where all x_i are the origin.
template <class S>
std::vector<S> weighted_sum(const std::vector<S>& a, const Rows<Rational>& x,
                            const std::vector<Rational>& origin) {
  std::vector<S> sum(origin.size(), S(0.0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < sum.size(); ++k) {
      sum[k] += a[i] * from<S>(Rational(x[i][k] - origin[k]));
    }
  }
  return sum;
}

/// ||o||^2 where that is known to be rational: bounds that are attained then are so exactly.
inline std::optional<Rational> rational_output_square(const CaseContext& context) {
  if (const auto a = rational_weights(context)) {
    return squared_norm(weighted_sum(*a, context.embeddings()));
  }
  if (!breaks_theorem1(context).empty()) return std::nullopt;
  // Weights of sum 1 put out what all tokens of some weight share.
  const bool sparse = context.normalizer() == Normalizer::entmax;
  const auto* const shared =
      shared_embedding(context, sparse ? context.support().tokens : context.score_order());
  return shared == nullptr ? std::nullopt : std::optional(squared_norm(*shared));
}

/// ||o||.
template <class S>
S output_length(const CaseContext& context) {
  if constexpr (!std::is_same_v<S, ErrorDouble>) {
    if (const auto squared = rational_output_square(context)) {
      return sqrt_nonnegative(from<S>(*squared));
    }
  }
  return sqrt_nonnegative(
      squared_norm(weighted_sum(attention_weights<S>(context), embeddings_of<S>(context))));
}

/// ||x_i||.
template <class S>
S embedding_length(const CaseContext& context, std::size_t i) {
  return sqrt_nonnegative(from<S>(squared_norm(context.embeddings()[i])));
}

/// max_i ||x_i||.
template <class S>
S longest_embedding(const CaseContext& context) {
  Rational longest = 0;
  for (const auto& x : context.embeddings()) longest = std::max(longest, squared_norm(x));
  return sqrt_nonnegative(from<S>(longest));
}

/// max_{i,k} ||x_i - x_k||.
template <class S>
S diameter(const CaseContext& context) {
  return sqrt_nonnegative(from<S>(squared_diameter(context.embeddings())));
}

}  // namespace attn
