#pragma once

#include <string>
#include <string_view>

#include "reports/plot/svg.hpp"

namespace attn::plot {

enum class Scheme { light, dark };

/// The colours by name, as custom properties of CSS: "--page: #fcfcfa; --ink: ...". The hues of
/// series are told apart by those who see red and green alike, and keep 3:1 against the page;
/// series differ by the shape of their marks or the dashes of their lines as well.
std::string palette_css(Scheme scheme);

/// The rules for the class names of drawings, in terms of the colours' names.
std::string_view drawing_rules();

/// A drawing as a file of its own, on a light ground. The colours are written out, for readers of
/// SVG that know no custom properties.
std::string svg_file(const Svg& drawing);

}  // namespace attn::plot
