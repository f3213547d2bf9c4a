#include "reports/plot/svg.hpp"

#include <fmt/format.h>

#include <map>

#include "reports/plot/style.hpp"
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

Svg::Svg(double width, double height, std::string_view label, std::string_view css_class)
    : width_(width), height_(height), label_(label), css_class_(css_class) {}

void Svg::element(std::string_view tag, const std::string& attributes, std::string_view css_class,
                  std::string_view tooltip) {
  body_ += fmt::format("<{} {} {}", tag, attributes, styled(css_class));
  body_ +=
      tooltip.empty() ? "/>" : fmt::format("><title>{}</title></{}>", escape_html(tooltip), tag);
}

void Svg::rect(const Rect& r, std::string_view css_class, std::string_view tooltip) {
  element("rect",
          fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", number(r.x), number(r.y),
                      number(r.width), number(r.height)),
          css_class, tooltip);
}

void Svg::tiles(const std::vector<Rect>& rects, std::string_view css_class) {
  std::string path;
  for (const Rect& r : rects) {
    path += fmt::format("M{} {}h{}v{}h{}z", number(r.x), number(r.y), number(r.width),
                        number(r.height), number(-r.width));
  }
  element("path", fmt::format(R"(d="{}")", path), css_class, {});
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
  body_ += fmt::format(R"(<text x="{}" y="{}" {}>{}</text>)", number(anchor.x), number(anchor.y),
                       styled(css_class), escape_html(text));
}

void Svg::nest(const Svg& inner, Point corner) {
  body_ +=
      fmt::format(R"(<svg x="{0}" y="{1}" width="{2}" height="{3}" viewBox="0 0 {2} {3}">)",
                  number(corner.x), number(corner.y), number(inner.width_), number(inner.height_)) +
      inner.body_ + "</svg>\n";
}

void Svg::open_link(std::string_view href, std::string_view name) {
  has_links_ = true;
  body_ += fmt::format(R"(<a href="{}"><title>{}</title>)", escape_html(href), escape_html(name));
}

void Svg::close_link() {
  body_ += "</a>";
}

std::string Svg::attributes() const {
  // What an image holds is hidden from screen readers, links too.
  const char* const role = has_links_ ? "group" : "img";
  return fmt::format(
      R"({}width="{}" viewBox="0 0 {} {}" {} font-family="sans-serif" font-size="12" )"
      R"(xmlns="http://www.w3.org/2000/svg")",
      css_class_.empty() ? "" : fmt::format(R"(class="{}" )", escape_html(css_class_)),
      number(width_), number(width_), number(height_),
      label_.empty() ? R"(aria-hidden="true")"
                     : fmt::format(R"(role="{}" aria-label="{}")", role, escape_html(label_)));
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

}  // namespace attn::plot
