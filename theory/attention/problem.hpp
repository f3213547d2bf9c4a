#pragma once

#include <optional>
#include <vector>

#include "theory/attention/case.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/attention/sparse.hpp"

namespace attn {

/// A valid case with what can be said of it exactly, before any rounding: the order of the weights,
/// the selected set, and expectations that are rational. Computed on first use; not to be shared
/// between threads. Keeps a reference to the case.
class Problem {
 public:
  explicit Problem(const Case& input) : input_(input) {}

  [[nodiscard]] const Case& input() const { return input_; }

  // The fields of the case, under the names that the statements give them. A field that the case
  // does not have is empty, or throws std::bad_optional_access where it is a number.
  [[nodiscard]] std::size_t tokens() const { return input_.tokens(); }
  [[nodiscard]] const Rational& temperature() const { return input_.temperature; }
  [[nodiscard]] Normalizer normalizer() const { return input_.normalizer; }
  [[nodiscard]] const std::vector<Rational>& weights() const { return input_.weights; }
  [[nodiscard]] const std::vector<std::vector<Rational>>& embeddings() const {
    return input_.embeddings;
  }
  [[nodiscard]] std::size_t top_n() const { return input_.top_n.value(); }
  [[nodiscard]] std::size_t dimension() const { return input_.dimension.value(); }
  [[nodiscard]] const Rational& sphere_radius() const { return input_.sphere_radius.value(); }
  [[nodiscard]] const Rational& r() const { return input_.r.value(); }
  [[nodiscard]] const Rational& delta() const { return input_.delta.value(); }
  [[nodiscard]] const std::optional<Rational>& bound() const { return input_.bound; }
  [[nodiscard]] const std::vector<Rational>& query() const { return input_.query; }
  [[nodiscard]] const std::vector<std::vector<Rational>>& keys() const { return input_.keys; }
  [[nodiscard]] const Rational& epsilon() const { return input_.epsilon.value(); }
  [[nodiscard]] const std::vector<Rational>& direction() const { return input_.direction; }
  [[nodiscard]] const std::vector<Rational>& step() const { return input_.step; }
  [[nodiscard]] std::size_t length() const { return input_.length.value(); }
  [[nodiscard]] const Rational& constant() const { return input_.constant.value(); }
  [[nodiscard]] const Rational& gain() const { return input_.gain.value(); }
  [[nodiscard]] std::size_t degree() const { return input_.degree.value(); }
  [[nodiscard]] const std::vector<std::vector<Rational>>& plan() const { return input_.plan; }

  /// The logits given, or q . k_i of Corollary 1. Empty where weights are given.
  [[nodiscard]] const std::vector<Rational>& logits() const;

  /// z_i = l_i / T. [L]
  [[nodiscard]] std::vector<Rational> scaled_logits() const;

  /// Token indices by decreasing weight, ties to the lower index.
  [[nodiscard]] const std::vector<std::size_t>& order() const;

  /// Whether the two largest weights are exactly equal.
  [[nodiscard]] bool top_tied() const;

  /// The tokens that sparsemax or 1.5-entmax, whichever is the case's normaliser, give weight.
  [[nodiscard]] const Support& support() const;

  /// The selected set I: the N largest weights, or the case's own set.
  [[nodiscard]] const std::vector<std::size_t>& selected() const;

  /// O, the tokens that are not selected.
  [[nodiscard]] const std::vector<std::size_t>& others() const;

  /// Whether E[N_s]/N of Theorem 2 is known exactly: d = 1 or 3, or a trivial case.
  [[nodiscard]] bool share_is_exact() const;

  /// E[N_s]/N of Theorem 2 under Assumption 1, exactly; needs share_is_exact().
  [[nodiscard]] const Rational& expected_share() const;

  /// The same, sampled, for any d.
  [[nodiscard]] const ConfidenceInterval& sampled_share() const;

  /// E[D] over all sets of N tokens, sampled: for C(L, N) > kMostSets.
  [[nodiscard]] const ConfidenceInterval& sampled_distance() const;

  /// Whether a sampled expectation was asked for: a verdict then rests on a confidence interval.
  [[nodiscard]] bool sampled() const { return sampled_share_ || sampled_distance_; }

 private:
  void split() const;
  [[nodiscard]] std::vector<Rational> order_keys() const;

  const Case& input_;
  mutable std::vector<Rational> logits_;
  mutable std::vector<std::size_t> order_;
  mutable std::vector<std::size_t> selected_;
  mutable std::vector<std::size_t> others_;
  mutable std::optional<Support> support_;
  mutable std::optional<Rational> expected_share_;
  mutable std::optional<ConfidenceInterval> sampled_share_;
  mutable std::optional<ConfidenceInterval> sampled_distance_;
};

}  // namespace attn
