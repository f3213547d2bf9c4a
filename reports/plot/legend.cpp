#include "reports/plot/legend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/escape.hpp"

namespace attn::plot {
namespace {

constexpr double kWidth = 30, kHeight = 14, kRadius = 4, kMarkWidth = 14, kMarkRadius = 5;

}  // namespace

Svg sample(const Key& key) {
  if (key.shape == Key::Shape::mark) {
    Svg svg(kMarkWidth, kHeight, {});
    svg.mark({kMarkWidth / 2, kHeight / 2}, kMarkRadius, key.mark, key.css_class);
    return svg;
  }
  Svg svg(kWidth, kHeight, {});
  const Point left{1, kHeight / 2}, middle{kWidth / 2, kHeight / 2}, right{kWidth - 1, kHeight / 2};
  switch (key.shape) {
    case Key::Shape::line:
      svg.line(left, right, key.css_class + " link");
      break;
    case Key::Shape::marked_line:
      svg.line(left, right, key.css_class + " link");
      svg.mark(middle, kRadius, key.mark, key.css_class + " dot");
      break;
    case Key::Shape::box:
      svg.rect({8, 2, kWidth - 16, kHeight - 4}, key.css_class + " box");
      svg.line({8, middle.y}, {kWidth - 8, middle.y}, key.css_class + " median");
      break;
    case Key::Shape::region:
      svg.rect({1, 1, kWidth - 2, kHeight - 2}, key.css_class);
      break;
    case Key::Shape::mark:
      break;
  }
  return svg;
}

void join_keys(std::vector<Key>& keys, const std::vector<Key>& more) {
  for (const Key& key : more) {
    const bool is_there = std::any_of(keys.begin(), keys.end(),
                                      [&](const Key& other) { return other.name == key.name; });
    if (!is_there) keys.push_back(key);
  }
}

std::string legend(const std::vector<Key>& keys) {
  if (keys.empty()) return {};
  std::string out = "<ul class=\"legend\">\n";
  for (const Key& key : keys) {
    out += fmt::format("<li>{}{}</li>\n", sample(key).str(), report::escape_html(key.name));
  }
  return out + "</ul>\n";
}

}  // namespace attn::plot
