#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/tests/browser/chromium.hpp"

namespace attn::test {

/// A browser of its own and a client of its Chrome DevTools Protocol
/// (https://chromedevtools.github.io/devtools-protocol/): commands and events are JSON messages,
/// those of a page marked with its session.
class Browser {
 public:
  /// Starts `program`. Throws std::runtime_error where there can be no process.
  explicit Browser(const std::string& program);

  /// The result of a command, sent to the page of `session`, or to the browser itself where that is
  /// empty. Events that come meanwhile are kept. Throws std::runtime_error, naming the method,
  /// where the browser answers with an error, ends, or does not answer in two minutes.
  nlohmann::json call(const std::string& method, const nlohmann::json& params,
                      const std::string& session = {});

  /// Events that came since the last call, oldest first.
  std::vector<nlohmann::json> take_events();

 private:
  Chromium chromium_;
  std::vector<nlohmann::json> events_;
  int last_id_{0};
};

}  // namespace attn::test
