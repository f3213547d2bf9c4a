#include <algorithm>
#include <optional>
#include <vector>

#include "theory/attention/attained.hpp"
#include "theory/attention/known_weights.hpp"
#include "theory/attention/output.hpp"
#include "theory/number/sums.hpp"

namespace attn {
namespace {

/// Whether x = d + r for numbers x, d, r >= 0 of these squares: x^2 - d^2 - r^2 is 2 d r.
bool adds_up(const Rational& x, const Rational& d, const Rational& r) {
  const Rational twice = x - d - r;
  return twice >= 0 && square(twice) == 4 * d * r;
}

/// What both of Theorem 1's bounds on D by d1 and X are made of.
class PrintedBound {
 public:
  explicit PrintedBound(const CaseContext& context)
      : context_(context), x_(context.embeddings()), a_(context), mass_(a_.kinds()) {
    for (const std::size_t j : context.selected()) {
      mass_[a_.kind[j]] += a_.share[j];
      if (a_.share[j] != 0) weighted_.push_back(j);
    }
    centre_ = weighted_.empty() ? nullptr : shared_embedding(context, weighted_);
    if (is_apart()) return;
    for (const std::size_t j : context.selected()) {
      radius_ = max(radius_, squared_norm(x_[j]));
      for (const std::size_t i : context.others()) {
        spread_ = max(spread_, squared_distance(x_[i], x_[j]));
      }
    }
  }

  /// D = (1-A) d1 + X sum_{i in O} |A - a_i|, token by token.
  [[nodiscard]] bool is_met() const {
    return !is_apart() && std::ranges::all_of(context_.others(), [&](std::size_t i) {
      return weighted_.empty() ? is_met_without_mass(i) : is_met_by(i, *centre_);
    });
  }

  /// Whether all A - a_i >= 0, or X = 0: the absolute values then change nothing.
  [[nodiscard]] bool is_signed() const {
    return radius_ == 0 ||
           std::ranges::all_of(context_.others(), [&](std::size_t i) { return lead(i) >= 0; });
  }

 private:
  /// Whether the tokens of weight in I are not all at one vector.
  [[nodiscard]] bool is_apart() const { return !weighted_.empty() && centre_ == nullptr; }

  /// The sign of A - a_i; nothing where it is not known. Of the N largest weights A exceeds every
  /// a_i outside, but for N = 1 and a_i = A.
  [[nodiscard]] std::optional<int> lead(std::size_t i) const {
    const Form form = difference(mass_, a_.times_weight(i, 1));
    const bool is_top = context_.input().top_n > 0;
    return is_top ? std::optional(is_zero(form) ? 0 : 1) : a_.sign(form);
  }

  /// Whether the bound is met by token i where A = 0: s = 0, and a_i ||x_i|| is to be a_i (d1 + X).
  [[nodiscard]] bool is_met_without_mass(std::size_t i) const {
    return a_.share[i] == 0 || adds_up(squared_norm(x_[i]), spread_, radius_);
  }

  /// ||a_i (x_i - c) - (A - a_i) c|| = a_i d1 + |A - a_i| X: each vector is as long as it can be,
  /// and they point one way.
  [[nodiscard]] bool is_met_by(std::size_t i, const std::vector<Rational>& c) const {
    const std::optional<int> ahead = lead(i);
    if (!ahead) return false;
    const bool is_far = a_.share[i] == 0 || squared_distance(x_[i], c) == spread_;
    const bool is_long = ahead == 0 || squared_norm(c) == radius_;
    if (!is_far || !is_long) return false;
    return a_.share[i] == 0 || ahead == 0 || x_[i] == c || is_zero(c) || points(i, c) == -*ahead;
  }

  /// The sign of t where x_i - c = t c, c other than 0; 0 where there is no such t.
  [[nodiscard]] int points(std::size_t i, const std::vector<Rational>& c) const {
    const std::vector<Rational> offset = difference(x_[i], c);
    const std::size_t pivot = pivot_of(c);
    return is_along(offset, c, pivot) ? offset[pivot].sign() * c[pivot].sign() : 0;
  }

  const CaseContext& context_;
  const std::vector<std::vector<Rational>>& x_;
  KnownWeights a_;
  Form mass_;                              ///< A
  std::vector<std::size_t> weighted_;      ///< the tokens of I with a_j > 0
  const std::vector<Rational>* centre_{};  ///< c; null where there is none
  Rational spread_;                        ///< d1^2, where not is_apart()
  Rational radius_;                        ///< X^2, where not is_apart()
};

}  // namespace

bool attains_theorem1(const CaseContext& context) {
  const PrintedBound bound(context);
  return bound.is_met() && bound.is_signed();
}

bool attains_theorem1_any_set(const CaseContext& context) {
  return PrintedBound(context).is_met();
}

}  // namespace attn
