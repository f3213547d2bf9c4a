#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "theory/units/unit.hpp"

namespace attn::units {

/// The results of a run that was not finished yet: a file beside what the run will write, to which
/// each result is added as it comes, so that a run that was cut off can go on with it.
///
/// Its first line is the identity of the run, each further one a result with its digest. A line
/// that was cut short or altered is as if it had never been written.
class ResultJournal {
 public:
  /// Keeps nothing: of a run that writes no file.
  ResultJournal() = default;

  /// Begins the run that will write `out`, in the file that parts_of(out) names; with `resumes` it
  /// goes on with what is there. Throws BadInput where there are results and `resumes` is false,
  /// where they are of a run with another identity, where another process adds to them, where
  /// `out` is there, whole, and `resumes` has nothing to go on with, and where the system refuses.
  ///
  /// An interrupt then leaves a line on stderr that says how to go on. Where a launcher started
  /// several processes, stdout gets such a line at once: one that is killed takes the others along.
  ResultJournal(const std::filesystem::path& out, const Identity& identity, bool resumes);

  /// A file that holds no result goes.
  ~ResultJournal();
  ResultJournal(const ResultJournal&) = delete;
  ResultJournal& operator=(const ResultJournal&) = delete;

  [[nodiscard]] bool has(const std::string& unit) const { return places_.contains(unit); }

  /// The units whose results are there, in the order of their names.
  [[nodiscard]] std::vector<std::string> units() const;

  /// The result of a unit that it has.
  [[nodiscard]] std::string result(const std::string& unit) const;

  /// Adds a result. Throws BadInput where the system refuses; then the file is as it was before.
  void keep(const std::string& unit, const std::string& text);

  /// How long the run has taken, in seconds, with what it took before it was resumed.
  [[nodiscard]] double seconds() const;

  /// Calls `write`, which writes what the run was for. Where the system refuses that, the BadInput
  /// says how to go on with what is kept.
  int written(const std::function<int()>& write) const;

  /// Removes the file: what it was kept for is written.
  void remove();

 private:
  struct Place {
    std::uint64_t offset;
    std::size_t size;
  };

  void begin(const std::filesystem::path& out, const Identity& identity, bool resumes);
  void go_on(const Identity& identity, bool resumes);
  void open();
  std::uint64_t read();
  void add(const std::string& line, std::uint64_t offset);
  void close();

  std::filesystem::path path_{};
  int file_{-1};  ///< open; -1: nothing is kept
  std::uint64_t end_{0};
  std::map<std::string, Place> places_{};  ///< where the result of each unit stands in the file
  double seconds_before_{0};
  std::chrono::steady_clock::time_point begun_{std::chrono::steady_clock::now()};
};

/// "report.json.parts" for "report.json", "report.parts" for the folder "report/".
std::filesystem::path parts_of(std::filesystem::path out);

}  // namespace attn::units
