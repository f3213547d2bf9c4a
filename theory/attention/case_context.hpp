#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "theory/attention/kind.hpp"
#include "theory/attention/sampled_distance.hpp"
#include "theory/attention/sampled_share.hpp"
#include "theory/attention/sparse.hpp"
#include "theory/number/exact.hpp"
#include "theory/number/interval.hpp"

namespace attn {

/// A valid case with what can be said of it exactly, before any rounding: the order of the weights,
/// the selected set, and expectations that are rational or sampled. Computed on first use; not to
/// be shared between threads. Keeps a reference to the case.
class CaseContext {
 public:
  explicit CaseContext(const Case& input);
  explicit CaseContext(Case&&) = delete;
  CaseContext(const CaseContext&) = delete;  // what is found of it may refer to it

  [[nodiscard]] const Case& input() const { return input_; }

  // The fields of the case, under the names that the statements give them. What the case does not
  // have is a std::logic_error that names the kind and the field.
  [[nodiscard]] std::size_t tokens() const { return tokens_of(input_); }
  [[nodiscard]] const Rational& temperature() const { return input_.temperature; }
  [[nodiscard]] const auto& colder() const { return given(input_.colder, case_field::colder); }
  [[nodiscard]] Normalizer normalizer() const { return normalizer_; }
  [[nodiscard]] const auto& weights() const { return given(input_.weights, case_field::weights); }
  [[nodiscard]] const auto& embeddings() const {
    return given(input_.embeddings, case_field::embeddings);
  }
  [[nodiscard]] std::size_t top_n() const { return given(input_.top_n, case_field::top_n); }
  [[nodiscard]] std::size_t dimension() const {
    return given(input_.dimension, case_field::dimension);
  }
  [[nodiscard]] const auto& sphere_radius() const {
    return given(input_.sphere_radius, case_field::sphere_radius);
  }
  [[nodiscard]] const auto& r() const { return given(input_.r, case_field::r); }
  [[nodiscard]] const auto& delta() const { return given(input_.delta, case_field::delta); }
  [[nodiscard]] const auto& appended() const {
    return given(input_.appended, case_field::appended);
  }
  [[nodiscard]] std::size_t longer() const { return given(input_.longer, case_field::longer); }
  [[nodiscard]] const auto& query() const { return given(input_.query, case_field::query); }
  [[nodiscard]] const auto& keys() const { return given(input_.keys, case_field::keys); }
  [[nodiscard]] const auto& epsilon() const { return given(input_.epsilon, case_field::epsilon); }
  [[nodiscard]] const auto& larger_epsilon() const {
    return given(input_.larger_epsilon, case_field::larger_epsilon);
  }
  [[nodiscard]] const auto& direction() const {
    return given(input_.direction, case_field::direction);
  }
  [[nodiscard]] const auto& step() const { return given(input_.step, case_field::step); }
  [[nodiscard]] const auto& reach_constant() const {
    return given(input_.reach_constant, case_field::reach_constant);
  }
  [[nodiscard]] const auto& probability() const {
    return given(input_.probability, case_field::probability);
  }
  /// The tokens that a case names as such.
  [[nodiscard]] const auto& named_set() const { return given(input_.set, case_field::set); }
  [[nodiscard]] std::size_t length() const { return given(input_.length, case_field::length); }
  [[nodiscard]] const auto& spread() const { return given(input_.spread, case_field::spread); }
  [[nodiscard]] const auto& lipschitz_constant() const {
    return given(input_.lipschitz_constant, case_field::lipschitz_constant);
  }
  [[nodiscard]] const auto& gain() const { return given(input_.gain, case_field::gain); }
  [[nodiscard]] std::size_t exponent() const {
    return given(input_.exponent, case_field::exponent);
  }
  [[nodiscard]] const auto& plan() const { return given(input_.plan, case_field::plan); }

  /// Null where the case gives none.
  [[nodiscard]] const Rational* logit_bound() const {
    return input_.logit_bound ? &*input_.logit_bound : nullptr;
  }

  /// Whether weights are given, in place of logits or where there are none.
  [[nodiscard]] bool has_weights() const { return !input_.weights.empty(); }

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

  /// E[N_s]/N of Theorem 2 where no direction matters, under both assumptions where delta > 0;
  /// nothing elsewhere, and on the line.
  [[nodiscard]] const std::optional<Rational>& settled_share() const;

  /// Whether E[N_s]/N of Theorem 2 is known exactly: d = 1 or 3, or where no direction matters.
  [[nodiscard]] bool share_is_exact() const;

  /// E[N_s]/N of Theorem 2 under Assumption 1, or where no direction matters, exactly; needs
  /// share_is_exact().
  [[nodiscard]] const Rational& expected_share() const;

  /// An interval around E[N_s]/N of Theorem 2 under Assumption 1, sampled, for any d.
  [[nodiscard]] const ConfidenceInterval& sampled_share() const;

  /// E[D] over all sets of N tokens, sampled: for those that are not is_enumerated().
  [[nodiscard]] const ConfidenceInterval& sampled_distance() const;

  /// Whether a sampled expectation was asked for: a verdict then rests on a confidence interval.
  [[nodiscard]] bool sampled() const { return sampled_share_ || sampled_distance_; }

  /// What `find()` finds in the arithmetic S, which depends on the case and the working digits
  /// alone: found once, for a case is asked for the same by several claims. `find` is a lambda with
  /// captures, written in the function that all of them call: its type, which no other place has,
  /// is what the result is kept under. A reference, until more is drawn.
  template <class S, class Find>
    requires(std::is_class_v<Find> && !std::is_copy_assignable_v<Find>)
  const auto& once(const Find& find) const {
    using Result = decltype(find());
    const Place place(&kKey<std::pair<S, Find>>, arithmetic<S>());
    const auto at = std::ranges::find(found_, place, &Found::first);
    if (at != found_.end()) return *static_cast<const Result*>(at->second.get());
    const auto result = std::make_shared<const Result>(find());
    found_.emplace_back(place, result);
    return *result;
  }

  /// What exact numbers of this case are made of.
  [[nodiscard]] symbolic::Tables& tables() const;

  /// Draws more for the expectations that were asked for; false where none can have more.
  [[nodiscard]] bool draw_more() const;

 private:
  /// Has an address for each key.
  template <class Key>
  static constexpr char kKey{};
  using Place = std::pair<const char*, std::size_t>;
  /// What numbers of type S have in common that are of use to each other.
  template <class S>
  static std::size_t arithmetic() {
    if constexpr (std::is_same_v<S, Interval>) {
      return WorkingDigits::now();
    } else if constexpr (std::is_same_v<S, Exact>) {
      return symbolic::Work::number();
    } else {
      return 0;
    }
  }
  using Found = std::pair<Place, std::shared_ptr<const void>>;

  [[noreturn]] void refuse(const Field& field) const;
  /// The value of a field that the case must have.
  const Rational& given(const std::optional<Rational>& number, const Field& field) const {
    if (!number) refuse(field);
    return *number;
  }
  std::size_t given(std::size_t count, const Field& field) const {
    if (count == 0) refuse(field);
    return count;
  }
  template <class T>
  const std::vector<T>& given(const std::vector<T>& list, const Field& field) const {
    if (list.empty()) refuse(field);
    return list;
  }
  void split() const;
  [[nodiscard]] const std::vector<Rational>& order_keys() const;
  /// R a_i of the selected tokens.
  [[nodiscard]] std::vector<Rational> selected_radii() const;

  const Case& input_;
  Normalizer normalizer_;
  mutable std::vector<Rational> logits_;
  mutable std::vector<Rational> order_keys_;
  mutable std::vector<std::size_t> score_order_;
  mutable std::vector<std::size_t> order_;
  mutable std::vector<std::size_t> selected_;
  mutable std::vector<std::size_t> others_;
  mutable std::optional<Support> support_;
  mutable std::optional<std::optional<Rational>> settled_share_;
  mutable std::optional<Rational> expected_share_;
  mutable std::optional<SampledShare> sampled_share_;
  mutable std::optional<SampledDistance> sampled_distance_;
  mutable std::shared_ptr<symbolic::Tables> tables_;
  mutable std::vector<Found> found_;
};

}  // namespace attn
