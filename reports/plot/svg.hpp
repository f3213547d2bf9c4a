#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::plot {

struct Point {
  double x{}, y{};
};

struct Rect {
  double x{}, y{}, width{}, height{};
};

/// The shape of a mark, so that series differ without colour.
enum class Mark { circle, diamond, square, triangle };

/// An SVG drawing in user units. Its colours and lines are those of its class names (see
/// drawing_rules), as attributes that a style sheet overrides. All text is escaped.
class Svg {
 public:
  /// `label` is read to those who cannot see the drawing.
  Svg(double width, double height, std::string_view label);

  void rect(const Rect& rect, std::string_view css_class);
  /// Rectangles as one drawn thing, of given opacity in [0, 1].
  void tiles(const std::vector<Rect>& rects, std::string_view css_class, double opacity = 1);
  void line(Point from, Point to, std::string_view css_class);
  void polyline(const std::vector<Point>& points, std::string_view css_class);
  void polygon(const std::vector<Point>& points, std::string_view css_class);
  void mark(Point centre, double radius, Mark mark, std::string_view css_class);
  void text(Point anchor, std::string_view text, std::string_view css_class);

  /// The drawing as an element of a page: as wide as there is room, at most `width` CSS pixels.
  [[nodiscard]] std::string str() const;

  /// The drawing as a file of its own, on a light ground.
  [[nodiscard]] std::string document() const;

 private:
  [[nodiscard]] std::string attributes() const;
  void element(std::string_view tag, const std::string& attributes, std::string_view css_class);

  double width_, height_;
  std::string label_;
  std::string body_;
};

/// About how wide a text is in a drawing, in user units.
double width_of(std::string_view text);

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
