#pragma once

#include <optional>

#include "reports/document/document.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

// The figures of what was measured, each empty where there is nothing to draw. `name`: of their
// files.

using MaybeFigure = std::optional<Figure>;

/// Whether a figure shows what all tokens give alone, or beside it what is left where nothing can
/// be read from the first token.
enum class Tokens { all, both };

MaybeFigure distance_by_length(const Measurements& measured, const std::string& name,
                               Tokens tokens);
MaybeFigure distance_by_n(const Measurements& measured, const std::string& name);
MaybeFigure critical_n_figure(const Measurements& measured, const std::string& name);
MaybeFigure separability_figure(const Measurements& measured, const std::string& name,
                                Tokens tokens);
MaybeFigure gradient_figure(const Measurements& measured, const std::string& name, Tokens tokens);
MaybeFigure step_figure(const Measurements& measured, const std::string& name);
MaybeFigure sink_figure(const Measurements& measured, const std::string& name);

/// "all tokens" or "without the first token".
std::string tokens_words(bool without_first);

}  // namespace attn::report
