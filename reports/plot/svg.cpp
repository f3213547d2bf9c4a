#include "reports/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>

#include "reports/text/escape.hpp"

namespace attn::plot {
namespace {

using report::escape_html;

/// A coordinate with at most two decimals.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

/// The classes of an element, and what their rules say. A drawing has few sorts of elements.
const std::string& styled(std::string_view css_class) {
  thread_local std::map<std::string, std::string, std::less<>> known;
  const auto found = known.find(css_class);
  if (found != known.end()) return found->second;
  return known[std::string(css_class)] =
             fmt::format(R"(class="{}"{})", escape_html(css_class), drawing_attributes(css_class));
}

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const auto& [x, y] : points) {
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(x), number(y));
  }
  return fmt::format(R"(points="{}")", text);
}

}  // namespace

Svg::Svg(double width, double height, std::string_view label)
    : width_(width), height_(height), label_(label) {}

void Svg::element(std::string_view tag, const std::string& attributes, std::string_view css_class) {
  body_ += fmt::format("<{} {} {}/>", tag, attributes, styled(css_class));
}

void Svg::rect(const Rect& r, std::string_view css_class) {
  element("rect",
          fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", number(r.x), number(r.y),
                      number(r.width), number(r.height)),
          css_class);
}

void Svg::tiles(const std::vector<Rect>& rects, std::string_view css_class, double opacity) {
  std::string path;
  for (const Rect& r : rects) {
    path += fmt::format("M{} {}h{}v{}h{}z", number(r.x), number(r.y), number(r.width),
                        number(r.height), number(-r.width));
  }
  const std::string shade =
      opacity < 1 ? fmt::format(R"( fill-opacity="{}")", number(opacity)) : "";
  element("path", fmt::format(R"(d="{}"{})", path, shade), css_class);
}

void Svg::line(Point from, Point to, std::string_view css_class) {
  element("line",
          fmt::format(R"(x1="{}" y1="{}" x2="{}" y2="{}")", number(from.x), number(from.y),
                      number(to.x), number(to.y)),
          css_class);
}

void Svg::polyline(const std::vector<Point>& points, std::string_view css_class) {
  element("polyline", points_text(points), css_class);
}

void Svg::polygon(const std::vector<Point>& points, std::string_view css_class) {
  element("polygon", points_text(points), css_class);
}

void Svg::mark(Point centre, double radius, Mark mark, std::string_view css_class) {
  const auto [x, y] = centre;
  const auto shape = [&](std::initializer_list<Point> corners) {
    std::string path;
    for (const Point& at : corners) {
      path += fmt::format("{}{} {}", path.empty() ? "M" : "L", number(at.x), number(at.y));
    }
    element("path", fmt::format(R"(d="{}Z")", path), css_class);
  };
  switch (mark) {
    case Mark::circle:
      return element("circle",
                     fmt::format(R"(cx="{}" cy="{}" r="{}")", number(x), number(y), number(radius)),
                     css_class);
    case Mark::diamond: {
      const double reach = radius * 1.25;
      return shape({{x, y - reach}, {x + reach, y}, {x, y + reach}, {x - reach, y}});
    }
    case Mark::triangle: {
      const double reach = radius * 1.3;
      return shape({{x - reach, y - radius}, {x + reach, y - radius}, {x, y + reach}});
    }
    case Mark::square:
      return rect({x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8}, css_class);
  }
}

void Svg::text(Point anchor, std::string_view text, std::string_view css_class) {
  body_ += fmt::format(R"(<text x="{}" y="{}" {}>{}</text>)", number(anchor.x), number(anchor.y),
                       styled(css_class), escape_html(text));
}

std::string Svg::attributes() const {
  return fmt::format(
      R"(width="{0}" viewBox="0 0 {0} {1}" role="img" aria-label="{2}" font-family="sans-serif" )"
      R"(font-size="12.5" xmlns="http://www.w3.org/2000/svg")",
      number(width_), number(height_), escape_html(label_));
}

std::string Svg::str() const {
  return fmt::format("<svg {}>{}</svg>\n", attributes(), body_);
}

std::string Svg::document() const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg {} height=\"{}\">\n"
      "<rect width=\"100%\" height=\"100%\" {}/>{}</svg>\n",
      attributes(), number(height_), styled("page"), body_);
}

double width_of(std::string_view text) {
  constexpr double kCharacter = 7.1;  // of most characters at the font size of drawings
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return kCharacter * static_cast<double>(std::ranges::count_if(text, begins));
}

}  // namespace attn::plot
