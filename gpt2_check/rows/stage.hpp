#pragma once

#include <functional>

#include "gpt2_check/rows/head_check.hpp"
#include "reports/report.hpp"

namespace attn::gpt2 {

/// Told how many of all heads are done.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Checks every head of a source, a layer at a time, on `threads` threads; the result does not
/// depend on their number. Fills the claims and the gpt2 section; the provenance is the caller's.
/// `lengths`: the prefix lengths that the figures against L show.
report::Report check_source(ActivationSource& source, const CheckPlan& plan,
                            const std::vector<std::int64_t>& lengths, unsigned threads,
                            const Progress& progress);

}  // namespace attn::gpt2
