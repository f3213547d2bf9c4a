#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/search/run.hpp"
#include "properties/search/units.hpp"
#include "reports/record/report.hpp"
#include "theory/units/result_journal.hpp"
#include "theory/units/team.hpp"
#include "theory/units/unit.hpp"

namespace attn::properties {

/// The units of the search of several claims: which comes next, and what their results come to. The
/// end of a claim's search waits for its draws; nothing else waits.
class Schedule {
 public:
  /// `claims` and `run` must outlive it.
  Schedule(std::span<const Claim> claims, const Run& run);

  /// The next unit; nothing where none can be begun yet, or any more.
  std::optional<units::Unit> next();

  void take(const units::Unit& unit, const std::string& text);

  /// Units taken, and all that there will be.
  [[nodiscard]] std::size_t taken() const { return taken_; }
  [[nodiscard]] std::size_t units() const { return units_; }

  /// What the searches came to, in the order of the claims, once every unit was taken.
  [[nodiscard]] std::vector<SearchResult> results() const;

 private:
  /// The search of one claim.
  struct State {
    const Claim* claim;
    SearchResult result{};
    std::map<Task, std::string> failures{};
  };
  /// The cases on which some claims are decided.
  struct Cases {
    std::string name;  ///< see cases_of
    std::vector<std::size_t> claims{};
    std::size_t draws{0};                        ///< units
    std::map<std::size_t, std::string> texts{};  ///< draw -> its result, until all are there
  };
  /// What a unit is of.
  struct Place {
    std::size_t of;       ///< a claim, or cases
    std::size_t draw{0};  ///< which of the draws of all its cases
  };

  void take_drawn(Cases& cases, std::size_t draw, const std::string& text);

  const Run& run_;
  std::vector<State> states_;
  std::vector<Cases> cases_;
  std::deque<std::pair<units::Unit, Place>> waiting_;  ///< ends, mutants, comparisons, draws
  std::map<std::string, Place> begun_;                 ///< by the unit's name
  std::size_t units_{0}, taken_{0};
};

// A search cut into shards that different machines run, by its units of work, so that the cases of
// one kind are shared too. What ends the search of a claim needs the cases of all: it is done
// where the shards are joined.

/// The units of a shard: every `count`-th of those that wait for no other, from the `index`-th on.
/// Each falls to one shard; to some shards none does where there are more of them than units.
std::vector<units::Unit> units_of(const report::Shard& shard, std::span<const Claim> claims,
                                  const Run& run);

/// Computes the units of a shard, on rank 0 of the team. `progress` is told how many are done.
/// Throws std::runtime_error where one fails, and what Team::lead throws.
std::vector<report::PartRecord> compute_shard(const std::vector<units::Unit>& units,
                                              std::span<const Claim> claims, const Run& run,
                                              units::Team& team, units::ResultJournal& parts,
                                              const std::function<void(std::size_t)>& progress);

/// What the search of all claims of the run's catalogue came to, whose units these are, but for its
/// ends, which are computed here. Throws BadInput where a unit is missing.
std::vector<SearchResult> join_shards(const std::vector<report::PartRecord>& parts, const Run& run,
                                      const Progress& progress);

/// Puts the records of the whole search of the paper's claims in the place of the shards' units in
/// `joined`. Throws BadInput where this is another build than theirs, or a unit is missing, and
/// std::runtime_error where a claim's search fails.
void end_shards(report::Report& joined, const Progress& progress);

}  // namespace attn::properties
