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

/// An SVG drawing in user units, meant to stand inline in a page: it has no colour or font of its
/// own, only class names that the page's style sheet knows. All text is escaped. A non-empty
/// `tooltip` becomes the element's <title>.
class Svg {
 public:
  /// Drawn at most `width` CSS pixels wide. `label` is read to those who cannot see the drawing.
  Svg(double width, double height, std::string_view label);

  void rect(const Rect& rect, std::string_view css_class, std::string_view tooltip = {});
  /// A rectangle of given opacity in [0, 1].
  void shade(const Rect& rect, std::string_view css_class, double opacity,
             std::string_view tooltip = {});
  void line(Point from, Point to, std::string_view css_class);
  void polyline(const std::vector<Point>& points, std::string_view css_class);
  void polygon(const std::vector<Point>& points, std::string_view css_class);
  void mark(Point centre, double radius, Mark mark, std::string_view css_class,
            std::string_view tooltip = {});
  void text(Point anchor, std::string_view text, std::string_view css_class);

  [[nodiscard]] std::string str() const;

 private:
  void element(std::string_view tag, const std::string& attributes, std::string_view css_class,
               std::string_view tooltip);

  std::string head_, body_;
};

}  // namespace attn::plot
