#pragma once

#include <string>

namespace attn::gpt2 {

/// The BLAS that is loaded, its version and the processor's family that its kernels are of; "not
/// OpenBLAS" where it is another.
std::string blas_name();

/// LibTorch's version and the vectors that its kernels use: "1.13.0 with AVX512". It takes those of
/// the processor as /proc/cpuinfo tells them, or of ATEN_CPU_CAPABILITY; other kernels give other
/// last digits.
std::string libtorch_name();

}  // namespace attn::gpt2
