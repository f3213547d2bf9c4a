#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "theory/attention/distance.hpp"
#include "theory/attention/token_sets.hpp"

namespace attn {

/// What Theorem 1 (2) and Corollary 2 speak of: I uniform over all sets of N tokens (claims
/// theorem1.random.lower and corollary2.full_set). y_i = a_i x_i, p = (L-N)/L.
template <class S>
struct RandomSetTerms {
  S expected;               ///< E = E[D]
  S share;                  ///< p: the chance of a token not to be selected
  std::vector<S> mean;      ///< ||m_i||, m_i = y_i - (N/(L-1)) sum_{j != i} y_j
  std::vector<S> variance;  ///< V_i: the total variance of s given that i is not selected
  S contributions;          ///< sum_i ||y_i||
};

/// How much of mean and variance a formula asks for: the rest is left empty.
enum class Moments { none, mean, mean_and_variance };

template <class W>
Rows<W> contributions_of(const std::vector<W>& a, const Rows<W>& x) {
  Rows<W> y = x;
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (W& coordinate : y[i]) coordinate = a[i] * coordinate;
  }
  return y;
}

/// a_i a_j x_i . x_j for j <= i, of which x_i . x_j is exact.
template <class W>
Rows<W> inner_products(const std::vector<W>& a, const std::vector<std::vector<Rational>>& x) {
  Rows<W> products(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      products[i].push_back(a[i] * a[j] * from<W>(dot(x[i], x[j])));
    }
  }
  return products;
}

/// E[D] of y_i = a_i x_i by going through every set of `count` tokens. ||y_i - s||^2 takes d
/// operations for each i by coordinates, and N by inner products: it is taken by these where
/// vectors are wide, but where it cancels, as y_i is near s.
template <class S, class W>
S enumerated_distance(const std::vector<W>& a, const std::vector<std::vector<Rational>>& x,
                      std::size_t count) {
  constexpr std::size_t kWide = 16;
  constexpr double kMostCancelled = 0.75;
  Rows<W> rows;
  for (const std::vector<Rational>& row : x) rows.push_back(enclosed<W>(row));
  const Rows<W> y = contributions_of(a, rows);
  const bool by_products = y.front().size() >= kWide;
  const Rows<W> products = by_products ? inner_products(a, x) : Rows<W>{};
  S distance(0.0);
  std::size_t sets = 0;
  for_each_set(y.size(), count, [&](const std::vector<bool>& selected) {
    ++sets;
    std::vector<W> sum(y.front().size(), W(0));
    for (std::size_t j = 0; j < y.size(); ++j) {
      for (std::size_t k = 0; selected[j] && k < sum.size(); ++k) sum[k] += y[j][k];
    }
    const W sum_squared = by_products ? squared_norm(sum) : W(0);
    const auto squared_from_sum = [&](std::size_t i) -> W {
      if (by_products) {
        const W own = products[i][i] + sum_squared;
        W product(0);
        for (std::size_t j = 0; j < y.size(); ++j) {
          if (selected[j]) product += products[std::max(i, j)][std::min(i, j)];
        }
        product *= W(2);
        if constexpr (std::is_same_v<W, Rational>) return own - product;
        if (certainly_less(product, W(W(kMostCancelled) * own))) return own - product;
      }
      return squared_distance(y[i], sum);
    };
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (!selected[i]) distance += sqrt_nonnegative(from<S>(squared_from_sum(i)));
    }
  });
  return distance / from_count<S>(sets);
}

/// What is left of a sum over the other tokens, for each token i.
template <class W>
struct Others {
  std::vector<W> sum;  ///< sum_{j != i} y_j
  W scatter;           ///< sum_{j != i} ||y_j - mean of the others||^2
};

/// The sums over the other tokens by their definition: L d operations for each i, and exact zeros
/// stay zeros.
template <class W>
Others<W> others_of(const Rows<W>& y, std::size_t i, Moments moments) {
  Others<W> others{.sum = std::vector<W>(y.front().size(), W(0)), .scatter = W(0)};
  for (std::size_t j = 0; j < y.size(); ++j) {
    if (j == i) continue;
    for (std::size_t k = 0; k < others.sum.size(); ++k) others.sum[k] += y[j][k];
  }
  if (moments != Moments::mean_and_variance) return others;
  std::vector<W> mean = others.sum;
  for (W& coordinate : mean) coordinate = coordinate / W(static_cast<double>(y.size() - 1));
  for (std::size_t j = 0; j < y.size(); ++j) {
    if (j != i) others.scatter += squared_distance(y[j], mean);
  }
  return others;
}

/// The sums over all tokens, from which those over the others follow with d operations for each i.
template <class W>
class WithoutOne {
 public:
  explicit WithoutOne(const Rows<W>& y) : y_(y), sum_(y.front().size(), W(0)), scatter_(0) {
    for (const auto& row : y) {
      for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += row[k];
    }
    mean_ = sum_;
    for (W& coordinate : mean_) coordinate = coordinate / W(static_cast<double>(y.size()));
    for (const auto& row : y) scatter_ += squared_distance(row, mean_);
  }

  /// The sums without token i: the scatter about the mean is less by L/(L-1) ||y_i - mean||^2.
  [[nodiscard]] Others<W> operator()(std::size_t i) const {
    Others<W> others{.sum = sum_, .scatter = scatter_};
    for (std::size_t k = 0; k < sum_.size(); ++k) others.sum[k] -= y_[i][k];
    const double n = static_cast<double>(y_.size());
    others.scatter -= W(n) / W(n - 1) * squared_distance(y_[i], mean_);
    return others;
  }

 private:
  const Rows<W>& y_;
  std::vector<W> sum_, mean_;
  W scatter_;
};

/// More tokens than this are summed together once.
inline constexpr std::size_t kFewTokens = 64;

/// V_i = N (L-1-N) / ((L-1)(L-2)) sum_{j != i} ||y_j - mean of the others||^2 of L tokens.
template <class W>
W sampling_variance(const W& scatter, std::size_t tokens, std::size_t count) {
  const std::size_t others = tokens - 1;
  if (others < 2 || count == others) return W(0);
  return W(static_cast<double>(count * (others - count))) * scatter /
         W(static_cast<double>(others * (others - 1)));
}

/// The terms of random sets, all but E, for the sets of each of some `counts` of tokens.
template <class S, class W>
std::vector<RandomSetTerms<S>> moments_of(const Rows<W>& y, const std::vector<std::size_t>& counts,
                                          Moments moments) {
  const std::size_t n = y.size();
  S contributions(0.0);
  for (const auto& row : y) contributions += sqrt_nonnegative(from<S>(squared_norm(row)));
  std::vector<RandomSetTerms<S>> terms(counts.size());
  for (std::size_t c = 0; c < counts.size(); ++c) {
    terms[c].share = from<S>(Rational(n - counts[c], n));
    terms[c].contributions = contributions;
  }
  if (moments == Moments::none) return terms;
  std::optional<WithoutOne<W>> without;
  if (n > kFewTokens) without.emplace(y);
  for (std::size_t i = 0; i < n; ++i) {
    const Others<W> others = without ? (*without)(i) : others_of(y, i, moments);
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const W drawn = W(static_cast<double>(counts[c])) / W(static_cast<double>(n - 1));
      const W mean_squared = sum_of_squares<W>(
          y[i].size(), [&](std::size_t k) { return y[i][k] - drawn * others.sum[k]; });
      terms[c].mean.push_back(sqrt_nonnegative(from<S>(mean_squared)));
      if (moments == Moments::mean) continue;
      terms[c].variance.push_back(from<S>(sampling_variance(others.scatter, n, counts[c])));
    }
  }
  return terms;
}

/// The terms of the context's case, whose weights are `a` times one factor; `x`: its embeddings.
template <class S, class W>
RandomSetTerms<S> random_set_terms(const CaseContext& context, const std::vector<W>& a,
                                   const Rows<W>& x, Moments moments) {
  const std::size_t count = context.top_n();
  const Rows<W> y = contributions_of(a, x);
  RandomSetTerms<S> t = moments_of<S>(y, {count}, moments).front();
  if (!is_enumerated(y.size(), count, y.front().size())) {
    const auto& interval = context.sampled_distance();
    using Traits = ScalarTraits<S>;
    t.expected = Traits::enclose(Point<S>(interval.lower), Point<S>(interval.upper));
  } else {
    t.expected = context.once<S>([&] {
      if constexpr (std::is_same_v<W, ErrorDouble>) {
        return enumerated_distance(Contributions(y), count);
      } else {
        return enumerated_distance<S>(a, context.embeddings(), count);
      }
    });
  }
  return t;
}

/// The terms for weights that are `scale` >= 0 times as large.
template <class S>
RandomSetTerms<S> scaled(RandomSetTerms<S> t, const S& scale) {
  t.expected *= scale;
  for (S& mean : t.mean) mean *= scale;
  for (S& variance : t.variance) variance *= square(scale);
  t.contributions *= scale;
  return t;
}

/// The terms for a random set. Where an enclosure would hide an exact zero, and there are few sets,
/// the linear parts are computed in rationals.
template <class S>
RandomSetTerms<S> random_set_terms(const CaseContext& context, Moments moments) {
  constexpr std::size_t kFewSets = 300;
  if constexpr (!std::is_same_v<S, ErrorDouble>) {
    if (const auto a = scaled_weights<S>(context);
        a && sets_of(a->share.size(), context.top_n()) <= kFewSets) {
      return scaled(random_set_terms<S>(context, a->share, context.embeddings(), moments),
                    a->scale);
    }
  }
  return random_set_terms<S>(context, attention_weights<S>(context), embeddings_of<S>(context),
                             moments);
}

/// p sum_i ||m_i||, p sum_i (||m_i|| + sqrt V_i) and p sum_i sqrt(||m_i||^2 + V_i).
template <class S>
S random_lower_bound(const RandomSetTerms<S>& t) {
  return t.share * sum_of(t.mean);
}
template <class S>
S random_upper_bound(const RandomSetTerms<S>& t) {
  return t.share * sum_of<S>(t.mean.size(), [&](std::size_t i) {
           return S(t.mean[i] + sqrt_nonnegative(t.variance[i]));
         });
}
template <class S>
S random_sharp_bound(const RandomSetTerms<S>& t) {
  return t.share * sum_of<S>(t.mean.size(), [&](std::size_t i) {
           return sqrt_nonnegative(S(square(t.mean[i]) + t.variance[i]));
         });
}

/// p sum_i ||y_i||: what the tokens that are not selected contribute on average.
template <class S>
S expected_contributions(const RandomSetTerms<S>& t) {
  return t.share * t.contributions;
}

}  // namespace attn
