#include "reports/plot/style.hpp"

#include <fmt/format.h>

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

/// The rules with each var(--name) replaced by its colour on a light ground.
std::string rules_written_out() {
  std::string rules(drawing_rules());
  for (const Colour& colour : kPalette) {
    const std::string use = fmt::format("var(--{})", colour.name);
    for (std::size_t at = rules.find(use); at != std::string::npos; at = rules.find(use, at)) {
      rules.replace(at, use.size(), colour.light);
    }
  }
  return rules;
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

std::string_view drawing_rules() {
  return R"css(
svg text { font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans",
    sans-serif; font-size: 12px; fill: var(--ink); }
svg .tick, svg .axis-note { font-size: 11.5px; fill: var(--muted); }
svg .start { text-anchor: start; }
svg .middle { text-anchor: middle; }
svg .end { text-anchor: end; }
svg .row-label { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 11.5px; }
svg .row-heading { font-weight: 600; font-size: 12.5px; }
svg .halo { paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
svg .over.axis-note { fill: var(--bad); }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .row-line { stroke: var(--rule); stroke-width: 1; stroke-dasharray: 1 3; }
svg .axis { stroke: var(--muted); stroke-width: 1; }
svg .rule-one { stroke: var(--ink); stroke-width: 1.25; }
svg .lane-over { fill: var(--bad); fill-opacity: .07; }
svg .synthetic { fill: var(--synthetic); }
svg .gpt2 { fill: var(--real); }
svg .activations { fill: var(--recorded); }
svg .hue-1 { fill: var(--hue-1); stroke: var(--hue-1); }
svg .hue-2 { fill: var(--hue-2); stroke: var(--hue-2); }
svg .hue-3 { fill: var(--hue-3); stroke: var(--hue-3); }
svg .hue-4 { fill: var(--hue-4); stroke: var(--hue-4); }
svg .ink { fill: var(--muted); stroke: var(--muted); }
svg .link { fill: none; stroke-width: 1.75; stroke-linejoin: round; }
svg .dashed.link { stroke-dasharray: 7 4; }
svg .dotted.link { stroke-dasharray: 2 3; }
svg .band { fill-opacity: .13; stroke: none; }
svg .region { fill: var(--ink); fill-opacity: .09; }
svg .box { fill-opacity: .2; stroke-width: 1.25; }
svg .whisker { stroke-width: 1.25; }
svg .median { stroke-width: 2.5; }
svg .spread { fill-opacity: .28; }
svg .dot { stroke: var(--page); stroke-width: 1; }
svg .bar.over { fill: var(--bad); }
svg .heat-ground { fill: var(--raised); }
svg .heat { fill: var(--heat); }
svg .heat.over { fill: var(--bad); stroke: var(--bad); stroke-width: 1.5; }
svg .cross { stroke: var(--ink); stroke-width: 1.25; }
svg .cell-text { font-size: 11px; }
svg .page { fill: var(--page); }
)css";
}

std::string svg_file(const Svg& drawing) {
  return drawing.document(rules_written_out());
}

}  // namespace attn::plot
