#include "gpt2_check/parallel/parallel.hpp"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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
    const std::lock_guard lock(guard);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3U);
  set_threads(1);
}

TEST(Parallel, KeepsLibTorchToOneThreadOnEach) {
  set_threads(3);
  EXPECT_EQ(at::get_num_threads(), 1);
  std::atomic<int> waiting{0};
  parallel(3, [&](std::int64_t) {
    ++waiting;
    while (waiting < 3) std::this_thread::yield();
    EXPECT_EQ(at::get_num_threads(), 1);
  });
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

/// Works until a task throws.
void until_one_fails(TaskQueue& queue) {
  queue.help();
  queue.wait([] { return false; });
}

TEST(TaskQueue, RunsEveryTaskOnce) {
  for (const int count : {1, 2, 7}) {
    set_threads(count);
    std::vector<std::atomic<int>> runs(100);
    std::atomic<std::size_t> done{0};
    TaskQueue queue;
    for (auto& run : runs) {
      queue.add([&run, &done] {
        ++run;
        ++done;
      });
    }
    queue.help();
    queue.wait([&] { return done == runs.size(); });
    for (const auto& run : runs) EXPECT_EQ(run, 1);
  }
  set_threads(1);
}

TEST(TaskQueue, BeginsATaskWhileThoseBeforeItAreAtWork) {
  set_threads(2);
  std::atomic<bool> first{false}, second{false};
  TaskQueue queue;
  queue.add([&] {
    while (!second) std::this_thread::yield();
    first = true;
  });
  queue.add([&] { second = true; });
  queue.help();
  queue.wait([&] { return first && second; });
  set_threads(1);
}

TEST(TaskQueue, BeginsTasksInTheOrderInWhichTheyCome) {
  set_threads(1);
  std::vector<int> begun;
  TaskQueue queue;
  for (int i = 0; i < 5; ++i) queue.add([&begun, i] { begun.push_back(i); });
  queue.help();
  EXPECT_EQ(begun, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(TaskQueue, KeepsAFailureWhileOthersEnd) {
  set_threads(2);
  std::atomic<bool> fails{false}, failed{false};
  TaskQueue queue;
  queue.add([&] {
    while (!fails) std::this_thread::yield();
    throw std::runtime_error("task");
  });
  queue.add([&] {
    fails = true;
    // Ends after the other, which has nothing but its throwing left to do.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    failed = true;
  });
  EXPECT_THROW(until_one_fails(queue), std::runtime_error);
  while (!failed) std::this_thread::yield();
  EXPECT_THROW(until_one_fails(queue), std::runtime_error);
  set_threads(1);
}

TEST(TaskQueue, ThrowsWhatATaskThrewAndDropsTheOthers) {
  for (const int count : {1, 2}) {
    set_threads(count);
    std::atomic<int> later{0};
    {
      TaskQueue queue;
      queue.add([] { throw std::runtime_error("task"); });
      EXPECT_THROW(until_one_fails(queue), std::runtime_error);
      queue.add([&] { ++later; });
      EXPECT_THROW(until_one_fails(queue), std::runtime_error);
    }
    EXPECT_EQ(later, 0);
  }
  set_threads(1);
}

}  // namespace
}  // namespace attn::gpt2
