#include "theory/attention/norm/softmax_norm.hpp"

namespace attn {

template ErrorDouble softmax_jacobian_norm(const SortedWeights<ErrorDouble>&);
template Interval<50> softmax_jacobian_norm(const SortedWeights<Interval<50>>&);
template Interval<100> softmax_jacobian_norm(const SortedWeights<Interval<100>>&);
template Interval<kCapDigits> softmax_jacobian_norm(const SortedWeights<Interval<kCapDigits>>&);

}  // namespace attn
