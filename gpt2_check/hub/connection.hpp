#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "gpt2_check/hub/settings.hpp"

namespace attn::hub {

/// What a server said.
struct Answer {
  long status{};                               ///< of HTTP; 0 where none came
  std::map<std::string, std::string> headers;  ///< by name in lower case
  std::string cut;  ///< why the connection ended before the answer did; empty where it did not

  /// Whether the same request may well succeed in a moment.
  [[nodiscard]] bool is_passing_failure() const { return !cut.empty() || status >= 500; }
};

/// Takes the bytes of a file in order. `at` is where they belong in it.
using Receiver = std::function<void(std::uint64_t at, std::string_view bytes)>;

/// HTTP requests to one Hub, by libcurl. The token goes to the endpoint's own host alone, and no
/// redirect leads from https to http. A server that does not answer within 10 s, or sends less than
/// 1000 bytes/s for 30 s, counts as a connection that was cut.
class Connection {
 public:
  explicit Connection(const Settings& settings);

  /// The headers of a file. Redirects are followed within the endpoint only: what describes a file
  /// that lies elsewhere is in the answer that leads there. Throws BadInput where the server cannot
  /// be reached.
  Answer head(const std::string& url);

  /// The bytes of a file from `offset` on. The receiver is called for the answers 200 and 206 only,
  /// and with the position that the server gives: a server without ranges starts at 0. Throws
  /// BadInput where the server cannot be reached, and whatever the receiver throws.
  Answer get(const std::string& url, std::uint64_t offset, const Receiver& receive);

  /// `text` as a part of a URL's path: all but letters, digits and "-._~" as %XX.
  [[nodiscard]] std::string escaped(const std::string& text) const;

 private:
  Settings settings_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
};

}  // namespace attn::hub
