#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace attn::hub {

/// "model.safetensors: 120.5 of 548.1 MB, 1:05 left"; nothing is said of the time where `rate`,
/// in bytes per second, is 0.
std::string progress_text(const std::string& file, std::uint64_t done, std::uint64_t total,
                          double rate);

/// One line on stderr that shows how far a file is, where stderr is a terminal; else nothing.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows it, a few times a second at most; nothing for a file of less than 1 MB.
  void update(const std::string& file, std::uint64_t done, std::uint64_t total);

  /// Ends the line, so that another can be written.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  bool shown_;  ///< whether stderr is a terminal
  std::string file_;
  std::uint64_t first_done_{};
  Clock::time_point started_, last_;
};

}  // namespace attn::hub
