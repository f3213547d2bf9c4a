#include "reports/plot/svg.hpp"

#include <fmt/format.h>

#include "reports/escape.hpp"

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

std::string points_text(const std::vector<Point>& points) {
  std::string text;
  for (const auto& [x, y] : points) {
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(x), number(y));
  }
  return fmt::format(R"(points="{}")", text);
}

}  // namespace

Svg::Svg(double width, double height, std::string_view label)
    : head_(fmt::format(
          R"(<svg viewBox="0 0 {0} {1}" style="max-width:{0}px" role="img" aria-label="{2}" xmlns="http://www.w3.org/2000/svg">)",
          number(width), number(height), escape_html(label))) {}

void Svg::element(std::string_view tag, const std::string& attributes, std::string_view css_class,
                  std::string_view tooltip) {
  body_ += fmt::format(R"(<{} {} class="{}")", tag, attributes, escape_html(css_class));
  body_ +=
      tooltip.empty() ? "/>" : fmt::format("><title>{}</title></{}>", escape_html(tooltip), tag);
}

void Svg::rect(const Rect& r, std::string_view css_class, std::string_view tooltip) {
  element("rect",
          fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", number(r.x), number(r.y),
                      number(r.width), number(r.height)),
          css_class, tooltip);
}

void Svg::shade(const Rect& r, std::string_view css_class, double opacity,
                std::string_view tooltip) {
  element("rect",
          fmt::format(R"(x="{}" y="{}" width="{}" height="{}" fill-opacity="{}")", number(r.x),
                      number(r.y), number(r.width), number(r.height), number(opacity)),
          css_class, tooltip);
}

void Svg::line(Point from, Point to, std::string_view css_class) {
  element("line",
          fmt::format(R"(x1="{}" y1="{}" x2="{}" y2="{}")", number(from.x), number(from.y),
                      number(to.x), number(to.y)),
          css_class, {});
}

void Svg::polyline(const std::vector<Point>& points, std::string_view css_class) {
  element("polyline", points_text(points), css_class, {});
}

void Svg::polygon(const std::vector<Point>& points, std::string_view css_class) {
  element("polygon", points_text(points), css_class, {});
}

void Svg::mark(Point centre, double radius, Mark mark, std::string_view css_class,
               std::string_view tooltip) {
  const auto [x, y] = centre;
  switch (mark) {
    case Mark::circle:
      element("circle",
              fmt::format(R"(cx="{}" cy="{}" r="{}")", number(x), number(y), number(radius)),
              css_class, tooltip);
      return;
    case Mark::diamond: {
      const double reach = radius * 1.25;
      element("path",
              fmt::format(R"(d="M{} {}L{} {}L{} {}L{} {}Z")", number(x), number(y - reach),
                          number(x + reach), number(y), number(x), number(y + reach),
                          number(x - reach), number(y)),
              css_class, tooltip);
      return;
    }
    case Mark::triangle: {
      const double reach = radius * 1.3;
      element("path",
              fmt::format(R"(d="M{} {}L{} {}L{} {}Z")", number(x - reach), number(y - radius),
                          number(x + reach), number(y - radius), number(x), number(y + reach)),
              css_class, tooltip);
      return;
    }
    case Mark::square:
      rect({x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8}, css_class, tooltip);
      return;
  }
}

void Svg::text(Point anchor, std::string_view text, std::string_view css_class) {
  body_ += fmt::format(R"(<text x="{}" y="{}" class="{}">{}</text>)", number(anchor.x),
                       number(anchor.y), escape_html(css_class), escape_html(text));
}

std::string Svg::str() const {
  return head_ + body_ + "</svg>\n";
}

}  // namespace attn::plot
