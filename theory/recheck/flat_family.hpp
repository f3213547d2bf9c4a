#pragma once

#include <fmt/format.h>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// A statement about a limit speaks where L is large: beside N, which is fixed, or by itself.
inline constexpr long kLong = 1000;

/// L tokens that all stand at x. Where each has the weight 1/L, every y_i - s is (1 - N) x / L, so
/// that D = E = (L-N)(N-1) ||x|| / L.
struct FlatFamily {
  Rational length, n, epsilon;
  Arb x;
  Rational distance;  ///< of equal weights, over ||x||

  explicit FlatFamily(const Input& input)
      : length(input.count("L")), epsilon(input.positive("epsilon")) {
    n = Rational(input.selected(input.count("L")));
    const auto rows = input.rows("embeddings");
    require(rows.size() == 1, BadInputKind::inconsistent, "embeddings", "one row",
            fmt::format("{}", rows.size()));
    const Rational squared = squared_norm(rows.front());
    require(squared > 0, BadInputKind::out_of_range, "embeddings", "a vector other than zero",
            "zero");
    x = sqrt(squared);
    distance = (length - n) * (n - 1) / length;
  }
};

}  // namespace attn::recheck
