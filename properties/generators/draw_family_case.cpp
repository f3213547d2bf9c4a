#include <algorithm>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/pieces.hpp"
#include "theory/number/rationals.hpp"

// Families of up to a million tokens, which are counted and not listed.
namespace attn::properties {

namespace {

/// A number from `least` to 2^most_bits, of every order of magnitude, both ends of it included.
std::size_t draw_magnitude(Draw& draw, std::size_t least, std::int64_t most_bits) {
  return draw.index(least, std::max(least, std::size_t{1} << draw.integer(1, most_bits)));
}

std::size_t draw_even_length(Draw& draw, const Family& family, int size) {
  switch (family.length) {
    case Length::any:
      return 2 * draw.grown(1, family.max_tokens / 2, size);
    case Length::million:
      return kMillion;
    default:
      return 2 * draw_magnitude(draw, kLong / 2, 18);
  }
}

}  // namespace

EqualTokens draw_case(Draw& draw, const EqualTokens&, const Family& family, int size) {
  EqualTokens output;
  switch (family.length) {
    case Length::any:
      output.length = draw.grown(2, family.max_tokens, size);
      output.top_n = draw_selected(draw, family.selection, output.length);
      break;
    case Length::long_beside_n:
      output.top_n = family.selection == Selection::one ? 1 : draw_magnitude(draw, 2, 9);
      output.length = draw.index(kLong * output.top_n, kMillion);
      break;
    case Length::long_alone:
      output.length = draw_magnitude(draw, kLong, 19);
      output.top_n = draw_selected(draw, family.selection, output.length);
      break;
    case Length::million:
      output.length = kMillion;
      output.top_n = draw.one_in(2) ? draw_magnitude(draw, 1, 9) : draw.index(1, kMillion - 1);
      break;
  }
  output.embeddings = draw_vectors(draw, Vectors::equal, 1, draw.grown(1, 64, size));
  auto& x = output.embeddings.front();
  if (largest_absolute(x) == 0) x.front() = 1;
  // Not so small that the limit would have to be nearer than this L can bring it.
  const Rational nearness(kLong * output.top_n, output.length);
  output.epsilon = draw.power_of_two(-20, 4);
  if (family.length == Length::long_beside_n && output.epsilon < nearness) {
    output.epsilon = nearness;
  }
  return output;
}

TwoLevelTokens draw_case(Draw& draw, const TwoLevelTokens&, const Family& family, int size) {
  TwoLevelTokens output;
  output.length = draw_even_length(draw, family, size);
  output.temperature = draw_temperature(draw, family.heat);
  output.spread = dyadic(draw.integer(1, 128), 4) * output.temperature;
  output.epsilon = draw.power_of_two(-10, 0);
  return output;
}

}  // namespace attn::properties
