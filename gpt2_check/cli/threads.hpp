#pragma once

namespace attn::gpt2 {

/// The threads that this machine runs at once; at least 1.
int default_threads();

/// Sets the threads of LibTorch and of OpenBLAS, which does not follow LibTorch's setting.
void set_threads(int threads);

}  // namespace attn::gpt2
