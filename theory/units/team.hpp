#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "theory/units/messages.hpp"
#include "theory/units/result_journal.hpp"
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
  /// `compute` must outlive the workers.
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

/// The processes of a run at work: rank 0 hands units to whoever is idle, itself included.
///
///     Team team(messages, threads, identity);
///     if (!team.leads()) {
///       team.follow(compute);
///       return kAsExpected;
///     }
///     ResultJournal parts(out, identity, resumes);
///     team.lead(plan, parts, compute);
class Team {
 public:
  /// Every process of the run makes one. Rank 0 waits for the others, and throws BadInput where one
  /// is of another build, command line or input, or was refused by its own input, and
  /// std::runtime_error where one failed. `at_a_time`: units that this process computes at once;
  /// `threads_of_unit`: threads that it gives each.
  Team(Messages& messages, unsigned at_a_time, const Identity& identity,
       unsigned threads_of_unit = 1);

  [[nodiscard]] bool leads() const { return messages_.rank() == 0; }

  // Of rank 0: what the whole team has.
  [[nodiscard]] unsigned ranks() const { return messages_.count(); }
  [[nodiscard]] unsigned threads() const;  ///< the most threads that the team runs at once
  /// The processors of the team, each once, with "; " between.
  [[nodiscard]] std::string processors() const;

  /// On rank 0: computes the units of the plan that `parts` does not have and keeps their results
  /// there. May be called again, with another plan. Throws what `compute` throws here, BadInput or
  /// std::runtime_error, which name the rank, for what it throws on another, and what the plan and
  /// the parts throw.
  void lead(const Plan& plan, ResultJournal& parts, const Compute& compute);

  /// On all ranks but 0: computes what rank 0 hands out until it says stop.
  void follow(const Compute& compute);

 private:
  void meet(const Message& hello, const Identity& ours);

  Messages& messages_;
  // By rank; of others than 0 their own alone.
  std::vector<unsigned> at_a_time_, threads_;
  std::vector<std::string> processors_;
};

/// The plan of units that are known beforehand, whose results are taken in their order. Results
/// that come early wait in `parts` where those are kept, else in memory.
class InOrder {
 public:
  using Take = std::function<void(std::size_t index, std::string text)>;

  InOrder(std::vector<Unit> units, const ResultJournal& parts, Take take);

  [[nodiscard]] Plan plan();

 private:
  void take_all_ready();

  std::vector<Unit> units_;
  const ResultJournal& parts_;
  Take take_;
  std::size_t begun_{0}, taken_{0};
  std::map<std::string, std::string> early_{};  ///< unit -> result; empty where the parts have it
};

}  // namespace attn::units
