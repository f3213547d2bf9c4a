#include <memory>
#include <utility>
#include <vector>

#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {
namespace {

/// ||diag(a) - a a^T||, which lies between the two largest weights, where these differ.
class SecularNorm : public symbolic::Norm {
 public:
  explicit SecularNorm(SortedWeights<Exact> weights) : weights_(std::move(weights)) {}

  [[nodiscard]] int compare(const Exact& x) const override {
    if (!(x > weights_.a[1])) return 1;
    if (!(x < weights_.a[0])) return -1;
    return attn::compare(detail::secular(weights_, x), 0);
  }

 private:
  SortedWeights<Exact> weights_;
};

/// The largest root of an eigenvalue of a Gram matrix that is not zero.
class GramNorm : public symbolic::Norm {
 public:
  explicit GramNorm(Matrix<Exact> gram) : gram_(std::move(gram)) {}

  /// By symmetric elimination of x^2 I - gram: of a negative pivot the norm is above x, and of
  /// positive ones alone it is below. Where none is positive any more, the rest is zero, and the
  /// norm is x, or it is not, and the matrix has negative values too.
  [[nodiscard]] int compare(const Exact& x) const override {
    if (x < 0) return 1;
    Matrix<Exact> rest = gram_.unaryExpr([](const Exact& entry) { return -entry; });
    for (Eigen::Index i = 0; i < rest.rows(); ++i) rest(i, i) += square(x);
    std::vector<Eigen::Index> left;
    for (Eigen::Index i = 0; i < rest.rows(); ++i) left.push_back(i);
    while (!left.empty()) {
      auto pivot = left.end();
      for (auto at = left.begin(); at != left.end(); ++at) {
        const int sign = attn::compare(rest(*at, *at), 0);
        if (sign < 0) return 1;
        if (sign > 0) pivot = at;
      }
      if (pivot == left.end()) return is_zero(rest, left) ? 0 : 1;
      const Eigen::Index k = *pivot;
      left.erase(pivot);
      eliminate(rest, left, k);
    }
    return -1;
  }

 private:
  static bool is_zero(const Matrix<Exact>& m, const std::vector<Eigen::Index>& at) {
    for (const Eigen::Index i : at) {
      for (const Eigen::Index j : at) {
        if (m(i, j) != 0) return false;
      }
    }
    return true;
  }
  static void eliminate(Matrix<Exact>& m, const std::vector<Eigen::Index>& left, Eigen::Index k) {
    for (const Eigen::Index i : left) {
      if (m(i, k) == 0) continue;
      const Exact factor = m(i, k) / m(k, k);
      for (const Eigen::Index j : left) m(i, j) -= factor * m(k, j);
    }
  }

  Matrix<Exact> gram_;
};

bool is_zero(const Matrix<Exact>& m) {
  for (const Exact& entry : m.reshaped()) {
    if (entry != 0) return false;
  }
  return true;
}

}  // namespace

template <>
Exact softmax_jacobian_norm(const SortedWeights<Exact>& w) {
  if (w.top_tied) return w.a[0];
  if (w.others_tied || w.a.size() == 2) return from_count<Exact>(w.a.size()) * w.a[0] * w.a[1];
  return Exact::of_norm(std::make_shared<SecularNorm>(w));
}

template <>
Exact spectral_norm(const Matrix<Exact>& m) {
  if (is_zero(m)) return {};
  return Exact::of_norm(std::make_shared<GramNorm>(detail::gram(m)));
}

}  // namespace attn
