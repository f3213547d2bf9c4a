#pragma once

#include <string>
#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// min_i and max_i of values; not empty.
Arb least(const std::vector<Arb>& values);
Arb largest(const std::vector<Arb>& values);

/// H = -sum_i a_i log a_i of weights in decreasing order, of sum 1.
Arb entropy_of(const std::vector<Arb>& a);

/// The same of the logits over T.
Arb entropy_at(const Input& input, const Rational& t);

/// What Lemma 1 speaks of: the weights, and the extremes of F over [-a/T, a/T].
struct Lemma1 {
  Arb length;
  Arb m;
  Arb most;
  std::vector<Arb> a;

  explicit Lemma1(const Input& input);
};

/// What Lemma 1 assumes and the case does not meet; empty where it meets all.
std::string lemma1_unmet(const Input& input);

/// The softmax weights of the logits q.k_j / T, and 2 Delta / T.
struct Corollary1 {
  std::vector<Arb> a;
  Arb exponent;
  std::vector<Arb> own;  ///< 2 ||q|| ||k_i|| / T of each token
  Rational range;        ///< (max_j q.k_j - min_j q.k_j) / T

  explicit Corollary1(const Input& input);
};

}  // namespace attn::recheck
