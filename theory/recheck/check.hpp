#pragma once

#include <span>
#include <string>
#include <string_view>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// Both sides of a claim `lhs <= rhs`, at the working precision.
struct Sides {
  Arb lhs, rhs;
};

/// How one claim is rechecked.
struct Check {
  std::string_view id;
  Sides (*sides)(const Input&);
  /// Names the assumption that the case does not meet, decided exactly; empty where all are met.
  /// Null where the claim has none.
  std::string (*unmet)(const Input&) = nullptr;
};

/// The checks of each family.
std::span<const Check> dispersion_checks();
std::span<const Check> distance_checks();
std::span<const Check> random_sets_checks();
std::span<const Check> separability_checks();
std::span<const Check> gradient_checks();
std::span<const Check> normalizers_checks();

}  // namespace attn::recheck
