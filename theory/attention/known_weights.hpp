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
/// they live, intervals have all digits of the ladder.
struct KnownWeights {
  const WidestExponents widest{};
  const WorkingDigits working{kCapDigits};
  std::vector<Rational> share;    ///< [L]
  std::vector<std::size_t> kind;  ///< [L]
  std::vector<Interval> weight;   ///< w_k

  explicit KnownWeights(const CaseContext& context) {
    if (auto rational = rational_weights(context)) {
      share = std::move(*rational);
      kind.assign(share.size(), 0);
      weight = {Interval(1.0)};
      return;
    }
    std::map<Rational, std::size_t> kinds;
    const std::vector<Interval> a = attention_weights<Interval>(context);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto [place, is_new] = kinds.emplace(context.logits()[i], kinds.size());
      if (is_new) weight.push_back(a[i]);
      kind.push_back(place->second);
      share.emplace_back(a[i].upper() <= 0 ? 0 : 1);  // entmax outside its support: 0
    }
  }

  /// coefficient a_i.
  [[nodiscard]] Form times_weight(std::size_t i, const Rational& coefficient) const {
    Form form(weight.size());
    form[kind[i]] = coefficient * share[i];
    return form;
  }

  [[nodiscard]] Interval value(const Form& form) const {
    Interval sum(0.0);
    for (std::size_t k = 0; k < form.size(); ++k) {
      if (form[k] != 0) sum += from<Interval>(form[k]) * weight[k];
    }
    return sum;
  }

  /// -1, 0 or 1; nothing where that is not known.
  [[nodiscard]] std::optional<int> sign(const Form& form) const {
    if (is_zero(form)) return 0;
    const Interval sum = value(form);
    if (certainly_positive(sum)) return 1;
    return certainly_negative(sum) ? std::optional(-1) : std::nullopt;
  }
};

}  // namespace attn
