#pragma once

namespace attn {

/// One function object out of several, for std::visit: one for each type, so that a type that is
/// forgotten doesn't compile.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

/// Before version 17 clang does not deduce the arguments of an aggregate without it.
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace attn
