#pragma once

#include <string>
#include <string_view>

namespace attn::plot {

enum class Scheme { light, dark };

/// The colours by name, as custom properties of CSS: "--page: #fcfcfa; --ink: ...". The hues of
/// series are told apart by those who see red and green alike, and keep 3:1 against the page;
/// series differ by the shape of their marks or the dashes of their lines as well.
std::string palette_css(Scheme scheme);

/// The rules for the class names of drawings, in terms of the colours' names.
std::string drawing_rules();

/// What those rules give an element of the classes, on a light ground, as attributes of SVG, each
/// after a space: where a policy takes the rules away, and for readers that know no custom
/// properties.
std::string drawing_attributes(std::string_view css_class);

}  // namespace attn::plot
