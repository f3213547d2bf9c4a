#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "theory/tests/temporary_folder.hpp"

namespace attn::test {

/// The program that ATTN_CHROMIUM names, else the first of chromium, chromium-browser and
/// google-chrome on PATH; empty where there is none.
std::string find_chromium();

/// A running Chromium without a window, with a profile and a home folder of its own. All its
/// processes are killed and its folder is removed with this object; they also die with the test.
class Chromium {
 public:
  /// Throws std::runtime_error, with what the program wrote, where it does not open its debugging
  /// port in `patience`.
  Chromium(const std::string& program, std::chrono::seconds patience);
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  /// Where its debugging port listens on 127.0.0.1.
  [[nodiscard]] const std::string& port() const { return port_; }
  [[nodiscard]] const std::string& target() const { return target_; }  ///< of its websocket

 private:
  bool read_port();
  void stop();

  TemporaryFolder folder_;
  pid_t process_;
  std::string port_, target_;
};

}  // namespace attn::test
