#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
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
