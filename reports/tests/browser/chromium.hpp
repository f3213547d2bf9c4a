#pragma once

#include <sys/types.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "theory/tests/temporary_folder.hpp"

namespace attn::test {

/// The program that ATTN_CHROMIUM names, else the first of chromium, chromium-browser and
/// google-chrome on PATH; empty where there is none.
std::string find_chromium();

/// A running Chromium without a window, with a profile and a home folder of its own, and a client
/// of its Chrome DevTools Protocol (https://chromedevtools.github.io/devtools-protocol/) over a
/// pipe (--remote-debugging-pipe): commands and events are JSON messages, those of a page marked
/// with its session, and each message ends with a zero byte. All its processes are killed and its
/// folder is removed with this object; they also die with the test.
class Chromium {
 public:
  /// Throws std::runtime_error where there can be no process.
  explicit Chromium(const std::string& program);
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  /// The result of a command, sent to the page of `session`, or to the browser itself where that is
  /// empty. Events that come meanwhile are kept. Throws std::runtime_error, naming the method,
  /// where the browser answers with an error, ends, or does not answer in two minutes.
  nlohmann::json call(const std::string& method, const nlohmann::json& params,
                      const std::string& session = {});

  /// Events that came since the last call, oldest first.
  std::vector<nlohmann::json> take_events();

 private:
  using Deadline = std::chrono::steady_clock::time_point;

  // Both throw std::runtime_error, with what the program wrote, where it has ended or the deadline
  // passes.
  void send(const std::string& message, Deadline deadline);
  std::string receive(Deadline deadline);
  void wait_for(short event, Deadline deadline);
  [[noreturn]] void fail(std::string_view what);
  void stop();

  TemporaryFolder folder_;
  std::string program_;
  int pipe_;
  pid_t process_;
  std::string received_;  ///< what came of messages that were not asked for yet
  std::vector<nlohmann::json> events_;
  int last_id_{0};
};

}  // namespace attn::test
