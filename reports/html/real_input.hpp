#pragma once

#include <string>

#include "reports/html/figure.hpp"
#include "reports/record/measurements.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

// The parts of the section on real attention, each a piece of HTML that starts with its heading,
// or empty where the report has nothing for it. Those with figures add them to the files.

std::string real_abstract(const Measurements& measured, FigureFiles& files);
std::string real_distance(const Measurements& measured, FigureFiles& files);
std::string real_critical_n(const Measurements& measured, FigureFiles& files);
std::string real_separability(const Measurements& measured, FigureFiles& files);
std::string real_gradient(const Measurements& measured, FigureFiles& files);
std::string real_sink(const Measurements& measured, FigureFiles& files);
std::string real_normalizers(const Measurements& measured, FigureFiles& files);
std::string real_heads(const Measurements& measured, FigureFiles& files);

/// How the text was cut into windows, and which are the worst; no heading and no figure.
std::string real_windows(const Measurements& measured);

/// Where printed bounds fail, and how tight each claim is, head by head.
std::string real_failures(const Measurements& measured, const Report& report, FigureFiles& files);

/// The abstract's statements in a few lines, for the overview of the page. `prefix`: of the anchors
/// that it links to.
std::string abstract_in_short(const Measurements& measured, const std::string& prefix);

/// Before the anchors and figures of the input at that place: nothing for the first.
std::string prefix_of_input(std::size_t index);

}  // namespace attn::report
