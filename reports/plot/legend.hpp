#pragma once

#include <string>
#include <vector>

#include "reports/plot/svg.hpp"

namespace attn::plot {

/// One entry of a legend: a name beside what stands for it in the drawing.
struct Key {
  enum class Shape { line, marked_line, box, region, mark };
  std::string name;
  std::string css_class;
  Shape shape{Shape::line};
  Mark mark{Mark::circle};
};

/// The entries of `more` whose names are not yet there are added to `keys`.
void join_keys(std::vector<Key>& keys, const std::vector<Key>& more);

/// What stands for an entry in the drawing, as a small drawing without a label.
Svg sample(const Key& key);

/// The legend as an HTML list that wraps on narrow screens; empty without entries.
std::string legend(const std::vector<Key>& keys);

}  // namespace attn::plot
