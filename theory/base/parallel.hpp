#pragma once

#include <cstddef>
#include <functional>

namespace attn {

/// The threads that this process may run at once: a launcher may have bound it to some of the
/// machine's processors. At least 1.
unsigned hardware_threads();

/// Runs task(0..count-1), each once, on at most `threads` threads (at least 1), the caller's among
/// them. What a task computes must not depend on the others. `begin_thread`, where given, runs
/// first on each of the other threads. The first exception is thrown again once every thread has
/// stopped; tasks that were not begun by then are left out.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
                  const std::function<void()>& begin_thread = {});

}  // namespace attn
