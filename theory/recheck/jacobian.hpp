#pragma once

#include <vector>

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// A matrix by rows. [n][m]
using Rows = std::vector<std::vector<Arb>>;

/// Temple's inequality: an upper bound of the largest eigenvalue of a symmetric matrix G. For a
/// vector v, rho = v.Gv/v.v and residual = ||Gv - rho v||^2/v.v; no eigenvalue but the largest
/// exceeds nu, and nu < rho.
Arb temple(const Arb& rho, const Arb& residual, const Arb& nu);

/// ||m||, the largest singular value, for up to 256 columns. Throws BadInput beyond.
Arb spectral_norm(const Rows& m);

/// ||diag(a) - a a^T|| for weights in decreasing order whose sum is 1. [L], L >= 1
Arb softmax_norm(const std::vector<Arb>& a);

/// J of a_i = F_i/S with S = rest + sum_j F_j, entry by entry: J_ij = delta_ij F'_i/S - F_i
/// F'_j/S^2, whose diagonal is F'_i (S - F_i)/S^2. `slope` is F' with respect to the logit. [L][L]
Rows quotient_jacobian(const std::vector<Arb>& f, const std::vector<Arb>& slope,
                       const Arb& rest = Arb(0));

/// F and dF/dl of every logit.
struct Quotient {
  std::vector<Arb> f, slope;

  Quotient(const Input& input, const std::string& normalizer);

  [[nodiscard]] Arb norm() const { return spectral_norm(quotient_jacobian(f, slope)); }
};

/// Softmax weights in decreasing order, and ||J||.
struct SoftmaxGradient {
  Arb t;
  std::vector<Arb> a;
  Arb norm;

  explicit SoftmaxGradient(const Input& input);

  /// a_i (1 - a_i) for every i. The rest is summed, so that no digits cancel.
  [[nodiscard]] std::vector<Arb> diagonal() const;
};

/// a_(1) (a_(2) + sum of all but the first), of numbers in decreasing order: ||diag a - a a^T|| is
/// at most that, where they add up to 1.
Arb local_bound(const std::vector<Arb>& a);

/// 1/(2T).
Arb half_over(const Rational& t);

/// ||J|| of Sinkhorn's fixed point, the case's plan.
Arb sinkhorn_norm(const Input& input);

}  // namespace attn::recheck
