#pragma once

namespace attn::gpt2 {

/// The threads that this machine runs at once; at least 1.
int default_threads();

/// Sets the threads of LibTorch and of OpenBLAS, which does not follow LibTorch's setting.
void set_threads(int threads);

/// Starts this program again with OMP_WAIT_POLICY=passive, unless the environment says how OpenMP's
/// threads wait. LibTorch's threads otherwise spin while OpenBLAS's, on the same cores, multiply:
/// the forward pass then takes about twice as long. OpenMP reads the variable when it is loaded,
/// before main; hence the second start. To be called first thing in main.
void wait_passively(char** argv);

}  // namespace attn::gpt2
