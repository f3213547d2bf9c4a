#include "gpt2_check/heads/matrix.hpp"

#include <cblas.h>

namespace attn::gpt2 {

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
  const auto size = [](Eigen::Index n) { return static_cast<int>(n); };
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, size(a.rows()), size(b.rows()),
              size(a.cols()), 1.0, a.data(), size(a.outerStride()), b.data(), size(b.outerStride()),
              0.0, c.data(), size(c.outerStride()));
}

}  // namespace attn::gpt2
