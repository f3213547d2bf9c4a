#pragma once

namespace attn {

/// One function object out of several, for std::visit: one for each type, so that a type that is
/// forgotten doesn't compile.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace attn
