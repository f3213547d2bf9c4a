#pragma once

#include <optional>
#include <vector>

#include "theory/attention/case.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/attention/sparse.hpp"

namespace attn {

/// A valid case with what can be said of it exactly, before any rounding: the order of the weights,
/// the selected set, and expectations that are rational or sampled. Computed on first use; not to
/// be shared between threads. Keeps a reference to the case.
class CaseContext {
 public:
  explicit CaseContext(const Case& input);
  explicit CaseContext(Case&&) = delete;

  [[nodiscard]] const Case& input() const { return input_; }

  // The fields of the case, under the names that the statements give them. What the case's kind
  // does not have is a std::logic_error that names both.
  [[nodiscard]] std::size_t tokens() const { return tokens_of(input_); }
  [[nodiscard]] const Rational& temperature() const {
    return temperature_ == nullptr ? value_of<case_field::temperature>(input_) : *temperature_;
  }
  [[nodiscard]] const Rational& colder() const { return value_of<case_field::colder>(input_); }
  [[nodiscard]] Normalizer normalizer() const {
    return normalizer_ == nullptr ? value_of<case_field::normalizer>(input_) : *normalizer_;
  }
  [[nodiscard]] const std::vector<Rational>& weights() const {
    return weights_given_ == nullptr ? value_of<case_field::weights>(input_) : *weights_given_;
  }
  [[nodiscard]] const std::vector<std::vector<Rational>>& embeddings() const {
    return value_of<case_field::embeddings>(input_);
  }
  [[nodiscard]] std::size_t top_n() const { return value_of<case_field::top_n>(input_); }
  [[nodiscard]] std::size_t dimension() const { return value_of<case_field::dimension>(input_); }
  [[nodiscard]] const Rational& sphere_radius() const {
    return value_of<case_field::sphere_radius>(input_);
  }
  [[nodiscard]] const Rational& r() const { return value_of<case_field::r>(input_); }
  [[nodiscard]] const Rational& delta() const { return value_of<case_field::delta>(input_); }
  [[nodiscard]] const std::vector<Rational>& query() const {
    return value_of<case_field::query>(input_);
  }
  [[nodiscard]] const std::vector<std::vector<Rational>>& keys() const {
    return value_of<case_field::keys>(input_);
  }
  [[nodiscard]] const Rational& epsilon() const { return value_of<case_field::epsilon>(input_); }
  [[nodiscard]] const Rational& larger_epsilon() const {
    return value_of<case_field::larger_epsilon>(input_);
  }
  [[nodiscard]] const std::vector<Rational>& direction() const {
    return value_of<case_field::direction>(input_);
  }
  [[nodiscard]] const std::vector<Rational>& step() const {
    return value_of<case_field::step>(input_);
  }
  [[nodiscard]] const Rational& reach() const { return value_of<case_field::reach>(input_); }
  [[nodiscard]] std::size_t length() const { return value_of<case_field::length>(input_); }
  [[nodiscard]] const Rational& spread() const { return value_of<case_field::spread>(input_); }
  [[nodiscard]] const Rational& constant() const { return value_of<case_field::constant>(input_); }
  [[nodiscard]] const Rational& gain() const { return value_of<case_field::gain>(input_); }
  [[nodiscard]] std::size_t degree() const { return value_of<case_field::degree>(input_); }
  [[nodiscard]] const std::vector<std::vector<Rational>>& plan() const {
    return value_of<case_field::plan>(input_);
  }

  /// Null where the case gives none.
  [[nodiscard]] const Rational* bound() const { return find_value<case_field::bound>(input_); }

  /// Whether weights are given, in place of logits or where there are none.
  [[nodiscard]] bool has_weights() const {
    return weights_given_ != nullptr && !weights_given_->empty();
  }

  /// The logits given, or q . k_i of Corollary 1. Empty where weights are given.
  [[nodiscard]] const std::vector<Rational>& logits() const;

  /// z_i = l_i / T. [L]
  [[nodiscard]] std::vector<Rational> scaled_logits() const;

  /// The weights given, or the logits.
  [[nodiscard]] const std::vector<Rational>& scores() const;

  /// Token indices by decreasing score, ties to the lower index.
  [[nodiscard]] const std::vector<std::size_t>& score_order() const;

  /// Token indices by decreasing weight, ties to the lower index.
  [[nodiscard]] const std::vector<std::size_t>& order() const;

  /// The first token of order(), and the last, found without the order of the others.
  [[nodiscard]] std::size_t largest() const;
  [[nodiscard]] std::size_t least() const;

  /// Whether the two largest weights are exactly equal.
  [[nodiscard]] bool top_tied() const;

  /// Whether all weights but the largest are exactly equal. Needs two tokens.
  [[nodiscard]] bool others_tied() const;

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

  /// E[D] over all sets of N tokens, sampled: for those that are not is_enumerated().
  [[nodiscard]] const ConfidenceInterval& sampled_distance() const;

  /// Whether a sampled expectation was asked for: a verdict then rests on a confidence interval.
  [[nodiscard]] bool sampled() const { return sampled_share_ || sampled_distance_; }

  /// Draws more for the expectations that were asked for; false where none can have more.
  [[nodiscard]] bool draw_more() const;

 private:
  void split() const;
  [[nodiscard]] const std::vector<Rational>& order_keys() const;

  const Case& input_;
  // The fields that are asked for again and again; null where the kind does not have them.
  const Rational* temperature_;
  const Normalizer* normalizer_;
  const std::vector<Rational>* weights_given_;
  const std::vector<Rational>* logits_given_;
  mutable std::vector<Rational> logits_;
  mutable std::vector<Rational> order_keys_;
  mutable std::vector<std::size_t> score_order_;
  mutable std::vector<std::size_t> order_;
  mutable std::vector<std::size_t> selected_;
  mutable std::vector<std::size_t> others_;
  mutable std::optional<Support> support_;
  mutable std::optional<Rational> expected_share_;
  mutable std::optional<SampledShare> sampled_share_;
  mutable std::optional<SampledDistance> sampled_distance_;
};

}  // namespace attn
