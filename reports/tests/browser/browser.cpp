#include "reports/tests/browser/browser.hpp"

#include <fmt/format.h>

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "reports/tests/browser/chromium.hpp"

namespace attn::test {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kStartPatience{60};
constexpr std::chrono::seconds kAnswerPatience{120};
constexpr std::size_t kLargestMessage = std::size_t{1} << 28;  // a printed page is one message

}  // namespace

/// Chromium and the websocket to it. Each operation is given up at a deadline.
class Browser::Connection {
 public:
  explicit Connection(const std::string& program)
      : chromium_(program, kStartPatience), socket_(context_) {
    const auto deadline = Clock::now() + kAnswerPatience;
    const auto port = static_cast<std::uint16_t>(std::stoi(chromium_.port()));
    socket_.next_layer().async_connect({boost::asio::ip::address_v4::loopback(), port},
                                       [this](error_code error) { result_ = error; });
    wait("connecting to Chromium", deadline);
    socket_.read_message_max(kLargestMessage);
    socket_.async_handshake(fmt::format("127.0.0.1:{}", port), chromium_.target(),
                            [this](error_code error) { result_ = error; });
    wait("opening the websocket of Chromium", deadline);
  }

  void send(const std::string& text, std::string_view doing, Clock::time_point deadline) {
    socket_.async_write(boost::asio::buffer(text),
                        [this](error_code error, std::size_t) { result_ = error; });
    wait(doing, deadline);
  }

  std::string receive(std::string_view doing, Clock::time_point deadline) {
    boost::beast::flat_buffer buffer;
    socket_.async_read(buffer, [this](error_code error, std::size_t) { result_ = error; });
    wait(doing, deadline);
    return boost::beast::buffers_to_string(buffer.data());
  }

 private:
  /// Runs the operation that was begun until it has a result.
  void wait(std::string_view doing, Clock::time_point deadline) {
    result_.reset();
    context_.restart();
    context_.run_until(deadline);
    if (!result_) {
      error_code ignored;
      socket_.next_layer().close(ignored);  // ends the operation; later ones fail at once
      context_.restart();
      context_.run();
      throw std::runtime_error(
          fmt::format("{}: Chromium did not answer in {} s", doing, kAnswerPatience.count()));
    }
    if (*result_) throw std::runtime_error(fmt::format("{}: {}", doing, result_->message()));
  }

  Chromium chromium_;
  boost::asio::io_context context_;
  boost::beast::websocket::stream<tcp::socket> socket_;
  std::optional<error_code> result_;
};

Browser::Browser(const std::string& program) : connection_(std::make_unique<Connection>(program)) {}

Browser::~Browser() = default;

json Browser::call(const std::string& method, const json& params, const std::string& session) {
  const auto deadline = Clock::now() + kAnswerPatience;
  const int id = ++last_id_;
  json command = {{"id", id}, {"method", method}, {"params", params}};
  if (!session.empty()) command["sessionId"] = session;
  connection_->send(command.dump(), method, deadline);
  for (;;) {
    json message = json::parse(connection_->receive(method, deadline));
    if (!message.contains("id")) {
      events_.push_back(std::move(message));
    } else if (message.at("id") == id) {
      if (message.contains("error")) {
        throw std::runtime_error(fmt::format("{}: {}", method, message.at("error").dump()));
      }
      return message.at("result");
    }
  }
}

std::vector<json> Browser::take_events() {
  return std::exchange(events_, {});
}

}  // namespace attn::test
