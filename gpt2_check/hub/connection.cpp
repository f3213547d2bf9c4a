#include "gpt2_check/hub/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <optional>
#include <stdexcept>

#include "theory/base/bad_input.hpp"

namespace attn::hub {
namespace {

constexpr long kConnectSeconds = 10;
constexpr long kSlowBytesPerSecond = 1000;
constexpr long kSlowSeconds = 30;
constexpr long kMaxRedirects = 5;

/// What libcurl's callbacks write to during one request.
struct Exchange {
  Answer answer;
  std::uint64_t position{};
  const Receiver* receive{};
  CURL* curl{};
  std::exception_ptr error;  ///< an exception must not pass through libcurl
};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

std::size_t on_header(char* data, std::size_t, std::size_t size, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) {
    exchange.answer.headers.clear();  // a redirect was followed: another answer begins
  } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
    exchange.answer.headers[lower(trimmed(line.substr(0, colon)))] =
        trimmed(line.substr(colon + 1));
  }
  return size;
}

/// The first position of "bytes 100-199/200".
std::optional<std::uint64_t> first_position(std::string_view range) {
  constexpr std::string_view kUnit = "bytes ";
  if (!range.starts_with(kUnit)) return std::nullopt;
  range.remove_prefix(kUnit.size());
  std::uint64_t position = 0;
  const auto [end, error] = std::from_chars(range.data(), range.data() + range.size(), position);
  if (error != std::errc{} || end == range.data() + range.size() || *end != '-')
    return std::nullopt;
  return position;
}

/// Where the body of the answer begins in the file; nothing where it is not the file's.
std::optional<std::uint64_t> begin_of_body(const Exchange& exchange) {
  long status = 0;
  curl_easy_getinfo(exchange.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status == 200) return 0;
  const auto range = exchange.answer.headers.find("content-range");
  if (status != 206 || range == exchange.answer.headers.end()) return std::nullopt;
  return first_position(range->second);
}

std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  const auto begin = begin_of_body(exchange);
  if (!begin) return size;  // the text of an error page
  try {
    (*exchange.receive)(*begin + exchange.position, {data, size});
  } catch (...) {
    exchange.error = std::current_exception();
    return 0;
  }
  exchange.position += size;
  return size;
}

/// Whether the server was reached, so that asking again may help.
bool was_cut(CURLcode code) {
  constexpr std::array kCut = {CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING,        CURLE_RECV_ERROR,
                               CURLE_SEND_ERROR,   CURLE_OPERATION_TIMEDOUT, CURLE_HTTP2,
                               CURLE_HTTP2_STREAM, CURLE_WEIRD_SERVER_REPLY};
  return std::ranges::find(kCut, code) != kCut.end();
}

/// "https://host:port" of a URL.
std::string origin(const std::string& url) {
  return url.substr(0, url.find('/', url.find("//") + 2));
}

CURL* new_handle() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  CURL* curl = ready == CURLE_OK ? curl_easy_init() : nullptr;
  if (curl == nullptr) throw std::runtime_error("libcurl cannot start");
  return curl;
}

void set_common_options(CURL* curl, const Settings& settings, const std::string& url) {
  const char* protocols = settings.endpoint.starts_with("https") ? "https" : "http,https";
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, protocols);
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, protocols);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "gpt2_check");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, kSlowBytesPerSecond);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kSlowSeconds);
  curl_easy_setopt(curl, CURLOPT_UNRESTRICTED_AUTH, 0L);
  if (!settings.token.empty()) {
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, settings.token.c_str());
  }
}

Answer perform(CURL* curl, const std::string& url, Exchange& exchange) {
  std::array<char, CURL_ERROR_SIZE> reason{};
  exchange.curl = curl;
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason.data());
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &exchange);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &exchange);
  // The bytes of the file as they are; a compressed answer would have another length and ETag.
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(
      curl_slist_append(nullptr, "Accept-Encoding: identity"), &curl_slist_free_all);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());

  const CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
  if (exchange.error) std::rethrow_exception(exchange.error);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &exchange.answer.status);
  if (code == CURLE_OK) return exchange.answer;
  const std::string why = reason.front() != '\0' ? reason.data() : curl_easy_strerror(code);
  if (!was_cut(code)) {
    throw BadInput({.kind = BadInputKind::unreadable,
                    .where = url,
                    .expected = "a server that can be reached",
                    .found = why,
                    .advice = "check the network and HF_ENDPOINT"});
  }
  exchange.answer.cut = why;
  return exchange.answer;
}

}  // namespace

Connection::Connection(const Settings& settings)
    : settings_(settings), curl_(new_handle(), &curl_easy_cleanup) {}

std::string Connection::escaped(const std::string& text) const {
  const std::unique_ptr<char, decltype(&curl_free)> bytes(
      curl_easy_escape(curl_.get(), text.data(), static_cast<int>(text.size())), &curl_free);
  if (bytes == nullptr) throw std::bad_alloc();
  return bytes.get();
}

Answer Connection::head(const std::string& url) {
  std::string next = url;
  for (long followed = 0;; ++followed) {
    set_common_options(curl_.get(), settings_, next);
    curl_easy_setopt(curl_.get(), CURLOPT_NOBODY, 1L);
    Exchange exchange;
    Answer answer = perform(curl_.get(), next, exchange);
    const char* target = nullptr;
    curl_easy_getinfo(curl_.get(), CURLINFO_REDIRECT_URL, &target);
    if (target == nullptr || origin(target) != origin(settings_.endpoint) ||
        followed == kMaxRedirects) {
      return answer;
    }
    next = target;
  }
}

Answer Connection::get(const std::string& url, std::uint64_t offset, const Receiver& receive) {
  set_common_options(curl_.get(), settings_, url);
  curl_easy_setopt(curl_.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl_.get(), CURLOPT_MAXREDIRS, kMaxRedirects);
  const std::string range = fmt::format("{}-", offset);
  if (offset > 0) curl_easy_setopt(curl_.get(), CURLOPT_RANGE, range.c_str());
  Exchange exchange;
  exchange.receive = &receive;
  return perform(curl_.get(), url, exchange);
}

}  // namespace attn::hub
