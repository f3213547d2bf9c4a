#pragma once

#include <span>

#include "gpt2_check/heads/geometry.hpp"
#include "gpt2_check/heads/row_weights.hpp"

namespace attn::gpt2 {

/// What attention puts out of a row, o = sum_i a_i x_i, and what its tokens contribute, as
/// enclosures. (1) is the first token of the order of the weights.
struct OutputTerms {
  ErrorDouble length;    ///< ||o||
  ErrorDouble longest;   ///< max_i ||x_i||
  ErrorDouble of_first;  ///< a_(1) ||x_(1)||
  ErrorDouble of_rest;   ///< the largest a_i ||x_i|| of the other tokens
};

/// `lengths`: ||x_i|| of the row's tokens. `output`: o. Both as computed.
OutputTerms output_terms(const RowWeights& weights, std::span<const double> lengths,
                         std::span<const double> output);

}  // namespace attn::gpt2
