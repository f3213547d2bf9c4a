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

TEST(Parallel, RunsEveryTaskOnce) {
  for (const int count : {1, 2, 7}) {
    set_threads(count);
    std::vector<std::atomic<int>> runs(100);
    parallel(100, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& run : runs) EXPECT_EQ(run, 1);
  }
  parallel(0, [](std::int64_t) { FAIL(); });
  set_threads(1);
}

TEST(Parallel, UsesTheThreadsThatAreSet) {
  set_threads(3);
  EXPECT_EQ(threads(), 3);
  std::mutex guard;
  std::set<std::thread::id> seen;
  std::atomic<int> waiting{0};
  parallel(3, [&](std::int64_t) {
    ++waiting;
    while (waiting < 3) std::this_thread::yield();  // all three run at once
    EXPECT_EQ(at::get_num_threads(), 1);
    const std::lock_guard lock(guard);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3U);
  set_threads(1);
}

TEST(Parallel, ThrowsWhatATaskThrew) {
  set_threads(2);
  EXPECT_THROW(parallel(50,
                        [](std::int64_t i) {
                          if (i == 20) throw std::runtime_error("task");
                        }),
               std::runtime_error);
  set_threads(1);
}

}  // namespace
}  // namespace attn::gpt2
