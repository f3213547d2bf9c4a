#pragma once

#include <map>
#include <string>
#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// sum over kinds of coefficient times the weight of that kind; no coefficient is zero. A form
/// without entries is exactly zero, which no ball can show.
using Form = std::map<std::size_t, Rational>;

/// Attention weights, with equal ones known to be equal: a_i = factor_i basis[kind_i]. Rational
/// weights are of one kind, whose basis is 1. [L]
struct Scores {
  std::vector<Rational> factor;
  std::vector<std::size_t> kind;
  std::vector<Arb> basis;
  std::vector<Arb> a;
  std::vector<std::size_t> order;  ///< tokens by decreasing weight, ties to the lower index

  [[nodiscard]] std::size_t size() const { return a.size(); }
  /// The weights in decreasing order.
  [[nodiscard]] std::vector<Arb> sorted() const;
  /// Adds coefficient a_i to a form.
  void add(Form& form, std::size_t i, const Rational& coefficient) const;
  [[nodiscard]] Arb value(const Form& form) const;
  /// coefficient a_i - form, exactly zero where it is; `total` is the form's value.
  [[nodiscard]] Arb difference(std::size_t i, const Rational& coefficient, const Form& form,
                               const Arb& total) const;
};

/// The weights that a case gives.
Scores given_scores(const Input& input);

/// The weights of a case: given, or of its logits by a normaliser that keeps them non-negative with
/// sum 1: softmax, sigmoid, softplus, taylor, scalable_softmax, sparsemax or entmax.
Scores scores_of(const Input& input);

/// The weights of a case: given, or of its logits by a normaliser of scores_of, or by softmax1,
/// self_adjusted, sigmoid_attention or relu_attention: not negative, of any sum. The order is by
/// logit.
Scores weights_of(const Input& input);

/// What a case lacks to have weights: the gain of pooling or the degree of the polynomial, which no
/// case of a set has, or a logit that is not zero for self_adjusted; empty where nothing.
std::string lacks_weights(const Input& input);

/// What a case lacks to have weights that are not negative, of sum at most 1; empty where nothing.
/// Throws NotTold where the sum is not told from 1.
std::string sum_beyond_one(const Input& input);

/// Weights of z = l/T by softmax, by L^z_i over their sum, and by Self-Adjusted Softmax; of the
/// last not all z are 0.
Scores softmax_scores(const std::vector<Rational>& z);
Scores scalable_scores(const std::vector<Rational>& z);
Scores self_adjusted_scores(const std::vector<Rational>& z);

/// The assumption of a claim on weights that the case's normaliser breaks; empty where none.
std::string no_distribution(const Input& input);

/// Whether a_i = F(z_i) / sum_j F(z_j) with F positive, continuous and independent of L.
bool is_quotient(const std::string& normalizer);

/// F(z) and dF/dz of softmax, sigmoid, softplus or taylor.
struct Slope {
  Arb value, derivative;
};
Slope normalizer_at(const std::string& normalizer, const Rational& z);

/// sum_i z_i and L sum_i z_i^2 - (sum_i z_i)^2, which is L^2 times the variance.
struct Spread {
  Rational length, sum, scatter;

  explicit Spread(const std::vector<Rational>& z) : length(z.size()) {
    for (const Rational& value : z) sum += value;
    scatter = length * squared_norm(z) - sum * sum;
  }
};

/// The roots u_i = max(z_i/2 - tau, 0) of the weights of 1.5-entmax, whose squares sum to 1;
/// exactly zero where they are. [L]
std::vector<Arb> entmax_roots(const std::vector<Rational>& z);

/// max(z_i, 0)/L. [L]
std::vector<Rational> relu_weights(std::vector<Rational> z);

/// The Euclidean projection of z on the simplex. [L]
std::vector<Rational> sparsemax(const std::vector<Rational>& z);

}  // namespace attn::recheck
