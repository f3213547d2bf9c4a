#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "theory/base/bad_input.hpp"

namespace attn::recheck {

class Input;
struct Sides;

/// How one claim is rechecked. Together the two functions read every field that a case of it may
/// have.
struct Check {
  std::string_view id;  ///< the id of the claim
  Sides (*sides)(const Input&);
  /// Names the assumption that the case does not meet, decided exactly; empty where all are met.
  /// Null where the claim has none.
  std::string (*unmet)(const Input&) = nullptr;
};

/// Second implementations of claims, each id once: where a recheck looks a claim up.
using Checks = std::vector<Check>;

/// The checks of all claims about the paper.
const Checks& listed_checks();

/// An enclosure of a number as two decimals of 50 significant digits, rounded outward.
struct Ball {
  std::string lower, upper;
};

/// What one exact case says of a claim `lhs <= rhs`.
struct Rechecked {
  std::string verdict{"undecided"};  ///< holds, violated, equal, undecided or assumption not met
  Ball lhs{}, rhs{};                 ///< both sides; empty where an assumption is not met
  unsigned digits{};                 ///< working digits of the level that decided
  bool exact{};                      ///< decided by what the sides are made of, not by enclosures
  /// What is known of undecided sides: that they differ, or nothing.
  std::string open{};
  std::string unmet{};  ///< the assumption that the case does not meet
};

/// Whether a refusal says no more than that a valid case is beyond this implementation: too large,
/// or not supported.
bool is_beyond(const BadInput& refusal);

/// Decides a claim from its exact case alone, by its check among `checks`: formulas and arithmetic
/// that share nothing with the claim's own evaluators. Exact rationals and ball arithmetic of 57,
/// 231 and 693 digits, until the two sides separate and 46 digits of both are known; and, after 231
/// digits, an exact comparison of what the sides are made of: `equal` rests on that, or on two
/// exact points, and never on digits.
///
/// Throws BadInput for an id that has no check, or a case that lacks what the claim needs, has a
/// field that its check does not read, or is too large to be decided here. Of a case outside the
/// assumptions such a field goes unnoticed.
Rechecked recheck(const Checks& checks, const std::string& claim_id,
                  const nlohmann::json& exact_case);

/// The library that the ball arithmetic comes from, and its version.
struct BallArithmetic {
  const char* library;
  const char* version;
};
BallArithmetic ball_arithmetic();

}  // namespace attn::recheck
