#include "gpt2_check/heads/output_terms.hpp"

#include <algorithm>

namespace attn::gpt2 {

/// ||o|| errs by what its square loses, relative, and by what o itself does.
OutputTerms output_terms(const RowWeights& weights, std::span<const double> lengths,
                         std::span<const double> output) {
  const auto width = static_cast<Eigen::Index>(output.size());
  const std::size_t first = weights.order().front();
  OutputTerms terms;
  WeightedSumError error;
  for (std::size_t i = 0; i < weights.tokens(); ++i) {
    const ErrorDouble a = weights.at(i);
    error.add(a, lengths[i]);
    const ErrorDouble contribution = a * euclidean(lengths[i], width);
    if (i == first) {
      terms.of_first = contribution;
    } else {
      terms.of_rest = max(terms.of_rest, contribution);
    }
  }
  const Eigen::Map<const Eigen::RowVectorXd> o(output.data(), width);
  const ErrorDouble length = euclidean(o.norm(), width);
  terms.length = {length.value(), length.error() + error.bound(weights.tokens())};
  terms.longest = euclidean(*std::ranges::max_element(lengths), width);
  return terms;
}

}  // namespace attn::gpt2
