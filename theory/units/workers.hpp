#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "theory/units/unit.hpp"

namespace attn::units {

/// A unit that was computed.
struct Finished {
  std::uint64_t id;
  Result result;
  std::exception_ptr failure;  ///< what was thrown in place of a result; else null
};

/// Threads that compute units one by one.
class Workers {
 public:
  /// `compute` must outlive them.
  Workers(unsigned threads, const Compute& compute);
  /// Waits for the units that are being computed; those not begun are dropped.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Has the unit computed as soon as a thread is idle. `id` is the caller's.
  void begin(std::uint64_t id, std::string input);

  /// A unit that is finished, each once; waits for one at most so long.
  std::optional<Finished> finished(std::chrono::milliseconds patience);

 private:
  struct Waiting {
    std::uint64_t id;
    std::string input;
  };

  void work(const std::stop_token& stop);
  Finished computed(const Waiting& unit) const;

  const Compute& compute_;
  std::mutex guard_;
  std::condition_variable_any has_work_;
  std::condition_variable has_result_;
  std::deque<Waiting> waiting_;
  std::deque<Finished> finished_;
  std::vector<std::jthread> threads_;  // last: they use all of the above, and stop before it ends
};

}  // namespace attn::units
