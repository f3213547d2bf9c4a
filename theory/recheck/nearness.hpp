#pragma once

#include <vector>

#include "theory/recheck/tokens.hpp"

namespace attn::recheck {

using Forms = std::vector<Form>;

/// Which of two tokens' y_i = a_i x_i is nearer to s, for the set of a case.
class Nearness {
 public:
  explicit Nearness(const FixedSet& t);

  /// -1, 0 or 1 as token i is certainly nearer to s than j, as near, or further; 2 where that
  /// cannot be told.
  [[nodiscard]] int operator()(std::size_t i, std::size_t j) const;

 private:
  bool one_kind_;
  std::vector<Forms> offsets_;
  std::vector<Rational> exact_;
  std::vector<Arb> squares_;
};

}  // namespace attn::recheck
