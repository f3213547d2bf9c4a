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
/// plot/style.hpp), as attributes that a style sheet overrides. All text is escaped. A non-empty
/// `tooltip` becomes the element's <title>.
class Svg {
 public:
  /// `label` is read to those who cannot see the drawing; without one it is an ornament, of which
  /// nothing is read. `css_class`: of the whole drawing.
  Svg(double width, double height, std::string_view label, std::string_view css_class = {});

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }

  void rect(const Rect& rect, std::string_view css_class, std::string_view tooltip = {});
  /// Rectangles as one drawn thing.
  void tiles(const std::vector<Rect>& rects, std::string_view css_class);
  /// A rectangle of given opacity in [0, 1].
  void shade(const Rect& rect, std::string_view css_class, double opacity,
             std::string_view tooltip = {});
  void line(Point from, Point to, std::string_view css_class);
  void polyline(const std::vector<Point>& points, std::string_view css_class);
  void polygon(const std::vector<Point>& points, std::string_view css_class);
  void mark(Point centre, double radius, Mark mark, std::string_view css_class,
            std::string_view tooltip = {});
  void text(Point anchor, std::string_view text, std::string_view css_class);

  /// Puts another drawing in its own size at `corner`, its upper left one.
  void nest(const Svg& inner, Point corner);

  /// What is drawn until close_link() leads to `href`. `name` is its tooltip, and what is read of
  /// it.
  void open_link(std::string_view href, std::string_view name);
  void close_link();

  /// The drawing as an element of a page: as wide as there is room, at most `width` CSS pixels.
  [[nodiscard]] std::string str() const;

  /// The drawing as a file of its own, on a light ground.
  [[nodiscard]] std::string document() const;

 private:
  [[nodiscard]] std::string attributes() const;
  void element(std::string_view tag, const std::string& attributes, std::string_view css_class,
               std::string_view tooltip);

  double width_, height_;
  std::string label_, css_class_;
  bool has_links_{false};
  std::string body_;
};

}  // namespace attn::plot
