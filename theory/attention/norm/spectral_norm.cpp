#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {

template ErrorDouble spectral_norm(const Matrix<ErrorDouble>&);
template Interval<50> spectral_norm(const Matrix<Interval<50>>&);
template Interval<100> spectral_norm(const Matrix<Interval<100>>&);
template Interval<kCapDigits> spectral_norm(const Matrix<Interval<kCapDigits>>&);

}  // namespace attn
