#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// What came out about one statement of the paper, for those who read nothing else.
struct PlainVerdict {
  std::string statement{};  ///< "Theorem 1"
  std::string verdict{};    ///< one of the words below
  std::string gist{};       ///< a few words, for a line of the console
  std::string text{};       ///< a few sentences, with marked formulas
  bool is_rebuilt{};        ///< some of its formulas are reconstructed
};

// By the claims that the paper makes; kCompared where it makes none there.
inline constexpr std::string_view kHolds = "holds";
inline constexpr std::string_view kHoldsInPart = "holds in part";
inline constexpr std::string_view kFalse = "false as written";
inline constexpr std::string_view kCompared = "bounds of our own";
inline constexpr std::string_view kNotSettled = "not settled";

/// The statements that the report has claims about, in the order of the paper. What the proofs and
/// counterexamples say is said only where this run bears it out: with any claim of a statement not
/// as expected its verdict is kNotSettled, and its text names those claims.
std::vector<PlainVerdict> plain_verdicts(const Report& report);

}  // namespace attn::report
