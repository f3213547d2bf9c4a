#pragma once

#include <span>
#include <vector>

#include "gpt2_check/experiments/head_measures.hpp"

namespace attn::gpt2 {

// What is measured of a head as a list of numbers, for whoever goes on with it in another process.

/// Lists by their lengths and their elements, in the order of the fields.
std::vector<double> numbers_of(const HeadMeasures& measures);

/// The measures of these numbers. Throws BadInput for a list that is none of numbers_of().
HeadMeasures measures_from(std::span<const double> numbers);

}  // namespace attn::gpt2
