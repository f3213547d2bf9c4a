#pragma once

#include <optional>

#include "reports/document/document.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

// The figures of a report, each empty where there is nothing to draw. `name`: of their files.

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

/// Sharp bounds beside the printed ones, by how much of each the cases of a search use.
MaybeFigure tightness_figure(const Report& report);

/// The histograms of lhs/rhs of a claim, one for each of its records that has ratios.
MaybeFigure ratio_histograms(const std::vector<const ClaimRecord*>& records,
                             const std::string& name);

/// "all tokens" or "without the first token".
std::string tokens_words(bool without_first);

/// "28.2 (15.5 to 34.1)": the mean and the middle half; "-" where there is none. Over windows "28.2
/// (15.5 to 34.1; the mean 27.1 to 29.3)", with the interval of the mean.
std::string spread_text(const MaybeSpread& spread);

}  // namespace attn::report
