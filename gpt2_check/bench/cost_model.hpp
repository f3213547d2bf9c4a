#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace attn::gpt2 {

/// What is checked of one window.
struct WindowShape {
  double tokens{};      ///< L
  double head_width{};  ///< d
  double heads{};       ///< H, of all layers
};

/// What a part of a window's cost grows with.
struct Term {
  std::string_view name;
  double (*of)(const WindowShape&);
};
/// Every row of a head meets the tokens that it sees.
inline constexpr Term kPairs{
    "H L^2 d", [](const WindowShape& s) { return s.heads * s.tokens * s.tokens * s.head_width; }};
/// A row of a head has as many claims however many tokens it sees.
inline constexpr Term kRows{"H L", [](const WindowShape& s) { return s.heads * s.tokens; }};
/// The worst case of each claim is certified once a window; mostly it is a short row.
inline constexpr Term kWidth{"d", [](const WindowShape& s) { return s.head_width; }};
/// Each head has its line in the report.
inline constexpr Term kHeads{"H", [](const WindowShape& s) { return s.heads; }};
/// The worst case of each claim is written out with its keys and embeddings.
inline constexpr Term kCases{"L d", [](const WindowShape& s) { return s.tokens * s.head_width; }};
/// The rest of a window's result.
inline constexpr Term kWindow{"1", [](const WindowShape&) { return 1.0; }};

struct MeasuredWindow {
  WindowShape shape;
  double cost{};  ///< above 0: seconds, or bytes
};

/// The cost of one window as a sum of terms, each with its coefficient.
struct CostModel {
  std::vector<Term> terms;
  std::vector<double> coefficients;

  [[nodiscard]] double of(const WindowShape& shape) const;
  /// The largest |model / measured - 1|.
  [[nodiscard]] double worst_error(const std::vector<MeasuredWindow>& measured) const;
};

/// The coefficients with the least squares of relative errors. There are as many windows as terms,
/// or more, of shapes that tell the terms apart.
CostModel fit(std::vector<Term> terms, const std::vector<MeasuredWindow>& measured);

/// A run over windows, on equal cores with a rank each.
struct RunCost {
  double window_seconds{};  ///< that a rank is at work for a window
  double fold_seconds{};    ///< that rank 0 is, for each, when its result comes in
  std::uint64_t windows{};
  std::int64_t layers{};  ///< of each

  /// Of the whole run: as long as the rank with the most windows takes, then the windows that are
  /// cut into layers, each of which rank 0 joins, and what rank 0 does for all windows, as if it
  /// could do nothing of it meanwhile.
  [[nodiscard]] double seconds(std::uint64_t ranks) const;

  /// The seconds of one rank over those of all ranks together.
  [[nodiscard]] double efficiency(std::uint64_t ranks) const;
};

}  // namespace attn::gpt2
