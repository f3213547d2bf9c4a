#pragma once

#include <map>
#include <optional>
#include <vector>

#include "theory/attention/weights.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/rationals.hpp"

namespace attn {

/// sum_k c_k w_k over the distinct weights w_k > 0 of a case. It is zero where every c_k is, and of
/// softmax nowhere else: exponentials of distinct rationals are linearly independent over the
/// rationals (Lindemann-Weierstrass).
using Form = std::vector<Rational>;

/// u - v.
inline Form difference(Form u, const Form& v) {
  for (std::size_t k = 0; k < u.size(); ++k) u[k] -= v[k];
  return u;
}

inline Form times(const Rational& factor, Form form) {
  for (Rational& c : form) c *= factor;
  return form;
}

/// Weights of which equal ones are known to be equal: a_i = share_i w_k, k = kind_i, w_k > 0. While
/// they live, intervals have all digits of the ladder. The w_k are computed where a sign is first
/// asked for that depends on them: of a row of many tokens that takes long.
class KnownWeights {
 public:
  std::vector<Rational> share;    ///< [L]
  std::vector<std::size_t> kind;  ///< [L]

  explicit KnownWeights(const CaseContext& context) : context_(context) {
    if (auto rational = rational_weights(context)) {
      share = std::move(*rational);
      kind.assign(share.size(), 0);
      weight_ = {Interval(1.0)};
      first_of_kind_ = {0};
      return;
    }
    const std::vector<bool> has_weight = support();
    std::map<Rational, std::size_t> kinds;
    for (std::size_t i = 0; i < has_weight.size(); ++i) {
      const auto [place, is_new] = kinds.emplace(context.logits()[i], kinds.size());
      if (is_new) first_of_kind_.push_back(i);
      kind.push_back(place->second);
      share.emplace_back(has_weight[i] ? 1 : 0);  // entmax outside its support: 0
    }
  }

  /// How many w_k there are.
  [[nodiscard]] std::size_t kinds() const { return first_of_kind_.size(); }

  /// coefficient a_i.
  [[nodiscard]] Form times_weight(std::size_t i, const Rational& coefficient) const {
    Form form(kinds());
    form[kind[i]] = coefficient * share[i];
    return form;
  }

  /// -1, 0 or 1; nothing where that is not known.
  [[nodiscard]] std::optional<int> sign(const Form& form) const {
    if (is_zero(form)) return 0;
    const Interval sum = value(form);
    if (certainly_positive(sum)) return 1;
    return certainly_negative(sum) ? std::optional(-1) : std::nullopt;
  }

 private:
  /// Which tokens have a weight other than 0, by their enclosures where it is not known exactly.
  [[nodiscard]] std::vector<bool> support() const {
    std::vector<bool> known = known_support(context_);
    if (!known.empty()) return known;
    for (const Interval& a : attention_weights<Interval>(context_)) {
      known.push_back(a.upper() > 0);
    }
    return known;
  }

  [[nodiscard]] Interval value(const Form& form) const {
    if (weight_.empty()) {
      const std::vector<Interval> a = attention_weights<Interval>(context_);
      for (const std::size_t i : first_of_kind_) weight_.push_back(a[i]);
    }
    Interval sum(0.0);
    for (std::size_t k = 0; k < form.size(); ++k) {
      if (form[k] != 0) sum += from<Interval>(form[k]) * weight_[k];
    }
    return sum;
  }

  const CaseContext& context_;
  WidestExponents widest_{};
  WorkingDigits working_{kCapDigits};
  std::vector<std::size_t> first_of_kind_;  ///< [k]
  mutable std::vector<Interval> weight_;    ///< w_k; empty until one is asked for
};

}  // namespace attn
