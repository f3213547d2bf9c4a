#include "reports/tests/browser/browser.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace attn::test {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kAnswerPatience{120};

}  // namespace

Browser::Browser(const std::string& program) : chromium_(program) {}

json Browser::call(const std::string& method, const json& params, const std::string& session) {
  const auto deadline = std::chrono::steady_clock::now() + kAnswerPatience;
  const int id = ++last_id_;
  json command = {{"id", id}, {"method", method}, {"params", params}};
  if (!session.empty()) command["sessionId"] = session;
  try {
    chromium_.send(command.dump(), deadline);
    for (;;) {
      json message = json::parse(chromium_.receive(deadline));
      if (!message.contains("id")) {
        events_.push_back(std::move(message));
      } else if (message.at("id") == id) {
        if (message.contains("error")) throw std::runtime_error(message.at("error").dump());
        return message.at("result");
      }
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", method, error.what()));
  }
}

std::vector<json> Browser::take_events() {
  return std::exchange(events_, {});
}

}  // namespace attn::test
