#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace attn::test {

struct Request {
  std::string method, target;
  std::string range, authorization;  ///< headers; empty where not sent
};

struct Reply {
  unsigned status{200};
  std::map<std::string, std::string> headers{};
  std::string body{};
  std::size_t cut_after{std::string::npos};  ///< the connection ends after that much of the body
  std::function<void()> before_end{};        ///< called before it ends
};

/// An HTTP server on 127.0.0.1 that gives one answer to each connection, several at once.
class HttpServer {
 public:
  using Handler = std::function<Reply(const Request&)>;

  explicit HttpServer(Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// "http://HOST:port"; the server answers to 127.0.0.1 and to localhost.
  [[nodiscard]] std::string url(const std::string& host = "127.0.0.1") const;

  /// Those answered so far.
  [[nodiscard]] std::vector<Request> requests() const;

 private:
  void accept();
  void answer(boost::asio::ip::tcp::socket socket);

  Handler handler_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::vector<std::thread> connections_;
  std::thread thread_;
};

}  // namespace attn::test
