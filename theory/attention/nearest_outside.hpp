#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "theory/attention/distance.hpp"

namespace attn {

/// A number of tokens or pairs: `least` and `most` are the same where every comparison could be
/// told.
struct CountBounds {
  std::size_t least{0}, most{0};
  bool operator==(const CountBounds&) const = default;
};

/// A rational `value` that rises, or falls, with a count.
template <class S, class Value>
S of_count(const CountBounds& count, const Value& value) {
  using Traits = ScalarTraits<S>;
  S at_least = from<S>(value(count.least));
  if (count.least == count.most) return at_least;
  const S at_most = from<S>(value(count.most));
  return Traits::enclose(Traits::lower(min(at_least, at_most)),
                         Traits::upper(max(at_least, at_most)));
}

/// Whether y_i = y_j whatever the enclosures of the weights say: equal tokens, or both at 0.
inline bool same_contribution(const CaseContext& context, std::size_t i, std::size_t j) {
  const auto& x = context.embeddings();
  if (x[i] != x[j]) return false;
  return context.scores()[i] == context.scores()[j] || is_zero(x[i]);
}

/// What orders the tokens as ||y_i - s|| does. [L]
template <class W>
std::vector<W> offset_squares(const CaseContext& context, const std::vector<W>& a,
                              const Rows<W>& x) {
  const std::vector<W> s = selected_sum(context, a, x);
  std::vector<W> squares;
  for (std::size_t i = 0; i < a.size(); ++i) squares.push_back(offset_square(a[i], x[i], s));
  return squares;
}

/// How many of the selected tokens are in the ball about s that reaches to the nearest token
/// outside: N_s = #{i in I : ||y_i - s|| <= r}, r = min_{j in O} ||y_j - s||, y_i = a_i x_i. The
/// paper's definition in words also asks that no token outside is in that closed ball: as the
/// nearest always is, it would make N_s 0.
template <class W>
CountBounds ball_count(const CaseContext& context, const std::vector<W>& a, const Rows<W>& x) {
  const std::vector<W> squares = offset_squares(context, a, x);
  CountBounds count;
  for (const std::size_t i : context.selected()) {
    const auto is_above = [&](std::size_t j) { return certainly_less(squares[j], squares[i]); };
    if (std::ranges::any_of(context.others(), is_above)) continue;
    const auto is_at_most = [&](std::size_t j) {
      return certainly_at_most(squares[i], squares[j]) || same_contribution(context, i, j);
    };
    ++count.most;
    if (std::ranges::all_of(context.others(), is_at_most)) ++count.least;
  }
  return count;
}

/// N_s/N less `level`, for N = `selected` tokens: 0 is known exactly.
template <class S>
S share_above(const CountBounds& count, std::size_t selected, const Rational& level) {
  return of_count<S>(count, [&](std::size_t n) { return Rational(n, selected) - level; });
}

/// N_s/N of the case's set.
template <class S>
S share_within_nearest(const CaseContext& context) {
  const CountBounds count =
      with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
        return ball_count(context, a, x);
      });
  return share_above<S>(count, context.selected().size(), 0);
}

// What the paper's figure is said to show of N_s/N, for more selected tokens than kFewSelected.

inline constexpr std::size_t kFewSelected = 16;

inline Rational least_share_shown() {
  return {7, 10};
}

inline Rational most_share_shown() {
  return {17, 20};
}

/// Names the hypothesis that a set of so many tokens does not meet; else empty.
inline std::string_view few_selected(std::size_t selected) {
  return selected > kFewSelected ? std::string_view{} : "N > 16";
}

/// Names the hypothesis that a case does not meet: weights of sum 1, or more than kFewSelected
/// selected tokens; else empty.
inline std::string_view many_selected(const CaseContext& context) {
  if (const auto broken = breaks_theorem1(context); !broken.empty()) return broken;
  return few_selected(context.top_n());
}

}  // namespace attn
