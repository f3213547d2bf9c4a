#pragma once

#include "gpt2_check/rows/window_check.hpp"
#include "reports/windows/fold.hpp"

namespace attn::gpt2 {

/// The report on a source that is no window of a text: its claims and its gpt2 section.
inline report::Report check_source(ActivationSource& source, const CheckSettings& settings) {
  report::WindowFold fold(settings.measures.seed);
  fold.add(check_window(source, settings, [](std::int64_t, std::int64_t) {}));
  return fold.report();
}

}  // namespace attn::gpt2
