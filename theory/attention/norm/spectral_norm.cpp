#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {

template ErrorDouble spectral_norm(const Matrix<ErrorDouble>&);
template Interval spectral_norm(const Matrix<Interval>&);

}  // namespace attn
