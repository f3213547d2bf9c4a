#pragma once

#include <string>
#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// F and dF/dl of every logit, and ||J||.
struct Lemma2 {
  std::vector<Arb> f;
  std::vector<Arb> slope;
  Arb norm;
  Arb length;

  explicit Lemma2(const Input& input);

  /// max_j |F'_j|.
  [[nodiscard]] Arb steepest() const;
};

/// What Lemma 2 assumes and the case's normaliser does not meet; empty where it meets all.
std::string lemma2_unmet(const Input& input);

/// Softmax weights in decreasing order, and ||J||.
struct SoftmaxGradient {
  Arb t;
  std::vector<Arb> a;
  Arb norm;

  explicit SoftmaxGradient(const Input& input);

  /// a_i (1 - a_i) for every i. The rest is summed, so that no digits cancel.
  [[nodiscard]] std::vector<Arb> diagonal() const;
};

/// The printed bound of Corollary 3, min{1/(4T), sqrt 2}.
Arb printed_bound(const Arb& t);

/// g = ||softmax((l + epsilon v)/T) - softmax(l/T)||/epsilon, v = direction/||direction||. With
/// w = epsilon v/T, the i-th difference is a_i (e^w_i - sum_j a_j e^w_j) / sum_j a_j e^w_j.
/// `field`: the one that holds epsilon.
Arb finite_difference(const Input& input, const std::string& field = "epsilon");

}  // namespace attn::recheck
