#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace attn::gpt2 {
namespace {

TEST(Parallel, UsesTheThreadsThatAreSet) {
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
  set_threads(1);
}

}  // namespace
}  // namespace attn::gpt2
