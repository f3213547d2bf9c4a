#pragma once

#include <cstdint>
#include <functional>

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

/// Runs task(0..count-1), each once, on the threads that are set. What a task computes must not
/// depend on the others. The first exception is thrown again.
void parallel(std::int64_t count, const std::function<void(std::int64_t)>& task);

}  // namespace attn::gpt2
