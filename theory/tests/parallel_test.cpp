#include "theory/base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace attn {
namespace {

TEST(ParallelFor, RunsEveryTaskOnce) {
  for (const unsigned threads : {1U, 2U, 7U, 200U}) {
    std::vector<std::atomic<int>> runs(100);
    parallel_for(100, threads, [&](std::size_t i) { ++runs[i]; });
    for (const auto& run : runs) EXPECT_EQ(run, 1);
  }
  parallel_for(0, 2, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, UsesTheThreadsAskedFor) {
  std::mutex guard;
  std::set<std::thread::id> seen;
  std::atomic<int> waiting{0};
  std::atomic<int> begun{0};
  const auto task = [&](std::size_t) {
    ++waiting;
    while (waiting < 3) std::this_thread::yield();  // all three run at once
    const std::lock_guard lock(guard);
    seen.insert(std::this_thread::get_id());
  };
  parallel_for(3, 3, task, [&] { ++begun; });
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(begun, 2) << "once for each thread but the caller's";
}

TEST(ParallelFor, ThrowsWhatATaskThrewAndBeginsNoOther) {
  for (const unsigned threads : {1U, 2U}) {
    std::atomic<int> runs{0};
    EXPECT_THROW(parallel_for(1'000'000, threads,
                              [&](std::size_t) {
                                ++runs;
                                throw std::runtime_error("task");
                              }),
                 std::runtime_error);
    EXPECT_LE(runs, static_cast<int>(threads));
  }
}

}  // namespace
}  // namespace attn
