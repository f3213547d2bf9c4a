#include "gpt2_check/hub/tests/http_server.hpp"

#include <fmt/format.h>

#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <cstdlib>

namespace attn::test {
namespace {

namespace http = boost::beast::http;
using boost::asio::ip::tcp;

std::string text(boost::beast::string_view view) {
  return {view.data(), view.size()};
}

}  // namespace

HttpServer::HttpServer(Handler handler)
    : handler_(std::move(handler)),
      acceptor_(context_, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
      thread_([this] { accept(); }) {
  ::setenv("no_proxy", "*", 1);  // a proxy cannot reach this machine
}

HttpServer::~HttpServer() {
  stopping_ = true;
  boost::system::error_code ignored;
  tcp::socket(context_).connect(acceptor_.local_endpoint(), ignored);  // wakes accept()
  thread_.join();
  for (std::thread& connection : connections_) connection.join();
}

std::string HttpServer::url(const std::string& host) const {
  // answer() takes the lock too: what a test prepared before it asked for the address is then
  // visible to the threads that answer, also where the client is another process.
  const std::lock_guard lock(mutex_);
  return fmt::format("http://{}:{}", host, acceptor_.local_endpoint().port());
}

std::vector<Request> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::accept() {
  for (;;) {
    tcp::socket socket = acceptor_.accept();
    if (stopping_) return;
    connections_.emplace_back(
        [this, moved = std::move(socket)]() mutable { answer(std::move(moved)); });
  }
}

void HttpServer::answer(tcp::socket socket) {
  boost::system::error_code error;  // a client that went away is no matter
  boost::beast::flat_buffer buffer;
  http::request<http::empty_body> message;
  http::read(socket, buffer, message, error);
  if (error) return;
  const Request request{text(message.method_string()), text(message.target()),
                        text(message[http::field::range]),
                        text(message[http::field::authorization])};
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
  }
  const Reply reply = handler_(request);

  http::response<http::empty_body> header;
  header.result(reply.status);
  header.content_length(reply.body.size());
  header.keep_alive(false);
  for (const auto& [name, value] : reply.headers) header.set(name, value);
  http::response_serializer<http::empty_body> serializer(header);
  http::write_header(socket, serializer, error);
  if (request.method != "HEAD") {
    boost::asio::write(socket, boost::asio::buffer(reply.body.substr(0, reply.cut_after)), error);
  }
  if (reply.before_end) reply.before_end();
  socket.shutdown(tcp::socket::shutdown_both, error);
}

}  // namespace attn::test
