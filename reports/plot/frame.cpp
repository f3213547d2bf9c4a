#include "reports/plot/frame.hpp"

namespace attn::plot {

Frame frame_of(double width, double height) {
  return {kFrameLeft, width - kFrameRight, kFrameTop, height - kFrameBottom};
}

void draw_frame(Svg& svg, const Frame& frame, const std::vector<Tick>& x_ticks,
                const std::vector<Tick>& y_ticks, std::string_view x_label,
                std::string_view y_label) {
  svg.text({0, 12}, y_label, "tick start");
  for (const Tick& tick : y_ticks) {
    svg.line({frame.left, tick.position}, {frame.right, tick.position}, "grid");
    svg.text({frame.left - 7, tick.position + 4}, tick.label, "tick end");
  }
  svg.line({frame.left, frame.bottom}, {frame.right, frame.bottom}, "axis");
  for (const Tick& tick : x_ticks) {
    svg.line({tick.position, frame.bottom}, {tick.position, frame.bottom + 4}, "axis");
    svg.text({tick.position, frame.bottom + 17}, tick.label, "tick middle");
  }
  svg.text({(frame.left + frame.right) / 2, frame.bottom + 36}, x_label, "tick middle");
}

}  // namespace attn::plot
