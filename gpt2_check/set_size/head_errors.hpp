#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/heads/head.hpp"
#include "reports/record/set_size.hpp"

namespace attn::gpt2 {

/// What keeping the N largest weights does to the output o of the last row of a head, of L tokens,
/// for each N of `counts`, which ascend, 1 <= N < L. Errors and bounds are in units of ||o||;
/// nothing where that is 0.
std::vector<report::SetSizeError> head_errors(const Head& head,
                                              std::span<const std::int64_t> counts);

/// Their means over the heads of a source; heads whose output is 0 are left out.
std::vector<report::SetSizeError> mean_head_errors(ActivationSource& source,
                                                   std::span<const std::int64_t> counts);

}  // namespace attn::gpt2
