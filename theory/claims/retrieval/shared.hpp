#pragma once

#include <map>
#include <vector>

#include "theory/attention/attained.hpp"
#include "theory/attention/output.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims {

// What is lost when a head keeps the tokens of I alone, o = s + e: s = sum_{i in I} a_i x_i and e =
// sum_{i in O} a_i x_i.

/// sum_i a_i (x_i - origin) over some tokens. Those of equal scores are added up exactly, so that
/// what cancels among them is 0.
template <class W>
std::vector<W> sum_about(const CaseContext& context, const std::vector<W>& a,
                         const std::vector<std::size_t>& tokens,
                         const std::vector<Rational>& origin) {
  struct Tied {
    std::size_t token;
    std::vector<Rational> sum;
  };
  std::map<Rational, Tied> by_score;
  for (const std::size_t i : tokens) {
    const auto place = by_score.try_emplace(
        context.scores()[i], Tied{.token = i, .sum = std::vector<Rational>(origin.size())});
    std::vector<Rational>& sum = place.first->second.sum;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += context.embeddings()[i][k] - origin[k];
  }
  std::vector<W> total(origin.size(), W(0));
  for (const auto& [score, tied] : by_score) {
    for (std::size_t k = 0; k < total.size(); ++k) {
      total[k] += a[tied.token] * from<W>(tied.sum[k]);
    }
  }
  return total;
}

/// ||v||.
template <class S, class W>
S enclosed_length(const std::vector<W>& v) {
  if constexpr (std::is_same_v<W, Rational>) {
    return sqrt_nonnegative(from<S>(squared_norm(v)));
  } else {
    return length_of(v);
  }
}

/// ||e||.
template <class S>
S lost_length(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>& x) {
    const std::vector<Rational> zero(x.front().size());
    return enclosed_length<S>(sum_about(context, a, context.others(), zero));
  });
}

/// A set of tokens, and the others.
struct Parts {
  std::vector<std::size_t> kept, left_out;
};

/// The case's own set.
inline Parts own_parts(const CaseContext& context) {
  return {.kept = context.selected(), .left_out = context.others()};
}

/// The so many tokens of the largest weights, ties to the lower index. count <= L.
inline Parts largest_parts(const CaseContext& context, std::size_t count) {
  const auto& order = context.order();
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
  return {.kept = {order.begin(), middle}, .left_out = {middle, order.end()}};
}

/// A and 1 - A.
template <class W>
struct Masses {
  W inside{0};
  W outside{0};

  Masses(const std::vector<W>& a, const Parts& parts) {
    for (const std::size_t j : parts.kept) inside += a[j];
    for (const std::size_t i : parts.left_out) outside += a[i];
  }
};

/// o - s/A = e - (1-A) s/A, A > 0 and sum_i a_i = 1: of embeddings about one of I, so that nothing
/// cancels where those of I are all one vector. [d]
template <class W>
std::vector<W> renormalised_offset(const CaseContext& context, const std::vector<W>& a,
                                   const Parts& parts) {
  const std::vector<Rational>& origin = context.embeddings()[parts.kept.front()];
  std::vector<W> error = sum_about(context, a, parts.left_out, origin);
  const std::vector<W> s = sum_about(context, a, parts.kept, origin);
  const Masses<W> mass(a, parts);
  for (std::size_t k = 0; k < s.size(); ++k) error[k] -= mass.outside * s[k] / mass.inside;
  return error;
}

/// ||o - s/A||, A > 0 and sum_i a_i = 1.
template <class S>
S renormalised_error(const CaseContext& context, const Parts& parts) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>&) {
    return enclosed_length<S>(renormalised_offset(context, a, parts));
  });
}

/// That of the case's own set.
template <class S>
S renormalised_error(const CaseContext& context) {
  return renormalised_error<S>(context, own_parts(context));
}

/// 1 - A, summed over O.
template <class S>
S mass_outside(const CaseContext& context) {
  const std::vector<S> a = attention_weights<S>(context);
  S sum(0.0);
  for (const std::size_t i : context.others()) sum += a[i];
  return sum;
}

/// a_i ||x_i|| of the tokens of O.
template <class S>
std::vector<S> contributions_outside(const CaseContext& context) {
  const std::vector<S> a = attention_weights<S>(context);
  std::vector<S> lengths;
  for (const std::size_t i : context.others()) {
    lengths.push_back(a[i] * embedding_length<S>(context, i));
  }
  return lengths;
}

template <class S>
S largest_of(const std::vector<S>& values) {
  return std::accumulate(values.begin(), values.end(), S(0.0),
                         [](const S& a, const S& b) { return max(a, b); });
}

/// max_{i in O} ||x_i||^2.
inline Rational longest_square_outside(const CaseContext& context) {
  Rational longest = 0;
  for (const std::size_t i : context.others()) {
    longest = std::max(longest, squared_norm(context.embeddings()[i]));
  }
  return longest;
}

}  // namespace attn::claims
