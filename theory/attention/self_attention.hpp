#pragma once

#include <algorithm>
#include <vector>

#include "theory/attention/distance.hpp"

namespace attn {

/// diam^2, diam = max_{i, k} ||x_i - x_k||.
inline Rational squared_diameter(const std::vector<std::vector<Rational>>& x) {
  Rational most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      most = std::max(most, squared_distance(x[i], x[k]));
    }
  }
  return most;
}

/// Embeddings that attend to each other: o_i = sum_j a_j x_j, a = softmax(x_i . x_j / T over j).
template <class S>
class SelfAttended {
 public:
  explicit SelfAttended(const CaseContext& problem) {
    const auto& x = problem.embeddings();
    for (const auto& query : x) {
      std::vector<Rational> z;
      for (const auto& key : x) z.push_back(dot(query, key) / problem.temperature());
      outputs_.push_back(about_first(softmax_of<S>(z), x));
    }
  }

  /// max_{i, k} ||o_i - o_k||.
  [[nodiscard]] S diameter() const {
    S most(0.0);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        most = max(most, squared_distance(outputs_[i], outputs_[k]));
      }
    }
    return sqrt_nonnegative(most);
  }

 private:
  static Rational dot(const std::vector<Rational>& u, const std::vector<Rational>& v) {
    return std::inner_product(u.begin(), u.end(), v.begin(), Rational(0));
  }

  /// sum_j a_j (x_j - x_1): exactly zero where all embeddings are equal.
  static std::vector<S> about_first(const std::vector<S>& a,
                                    const std::vector<std::vector<Rational>>& x) {
    std::vector<S> sum(x.front().size(), S(0.0));
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] += a[j] * from<S>(Rational(x[j][k] - x[0][k]));
      }
    }
    return sum;
  }

  std::vector<std::vector<S>> outputs_;  ///< o_i - x_1. [L][d]
};

}  // namespace attn
