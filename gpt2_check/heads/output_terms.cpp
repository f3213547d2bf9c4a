#include <algorithm>

#include "gpt2_check/heads/set_terms.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/sums.hpp"

namespace attn::gpt2 {

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH double output_error(const RowWeights& weights,
                                                            const double* lengths) {
  WeightedSumError error;
  const auto weight = [&](std::size_t i) { return weights.at(i); };
  error.add_all(weights.tokens(), weight, lengths);
  return error.bound(weights.tokens());
}

/// ||o|| errs by what its square loses, relative, and by what o itself does.
[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH OutputTerms output_terms(const RowWeights& weights,
                                                                 std::span<const double> lengths,
                                                                 const ComputedSum& output) {
  const Eigen::Index width = output.value.size();
  const std::size_t first = weights.order().front();
  const auto contribution = [&](std::size_t i) {
    return weights.at(i) * euclidean(lengths[i], width);
  };
  const ErrorDouble own = euclidean(output.value.norm(), width);
  const ErrorDouble length{own.value(), own.error() + output.error};
  const auto squares = sum_of<ErrorDouble>(weights.tokens(), [&](std::size_t i) {
    return weights.at(i) * square(euclidean(lengths[i], width));
  });
  return {.length = length,
          .longest = euclidean(*std::ranges::max_element(lengths), width),
          .of_first = contribution(first),
          .of_rest = max_of<ErrorDouble>(
              weights.tokens(),
              [&](std::size_t i) { return i == first ? ErrorDouble(0, 0) : contribution(i); }),
          .variance = squares - square(length)};
}

}  // namespace attn::gpt2
