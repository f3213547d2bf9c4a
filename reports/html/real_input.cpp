#include "reports/html/real_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "reports/html/heads.hpp"
#include "reports/html/json_text.hpp"
#include "reports/html/regions.hpp"
#include "reports/html/sections.hpp"
#include "reports/io/report_json.hpp"
#include "reports/record/source.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/summary.hpp"

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

/// The claims that the input has not enough for.
std::string not_covered_html(const Measurements& measured) {
  std::string out;
  for (const auto& [need, claims] : claims_by_need(measured)) {
    std::vector<std::string> links;
    for (const std::string& claim : claims) links.push_back(claim_link(claim));
    out += fmt::format("<p class=\"note\">Not covered by this input, which has no {}: {}.</p>\n",
                       escape_html(need), fmt::join(links, ", "));
  }
  return out;
}

/// Which numbers were taken as exact, and what a row sees.
std::string taken_as(const Measurements& measured) {
  std::string_view numbers = "Queries, keys and values are taken as exact numbers";
  if (measured.in_place_of_queries == Stead::scores) {
    numbers = "Scores and values are taken as exact numbers";
  } else if (measured.in_place_of_queries == Stead::weights) {
    numbers =
        "Weights, divided by the sum of their row, and values are taken as exact numbers; the "
        "logits are the doubles next to T ln of the weights as they were recorded, and a row with "
        "a weight of 0 has none";
  }
  std::string seen = "a row sees the tokens up to its own";
  if (measured.mask == kRecordedMask) {
    seen = "a row sees the tokens that the recorded scores or weights do not hide";
  } else if (measured.mask.find(',') != std::string::npos) {
    seen = "a row sees what the mask of its layer shows (" + escape_html(measured.mask) + ")";
  }
  if (measured.mask == kFullMask) seen = "a row sees all tokens";
  if (measured.mask.starts_with(kWindowMask) && measured.mask.find(',') == std::string::npos) {
    seen = fmt::format("a row sees the last {} tokens up to its own",
                       escape_html(measured.mask.substr(kWindowMask.size())));
  }
  return fmt::format("{}; {}.", numbers, seen);
}

/// All that was measured on one input.
std::string part_of_input(const Measurements& measured, const Report& report, FigureFiles& files) {
  struct Part {
    std::string_view anchor, title;
    std::string html;
  };
  const Part parts[] = {
      {"real-abstract", "The abstract", real_abstract(measured, files)},
      {"real-distance", "Distance", real_distance(measured, files)},
      {"real-critical-n", "Critical N", real_critical_n(measured, files)},
      {"real-separability", "Separability", real_separability(measured, files)},
      {"real-gradient", "Gradient", real_gradient(measured, files)},
      {"real-sink", "First token", real_sink(measured, files)},
      {"real-normalizers", "Normalisers", real_normalizers(measured, files)},
      {"real-heads", "Head by head", real_heads(measured, files)},
      {"real-failures", "Failing bounds", real_failures(measured, report, files)}};
  std::string links, body;
  for (const Part& part : parts) {
    if (part.html.empty()) continue;
    links += fmt::format("<a href=\"#{}{}\">{}</a> ", files.prefix, part.anchor, part.title);
    body += part.html;
  }
  const std::string title =
      measured.input.empty() ? "Real attention" : "Real attention: " + escape_html(measured.input);
  return fmt::format(R"(<section id="{}real">
<h2>{}</h2>
<p>The same claims, judged by the same code, on the attention of a trained model. {}</p>
)",
                     files.prefix, title, taken_as(measured)) +
         (links.empty() ? "" : fmt::format("<nav aria-label=\"{}\">{}</nav>\n", title, links)) +
         real_windows(measured) + input_table(to_json(measured)) + not_covered_html(measured) +
         body + head_details(measured, report, files.prefix) + "</section>\n";
}

}  // namespace

std::string prefix_of_input(std::size_t index) {
  return index == 0 ? "" : fmt::format("input-{}-", index + 1);
}

std::string real_input_section(const Report& report, FigureFiles& files) {
  std::string sections;
  const std::vector<const Measurements*> inputs = measured_inputs(report);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    files.prefix = prefix_of_input(i);
    const std::string& name = inputs[i]->input;
    sections += with_named_regions(part_of_input(*inputs[i], report, files),
                                   name.empty() ? "real attention" : escape_html(name));
  }
  files.prefix.clear();
  return sections;
}

}  // namespace attn::report
