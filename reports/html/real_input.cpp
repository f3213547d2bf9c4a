#include "reports/html/real_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reports/html/heads.hpp"
#include "reports/html/json_text.hpp"
#include "reports/html/sections.hpp"
#include "reports/io/record_json.hpp"
#include "reports/text/escape.hpp"

namespace attn::report {
namespace {

/// A plain value, or a short list of them.
std::string value_text(const nlohmann::json& value) {
  if (!value.is_array()) return scalar_text(value);
  std::vector<std::string> parts;
  for (const nlohmann::json& element : value) parts.push_back(scalar_text(element));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Whether `value` is plain or a list of plain values.
bool is_plain(const nlohmann::json& value) {
  return !value.is_object() &&
         std::none_of(value.begin(), value.end(),
                      [](const nlohmann::json& element) { return element.is_structured(); });
}

/// What was read: the plain values of the block and short lists of them.
std::string input_table(const nlohmann::json& gpt2) {
  std::string rows;
  for (const auto& [name, value] : gpt2.items()) {
    if (name == "heads" || name == "abstract" || !is_plain(value)) continue;
    if (value.is_array() && value.empty()) continue;
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                        escape_html(field_words(name)), escape_html(value_text(value)));
  }
  if (rows.empty()) return {};
  return fmt::format(
      "<div class=\"scroll\"><table class=\"fields\">\n<caption>What was read.</caption>\n"
      "<tbody>\n{}</tbody>\n</table></div>\n",
      rows);
}

}  // namespace

std::string real_input_section(const Report& report, FigureFiles& files) {
  if (!report.gpt2) return {};
  const Measurements& measured = *report.gpt2;
  const std::pair<const char*, std::string> parts[] = {
      {R"(<a href="#real-abstract">The abstract</a>)", real_abstract(measured)},
      {R"(<a href="#real-distance">Distance</a>)", real_distance(measured, files)},
      {R"(<a href="#real-critical-n">Critical N</a>)", real_critical_n(measured, files)},
      {R"(<a href="#real-separability">Separability</a>)", real_separability(measured, files)},
      {R"(<a href="#real-gradient">Gradient</a>)", real_gradient(measured, files)},
      {R"(<a href="#real-sink">First token</a>)", real_sink(measured, files)},
      {R"(<a href="#real-normalizers">Normalisers</a>)", real_normalizers(measured)},
      {R"(<a href="#real-heads">Head by head</a>)", real_heads(measured, files)},
      {R"(<a href="#real-failures">Failing bounds</a>)", real_failures(measured, report, files)}};
  std::string links, body;
  for (const auto& [link, html] : parts) {
    if (html.empty()) continue;
    links += std::string(link) + " ";
    body += html;
  }
  return R"(<section id="real">
<h2>Real attention</h2>
<p>The same claims, judged by the same code, on the attention of a trained model. Queries, keys and values are taken as exact numbers; a row sees the tokens up to its own.</p>
)" + (links.empty() ? "" : "<nav aria-label=\"Real attention\">" + links + "</nav>\n") +
         input_table(nlohmann::json(json_of(measured))) + body + head_details(measured, report) +
         "</section>\n";
}

}  // namespace attn::report
