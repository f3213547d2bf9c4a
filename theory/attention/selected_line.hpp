#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "theory/attention/known_weights.hpp"
#include "theory/number/rationals.hpp"

namespace attn {

/// The line from 0 through s, and where on it tokens are: x_i = t s.
class SelectedLine {
 public:
  explicit SelectedLine(const CaseContext& context)
      : x_(context.embeddings()),
        a_(context),
        mass_(a_.kinds()),
        s_(x_.front().size(), Form(a_.kinds())) {
    for (const std::size_t j : context.selected()) {
      if (a_.share[j] != 0 && mass_[a_.kind[j]] == 0) kinds_.push_back(a_.kind[j]);
      mass_[a_.kind[j]] += a_.share[j];
      for (std::size_t k = 0; k < s_.size(); ++k) s_[k][a_.kind[j]] += x_[j][k] * a_.share[j];
    }
  }

  /// a_i x_i = 0.
  [[nodiscard]] bool adds_nothing(std::size_t i) const {
    return is_weightless(i) || is_zero(x_[i]);
  }
  [[nodiscard]] bool is_weightless(std::size_t i) const { return a_.share[i] == 0; }
  /// s = 0.
  [[nodiscard]] bool is_origin() const { return std::ranges::all_of(s_, is_zero); }
  /// x_i = c.
  [[nodiscard]] bool is_centre(std::size_t i) const {
    for (std::size_t k = 0; k < s_.size(); ++k) {
      for (const std::size_t kind : kinds_) {
        if (x_[i][k] * mass_[kind] != s_[k][kind]) return false;
      }
    }
    return true;
  }
  /// a_i = a_j, where that is known.
  [[nodiscard]] bool is_as_heavy_as(std::size_t i, std::size_t j) const {
    return a_.kind[i] == a_.kind[j] && a_.share[i] == a_.share[j];
  }
  /// The sign of A - a_i; nothing where it is not known.
  [[nodiscard]] std::optional<int> lead(std::size_t i) const {
    return a_.sign(difference(mass_, a_.times_weight(i, 1)));
  }

  // Where t is; false, or nothing, of a token off the line, and where s = 0.
  [[nodiscard]] bool is_behind(std::size_t i) const {  ///< t <= 0
    return is_on_line(i) && along(i) <= 0;
  }
  [[nodiscard]] bool is_ahead(std::size_t i) const {  ///< t >= 0
    return is_on_line(i) && along(i) >= 0;
  }
  /// The sign of t - 1/A; nothing where it is not known.
  [[nodiscard]] std::optional<int> beyond_centre(std::size_t i) const {
    if (!is_on_line(i)) return std::nullopt;
    const auto [k, sign] = *pivot();
    return a_.sign(times(sign, difference(times(x_[i][k], mass_), s_[k])));
  }
  /// a_i t <= 1: a_i x_i is no further than s.
  [[nodiscard]] bool adds_no_more(std::size_t i) const {
    if (!is_on_line(i)) return false;
    const auto [k, sign] = *pivot();
    return a_.sign(times(sign, difference(s_[k], a_.times_weight(i, x_[i][k])))) >= 0;
  }

 private:
  /// A coordinate in which s is certainly not 0.
  struct Pivot {
    std::size_t coordinate;
    int sign;  ///< the sign of s in this coordinate
  };

  /// Nothing where s is 0, or where that is not known.
  [[nodiscard]] const std::optional<Pivot>& pivot() const {
    if (std::exchange(is_sought_, true)) return pivot_;
    for (std::size_t k = 0; k < s_.size() && !pivot_; ++k) {
      if (const auto sign = a_.sign(s_[k]); sign && *sign != 0) pivot_ = Pivot{k, *sign};
    }
    return pivot_;
  }

  /// x_i = t s: what each kind of weight adds to s is then along x_i, or x_i is 0.
  [[nodiscard]] bool is_on_line(std::size_t i) const {
    const std::vector<Rational>& x = x_[i];
    if (is_zero(x)) return pivot().has_value();
    const std::size_t p = pivot_of(x);
    for (std::size_t k = 0; k < s_.size(); ++k) {
      for (const std::size_t kind : kinds_) {
        if (x[k] * s_[p][kind] != x[p] * s_[k][kind]) return false;
      }
    }
    return pivot().has_value();
  }

  /// A number of the sign of t, where x_i is on the line.
  [[nodiscard]] Rational along(std::size_t i) const {
    const auto [k, sign] = *pivot();
    return sign * x_[i][k];
  }

  const std::vector<std::vector<Rational>>& x_;
  KnownWeights a_;
  Form mass_;                       ///< A
  std::vector<Form> s_;             ///< [d]
  std::vector<std::size_t> kinds_;  ///< the kinds of weights that A and s are sums of
  mutable bool is_sought_{false};
  mutable std::optional<Pivot> pivot_;
};

}  // namespace attn
