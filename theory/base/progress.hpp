#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace attn {

/// "claims: 3 of 47", and ", 1:05 left" (minutes and seconds) where `rate`, in items per second, is
/// above 0. done <= total.
std::string progress_text(const std::string& what, std::uint64_t done, std::uint64_t total,
                          double rate);

/// One line on stderr that shows what is being done, how far it is and how long it still takes,
/// where stderr is a terminal that takes escapes; else nothing. It may be updated from several
/// threads; it vanishes with the object.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows it, a few times a second at most. The rate is that since the first update of `what`, so
  /// that the first tells where the work began.
  void update(const std::string& what, std::uint64_t done, std::uint64_t total);

 private:
  using Clock = std::chrono::steady_clock;

  void erase() const;

  bool shown_;
  std::mutex guard_;
  std::string what_;
  std::uint64_t first_done_{};
  Clock::time_point started_, last_;
};

}  // namespace attn
