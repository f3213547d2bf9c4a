#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace attn::gpt2 {

/// The threads that this machine runs at once; at least 1.
int default_threads();

/// How many threads `parallel` uses, 1 until it is set. LibTorch and OpenBLAS get one each: how
/// they cut an operation up, and so its rounding, would depend on the number of threads, and theirs
/// would wait for each other's cores. To be called from the main thread.
void set_threads(int threads);
int threads();

/// Keeps LibTorch to the calling thread alone: OpenMP has a number for each thread. For a thread
/// that `parallel` has not started.
void one_thread();

/// Runs task(0..count-1), each once, on the threads that are set, the caller's among them. What a
/// task computes must not depend on the others. The first exception is thrown again once every
/// thread has stopped; tasks that were not begun by then are left out. Throws std::system_error
/// where a thread cannot be started.
void parallel(std::int64_t count, const std::function<void(std::int64_t)>& task);

/// The BLAS that is loaded, its version and the processor's family that its kernels are of; "not
/// OpenBLAS" where it is another.
std::string blas_name();

/// LibTorch's version and the vectors that its kernels use: "1.13.0 with AVX512". It takes those of
/// the processor as /proc/cpuinfo tells them, or of ATEN_CPU_CAPABILITY; other kernels give other
/// last digits.
std::string libtorch_name();

}  // namespace attn::gpt2
