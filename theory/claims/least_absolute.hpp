#pragma once

#include <algorithm>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn::claims {

/// min |value|. Needs at least one.
inline Rational least_absolute(const std::vector<Rational>& values) {
  Rational least = abs(values.front());
  for (const Rational& value : values) least = std::min(least, Rational(abs(value)));
  return least;
}

}  // namespace attn::claims
