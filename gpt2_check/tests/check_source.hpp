#pragma once

#include "gpt2_check/rows/stage.hpp"
#include "reports/windows/fold.hpp"

namespace attn::gpt2 {

/// The report on a source that is no window of a text: its claims and its gpt2 section.
inline report::Report check_source(ActivationSource& source, const CheckPlan& plan) {
  report::WindowFold fold(plan.measures.seed);
  fold.add(check_window(source, plan, [](std::int64_t, std::int64_t) {}));
  return fold.report();
}

}  // namespace attn::gpt2
