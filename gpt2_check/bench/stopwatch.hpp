#pragma once

#include <functional>
#include <map>
#include <string>

namespace attn::gpt2 {

/// Times functions with Google Benchmark: of three series of calls, each 0.05 s long or one call,
/// the one with the least time a call counts, since a machine with other work only adds time.
class Stopwatch {
 public:
  /// Each name once.
  void add(const std::string& name, std::function<void()> body);

  /// Times all that were added.
  void run();

  /// Wall-clock time of one call.
  [[nodiscard]] double seconds(const std::string& name) const { return seconds_.at(name); }

 private:
  std::map<std::string, double> seconds_;
};

}  // namespace attn::gpt2
