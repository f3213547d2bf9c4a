#pragma once

#include <optional>
#include <vector>

#include "theory/case.hpp"

namespace attn {

/// A valid case with what can be said of it exactly, before any rounding: the order of the weights,
/// the selected set, and expectations that are rational. Computed on first use; not to be shared
/// between threads. Keeps a reference to the case.
class Problem {
 public:
  explicit Problem(const Case& input) : input_(input) {}

  [[nodiscard]] const Case& input() const { return input_; }

  /// Token indices by decreasing weight, ties to the lower index.
  [[nodiscard]] const std::vector<std::size_t>& order() const;

  /// Whether the two largest weights are exactly equal.
  [[nodiscard]] bool top_tied() const;

  /// The selected set I: the N largest weights, or the case's own set.
  [[nodiscard]] const std::vector<std::size_t>& selected() const;

  /// O, the tokens that are not selected.
  [[nodiscard]] const std::vector<std::size_t>& others() const;

  /// E[N_s]/N of Theorem 2 under Assumption 1, exactly: needs d = 1 or 3.
  [[nodiscard]] const Rational& expected_share() const;

 private:
  void split() const;

  const Case& input_;
  mutable std::vector<std::size_t> order_;
  mutable std::vector<std::size_t> selected_;
  mutable std::vector<std::size_t> others_;
  mutable std::optional<Rational> expected_share_;
};

}  // namespace attn
