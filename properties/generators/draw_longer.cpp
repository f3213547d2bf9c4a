#include <algorithm>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"

/// Rows that grow: more logits after those of a row, and two lengths of one row.
namespace attn::properties {
namespace {

constexpr std::size_t kMostAppended = 16;

/// Logits of the same pattern as the row's, or one number so many times.
std::vector<Rational> draw_appended(Draw& draw, const Family& family, int size,
                                    const Rational& temperature) {
  const std::size_t count = draw.grown(1, kMostAppended, size);
  std::vector<Rational> more =
      draw_scaled_logits(draw, family.scores, std::max<std::size_t>(count, 2));
  more.resize(count);
  if (draw.one_in(4)) std::ranges::fill(more, more.front());
  for (Rational& logit : more) logit *= temperature;
  return more;
}

}  // namespace

void draw_longer_row(Draw& draw, const Family& family, int size, Case& output) {
  draw_logit_row(draw, family, size, output);
  output.appended = draw_appended(draw, family, size, output.temperature);
}

void draw_lone_logits(Draw& draw, const Family& family, int size, Case& output) {
  output.length = draw.grown(2, family.max_tokens, size);
  const std::size_t most = draw.one_in(2) ? 4 * output.length : kMillion;
  output.longer = draw.one_in(16) ? output.length : draw.index(output.length + 1, most);
  output.temperature = draw_temperature(draw, family.temperature);
  output.spread = dyadic(draw.integer(1, 64), draw.one_in(2) ? 5 : 16) * output.temperature;
}

}  // namespace attn::properties
