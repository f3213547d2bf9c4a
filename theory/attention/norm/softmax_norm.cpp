#include "theory/attention/norm/softmax_norm.hpp"

namespace attn {

template ErrorDouble softmax_jacobian_norm(const SortedWeights<ErrorDouble>&);
template Interval softmax_jacobian_norm(const SortedWeights<Interval>&);

}  // namespace attn
