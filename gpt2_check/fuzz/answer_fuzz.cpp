// The answers of a Hub, one after another, with a line of "--" between them, to a fetch: what comes
// into the cache has the hashes that the answers named.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "gpt2_check/fuzz/scratch.hpp"
#include "gpt2_check/hub/etag.hpp"
#include "gpt2_check/hub/fetch.hpp"
#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

constexpr std::string_view kBetween = "\n--\n";
constexpr const char* kFiles[] = {"config.json", "vocab.json", "merges.txt", "model.safetensors"};

/// A server of this machine that gives each connection the next answer, and none when all are
/// given.
class Server {
 public:
  Server() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        listen(listener_, 16) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      std::abort();
    }
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    std::thread([this] { serve(); }).detach();
  }

  [[nodiscard]] const std::string& url() const { return url_; }

  void answer_with(std::string_view text) {
    const std::lock_guard lock(mutex_);
    answers_.clear();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(kBetween), text.size());
      answers_.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + kBetween.size(), text.size()));
    }
  }

 private:
  [[noreturn]] void serve() {
    while (true) {
      const int connection = accept(listener_, nullptr, nullptr);
      std::string request, buffer(4096, '\0');
      while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t got = recv(connection, buffer.data(), buffer.size(), 0);
        if (got <= 0) break;
        request.append(buffer, 0, static_cast<std::size_t>(got));
      }
      const std::string answer = next();
      send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
      close(connection);
    }
  }

  std::string next() {
    const std::lock_guard lock(mutex_);
    if (answers_.empty()) return "HTTP/1.1 404 None left\r\n\r\n";
    std::string answer = std::move(answers_.front());
    answers_.pop_front();
    return answer;
  }

  int listener_;
  std::string url_;
  std::mutex mutex_;
  std::deque<std::string> answers_;
};

Server& server() {
  // Never destroyed: its thread outlives the statics.
  static auto* const instance = [] {
    auto* const made = new Server;
    // Wherever an answer leads, nothing leaves this machine.
    for (const char* name :
         {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
      setenv(name, made->url().c_str(), 1);
    }
    for (const char* name : {"no_proxy", "NO_PROXY"}) unsetenv(name);
    return made;
  }();
  return *instance;
}

void expect_as_named(const std::filesystem::path& snapshot) {
  for (const char* file : kFiles) {
    const std::filesystem::path blob = std::filesystem::canonical(snapshot / file);
    const std::string hash = blob.filename().string();
    if (hub::hash_like(hash, blob) != hash) std::abort();
  }
}

}  // namespace
}  // namespace attn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::server().answer_with({reinterpret_cast<const char*>(data), size});
  const std::filesystem::path cache = attn::fuzz::scratch() / "cache";
  std::filesystem::remove_all(cache);
  const attn::hub::Settings settings{attn::server().url(), "", cache, std::chrono::milliseconds(0)};
  const attn::hub::Listener listener{[](const std::string&) {},
                                     [](const std::string&, std::uint64_t, std::uint64_t) {}};
  try {
    attn::expect_as_named(attn::hub::fetch("someone/small", std::nullopt, settings, listener));
  } catch (const attn::BadInput&) {
  }
  // Nothing is written but the cache.
  for (const auto& entry : std::filesystem::directory_iterator(attn::fuzz::scratch())) {
    if (entry.path() != cache) std::abort();
  }
  return 0;
}
