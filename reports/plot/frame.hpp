#pragma once

#include <string_view>
#include <vector>

#include "reports/plot/scale.hpp"
#include "reports/plot/svg.hpp"

namespace attn::plot {

/// The rectangle that a chart draws its data in.
struct Frame {
  double left{}, right{}, top{}, bottom{};
};

inline constexpr double kFrameLeft = 52, kFrameRight = 12, kFrameTop = 26, kFrameBottom = 42;

/// The frame of a chart of that size, with room for the labels of both axes.
Frame frame_of(double width, double height);

/// Both axes with their labels and the grid of the vertical one.
void draw_frame(Svg& svg, const Frame& frame, const std::vector<Tick>& x_ticks,
                const std::vector<Tick>& y_ticks, std::string_view x_label,
                std::string_view y_label);

}  // namespace attn::plot
