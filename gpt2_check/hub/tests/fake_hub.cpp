#include "gpt2_check/hub/tests/fake_hub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gpt2_check/checkpoint/locate.hpp"
#include "gpt2_check/hub/etag.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tokenizer/byte_symbols.hpp"
#include "theory/base/sha256.hpp"

namespace attn::test {
namespace {

namespace fs = std::filesystem;

/// The range "bytes=n-" of a file of that size.
Reply with_range(Reply reply, const std::string& range) {
  const std::size_t first = std::stoul(range.substr(std::string("bytes=").size()));
  const std::size_t size = reply.body.size();
  if (first >= size)
    return {.status = 416, .headers = {{"Content-Range", fmt::format("bytes */{}", size)}}};
  reply.status = 206;
  reply.headers["Content-Range"] = fmt::format("bytes {}-{}/{}", first, size - 1, size);
  reply.body = reply.body.substr(first);
  return reply;
}

}  // namespace

bool asks_for(const Request& request, const std::string& file, const std::string& method) {
  return request.method == method && request.target.ends_with("/" + file);
}

void WithHub::SetUp() {
  WithFolder::SetUp();
  cache = folder / "cache";
  const fs::path checkpoint = folder / "checkpoint";
  fs::create_directory(checkpoint);
  gpt2::Config config = small_config();
  config.vocabulary = 256;
  gpt2::save_checkpoint(checkpoint, config, lively_weights(config));
  nlohmann::json vocabulary;
  for (const std::string& symbol : byte_symbols()) vocabulary[symbol] = vocabulary.size();
  write("checkpoint/vocab.json", vocabulary.dump());
  write("checkpoint/merges.txt", "#version: 0.2\n");
  for (const auto& entry : fs::directory_iterator(checkpoint)) {
    files[entry.path().filename().string()] = read_bytes(entry.path());
  }
}

Reply WithHub::answer(const Request& request) const {
  for (const std::string& revision : {std::string("main"), commit}) {
    const std::string prefix = fmt::format("/{}/resolve/{}/", repository, revision);
    if (!request.target.starts_with(prefix)) continue;
    const auto file = files.find(request.target.substr(prefix.size()));
    if (file == files.end()) break;
    Reply reply{.headers = {{"X-Repo-Commit", commit}, {"Accept-Ranges", "bytes"}},
                .body = file->second};
    const std::string etag = fmt::format("\"{}\"", hash(file->first));
    if (file->first == kModel) {
      reply.headers["X-Linked-Etag"] = etag;
      reply.headers["X-Linked-Size"] = std::to_string(file->second.size());
    } else {
      reply.headers["ETag"] = etag;
    }
    return request.range.empty() ? reply : with_range(reply, request.range);
  }
  return {.status = 404, .headers = {{"X-Error-Code", "EntryNotFound"}}, .body = "Not found"};
}

void WithHub::answer_by(HttpServer::Handler handler) {
  const std::lock_guard lock(mutex_);
  handler_ = std::move(handler);
}

HttpServer::Handler WithHub::handler() const {
  const std::lock_guard lock(mutex_);
  return handler_;
}

std::size_t WithHub::downloads(const std::string& file) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      server.requests(), [&](const Request& request) { return asks_for(request, file); }));
}

std::size_t WithHub::downloads() const {
  return static_cast<std::size_t>(std::ranges::count(server.requests(), "GET", &Request::method));
}

hub::Settings WithHub::settings() const {
  return {.endpoint = server.url(),
          .token = "",
          .cache = cache,
          .retry_pause = std::chrono::milliseconds(1)};
}

std::string WithHub::hash(const std::string& file) const {
  return file == kModel ? sha256(files.at(file)) : hub::git_blob_id(files.at(file));
}

fs::path WithHub::repository_folder() const {
  return cache / gpt2::cache_folder(repository);
}

fs::path WithHub::blob(const std::string& file) const {
  return repository_folder() / "blobs" / hash(file);
}

fs::path WithHub::incomplete(const std::string& file) const {
  return blob(file).string() + ".incomplete";
}

}  // namespace attn::test
