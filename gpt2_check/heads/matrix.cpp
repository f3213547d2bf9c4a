#include "gpt2_check/heads/matrix.hpp"

#include <cblas.h>

namespace attn::gpt2 {
namespace {

/// As BLAS takes it.
int size(Eigen::Index n) {
  return static_cast<int>(n);
}

}  // namespace

Rows times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b) {
  Rows c(a.rows(), b.rows());
  times_transposed(a, b, c);
  return c;
}

void times_transposed(const Eigen::Ref<const Rows>& a, const Eigen::Ref<const Rows>& b,
                      Eigen::Ref<Rows> c) {
  if (a.cols() == 0) {  // which BLAS has no strides for
    c.setZero();
    return;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, size(a.rows()), size(b.rows()),
              size(a.cols()), 1.0, a.data(), size(a.outerStride()), b.data(), size(b.outerStride()),
              0.0, c.data(), size(c.outerStride()));
}

void weighted_sum(const double* a, const Eigen::Ref<const Rows>& x,
                  Eigen::Ref<Eigen::RowVectorXd> sum) {
  if (x.cols() == 0) return;
  cblas_dgemv(CblasRowMajor, CblasTrans, size(x.rows()), size(x.cols()), 1.0, x.data(),
              size(x.outerStride()), a, 1, 0.0, sum.data(), 1);
}

}  // namespace attn::gpt2
