#pragma once

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/rows/head_result.hpp"
#include "reports/record/report.hpp"

namespace attn::gpt2 {

/// Checks and measures every head of a source, the heads of some layers side by side: no more
/// layers are held than give each thread a few heads. The result does not depend on the number of
/// threads. The number of the window and its words are the caller's.
report::WindowResult check_window(ActivationSource& source, const CheckPlan& plan,
                                  const Progress& progress);

/// The report on a source that is no window of a text: its claims and its gpt2 section. The
/// provenance is the caller's.
report::Report check_source(ActivationSource& source, const CheckPlan& plan,
                            const Progress& progress);

}  // namespace attn::gpt2
