#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

#include "theory/tests/temporary_folder.hpp"

namespace attn::test {

/// The program that ATTN_CHROMIUM names, else the first of chromium, chromium-browser and
/// google-chrome on PATH; empty where there is none.
std::string find_chromium();

/// A running Chromium without a window, with a profile and a home folder of its own, that is
/// debugged over a pipe (--remote-debugging-pipe): each message ends with a zero byte. All its
/// processes are killed and its folder is removed with this object; they also die with the test.
class Chromium {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// Throws std::runtime_error where there can be no process.
  explicit Chromium(const std::string& program);
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  // Both throw std::runtime_error, with what the program wrote, where it has ended or the deadline
  // passes.
  void send(const std::string& message, Deadline deadline);
  std::string receive(Deadline deadline);

 private:
  void wait_for(short event, Deadline deadline);
  [[noreturn]] void fail(std::string_view what);
  void stop();

  TemporaryFolder folder_;
  std::string program_;
  int pipe_;
  pid_t process_;
  std::string received_;  ///< of messages that were not asked for yet
};

}  // namespace attn::test
