#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace attn::gpt2 {
namespace {

class Parallel : public testing::Test {
 protected:
  void TearDown() override { set_threads(1); }
};

TEST_F(Parallel, RunsEveryTaskOnce) {
  for (const int count : {1, 2, 7, 200}) {
    set_threads(count);
    std::vector<std::atomic<int>> runs(100);
    parallel(100, [&](std::int64_t task) { ++runs[static_cast<std::size_t>(task)]; });
    for (const auto& run : runs) EXPECT_EQ(run, 1);
  }
  parallel(0, [](std::int64_t) { FAIL(); });
}

TEST_F(Parallel, ThrowsWhatATaskThrewAndBeginsNoOther) {
  for (const int count : {1, 2}) {
    set_threads(count);
    std::atomic<int> runs{0};
    const auto task = [&](std::int64_t) {
      ++runs;
      throw std::runtime_error("task");
    };
    EXPECT_THROW(parallel(1'000'000, task), std::runtime_error);
    EXPECT_LE(runs, count);
  }
}

/// Ends with 0 where a thread that cannot be started ends the work, and not only after all of it.
void start_more_threads_than_there_is_memory_for() {
  mallopt(M_ARENA_MAX, 1);  // no thread takes address space for memory of its own
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * 4096 + (rlim_t{64} << 20);  // a few stacks more
  const rlimit limit{most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(3);
  set_threads(256);
  std::atomic<int> runs{0};
  try {
    parallel(2000, [&](std::int64_t) {
      ++runs;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  } catch (const std::system_error&) {
    std::_Exit(runs < 2000 ? 0 : 1);
  }
  std::_Exit(2);
}

TEST_F(Parallel, EndsAtOnceWhereAThreadCannotBeStarted) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes all of the address space";
#endif
  EXPECT_EXIT(start_more_threads_than_there_is_memory_for(), testing::ExitedWithCode(0), "");
}

TEST_F(Parallel, UsesTheThreadsThatAreSet) {
  set_threads(3);
  EXPECT_EQ(threads(), 3);
  std::mutex guard;
  std::set<std::thread::id> seen;
  std::set<std::int64_t> tasks;
  std::atomic<int> waiting{0};
  parallel(3, [&](std::int64_t task) {
    ++waiting;
    while (waiting < 3) std::this_thread::yield();  // all three run at once
    EXPECT_EQ(at::get_num_threads(), 1);
    const std::lock_guard lock(guard);
    seen.insert(std::this_thread::get_id());
    tasks.insert(task);
  });
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(tasks, (std::set<std::int64_t>{0, 1, 2}));
}

}  // namespace
}  // namespace attn::gpt2
