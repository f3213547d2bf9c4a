#include <fmt/format.h>

#include "reports/html/figure.hpp"
#include "reports/html/real_input.hpp"
#include "reports/html/sections.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "reports/text/windows.hpp"

namespace attn::report {
namespace {

/// What the numbers over several windows are.
std::string meanings(const WindowsRecord& windows) {
  return fmt::format(
      "Where numbers are over the heads, these are the heads of all windows; quartiles and medians "
      "are right to {} of themselves. An upright bar of a figure reaches from the least to the "
      "largest mean of a window. The interval of a mean is its {} interval from {} replicates of a "
      "bootstrap that draws windows and heads anew: how far the mean moves with the choice of "
      "both, not of models.",
      percent(windows.quantile_error.value_or(0)), percent(windows.confidence.value_or(0)),
      windows.replicates.value_or(0));
}

/// The windows with the largest ratios.
std::string worst_html(const WindowsRecord& windows) {
  std::string rows;
  for (const NamedWindow& window : windows.worst) {
    std::string claims;
    for (const std::string& claim : window.claims) {
      claims += (claims.empty() ? "" : ", ") + claim_link(claim);
    }
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
                        grouped(window.window), escape_html(window.words), claims);
  }
  return fmt::format(
      "<details>\n<summary>The windows with the largest lhs/rhs</summary>\n"
      "<div class=\"scroll\"><table>\n<caption>Where each claim has its largest "
      "lhs/rhs.</caption>\n"
      "<thead><tr><th scope=\"col\">Window</th><th scope=\"col\">First words</th>"
      "<th scope=\"col\">Claims</th></tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n"
      "</details>\n",
      rows);
}

}  // namespace

std::string real_windows(const Measurements& measured) {
  if (!measured.windows) return {};
  const WindowsRecord& windows = *measured.windows;
  std::string out = paragraph(windows_words(measured));
  if (windows.worst.empty()) return out;
  return out + paragraph(meanings(windows)) +
         fmt::format("<p>{}</p>\n", escape_html(worst_window_words(measured))) +
         worst_html(windows);
}

}  // namespace attn::report
