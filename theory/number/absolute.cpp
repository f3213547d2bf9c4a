#include "theory/number/absolute.hpp"

#include <algorithm>

namespace attn {

Rational largest_absolute(const std::vector<Rational>& values) {
  if (values.empty()) return 0;
  const auto [least, most] = std::ranges::minmax_element(values);
  return std::max(abs(*least), abs(*most));
}

Rational least_absolute(const std::vector<Rational>& values) {
  Rational least = abs(values.front());
  for (const Rational& value : values) least = std::min(least, abs(value));
  return least;
}

}  // namespace attn
