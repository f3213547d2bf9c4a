#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "reports/plot/svg.hpp"
#include "reports/text/escape.hpp"

namespace attn::plot {
namespace {

struct Colour {
  std::string_view name, light, dark;
};

constexpr Colour kPalette[] = {{"page", "#fcfcfa", "#15161a"},  {"raised", "#f4f3ee", "#1e2025"},
                               {"ink", "#1c1d21", "#e9e6df"},   {"muted", "#5b5e66", "#a7a9b0"},
                               {"rule", "#dad8d0", "#383b42"},  {"synthetic", "#1d5b9e", "#82b4ee"},
                               {"real", "#b4560f", "#f0a261"},  {"recorded", "#0d766e", "#63cfc3"},
                               {"bad", "#b3261e", "#ff8f86"},   {"good", "#256a3c", "#86cf9d"},
                               {"heat", "#cf7a35", "#a34c0b"},  {"hue-1", "#0b62a8", "#6db3f2"},
                               {"hue-2", "#c24e00", "#ff9a5a"}, {"hue-3", "#007a5a", "#4fd1a5"},
                               {"hue-4", "#a8488c", "#e9a0d0"}};

struct Property {
  std::string_view name;   ///< the name of a property of CSS and of SVG
  std::string_view value;  ///< "--ink": that colour
};

/// What is drawn with all these classes. A later rule overrides an earlier one.
struct Rule {
  std::string_view classes;
  std::vector<Property> properties;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> table = {
      {"tick", {{"fill", "--muted"}}},
      {"start", {{"text-anchor", "start"}}},
      {"middle", {{"text-anchor", "middle"}}},
      {"end", {{"text-anchor", "end"}}},
      {"grid", {{"stroke", "--rule"}, {"stroke-width", "1"}}},
      {"axis", {{"stroke", "--muted"}, {"stroke-width", "1"}}},
      {"rule-one", {{"stroke", "--ink"}, {"stroke-width", "1.25"}}},
      {"synthetic", {{"fill", "--synthetic"}}},
      {"gpt2", {{"fill", "--real"}}},
      {"activations", {{"fill", "--recorded"}}},
      {"hue-1", {{"fill", "--hue-1"}, {"stroke", "--hue-1"}}},
      {"hue-2", {{"fill", "--hue-2"}, {"stroke", "--hue-2"}}},
      {"hue-3", {{"fill", "--hue-3"}, {"stroke", "--hue-3"}}},
      {"hue-4", {{"fill", "--hue-4"}, {"stroke", "--hue-4"}}},
      {"ink", {{"fill", "--muted"}, {"stroke", "--muted"}}},
      {"name", {{"stroke", "none"}}},
      {"link", {{"fill", "none"}, {"stroke-width", "2"}, {"stroke-linejoin", "round"}}},
      {"dashed link", {{"stroke-dasharray", "7 4"}}},
      {"dotted link", {{"stroke-dasharray", "2 3"}}},
      {"band", {{"fill-opacity", ".13"}, {"stroke", "none"}}},
      {"region", {{"fill", "--ink"}, {"fill-opacity", ".09"}}},
      {"dot", {{"stroke", "--page"}, {"stroke-width", "1"}}},
      {"bar over", {{"fill", "--bad"}}},
      {"heat-ground", {{"fill", "--raised"}}},
      {"heat", {{"fill", "--heat"}}},
      {"heat over", {{"fill", "--bad"}, {"stroke", "--bad"}, {"stroke-width", "1"}}},
      {"page", {{"fill", "--page"}}},
  };
  return table;
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string_view written_out(std::string_view value) {
  for (const Colour& colour : kPalette) {
    if (value.starts_with("--") && value.substr(2) == colour.name) return colour.light;
  }
  return value;
}

}  // namespace

std::string palette_css(Scheme scheme) {
  std::string css;
  for (const Colour& colour : kPalette) {
    css += fmt::format("--{}: {};\n", colour.name,
                       scheme == Scheme::light ? colour.light : colour.dark);
  }
  return css;
}

std::string drawing_rules() {
  std::string css =
      "svg text { fill: var(--ink); font-family: system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", "
      "\"DejaVu Sans\", sans-serif; }\n";
  for (const Rule& rule : rules()) {
    css += fmt::format("svg .{} {{", fmt::join(words_of(rule.classes), "."));
    for (const auto& [name, value] : rule.properties) {
      const bool is_colour = value.starts_with("--");
      css += is_colour ? fmt::format(" {}: var({});", name, value)
                       : fmt::format(" {}: {};", name, value);
    }
    css += " }\n";
  }
  return css;
}

std::string drawing_attributes(std::string_view css_class) {
  const std::vector<std::string> classes = words_of(css_class);
  std::map<std::string_view, std::string_view> values;
  for (const Rule& rule : rules()) {
    const bool applies = std::ranges::all_of(words_of(rule.classes), [&](const std::string& word) {
      return std::ranges::find(classes, word) != classes.end();
    });
    if (!applies) continue;
    for (const auto& [name, value] : rule.properties) values[name] = written_out(value);
  }
  std::string text;
  for (const auto& [name, value] : values) {
    text += fmt::format(" {}=\"{}\"", name, report::escape_html(value));
  }
  return text;
}

}  // namespace attn::plot
