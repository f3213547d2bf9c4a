#pragma once

#include <filesystem>
#include <mutex>
#include <string>

#include "gpt2_check/hub/settings.hpp"
#include "gpt2_check/hub/tests/http_server.hpp"
#include "gpt2_check/tests/support.hpp"

namespace attn::test {

inline constexpr const char* kRepository = "someone/small";
/// The file whose headers are those of a large one.
inline constexpr const char* kModel = "model.safetensors";
inline constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

/// A small checkpoint on a server that answers as the Hugging Face Hub does, and an empty cache.
class WithHub : public WithFolder {
 protected:
  void SetUp() override;

  /// What the Hub answers: the files under /someone/small/resolve/<main or the commit>/, ranges
  /// included; model.safetensors has the headers of a large file.
  [[nodiscard]] Reply answer(const Request& request) const;

  /// How often a file was asked for with GET.
  [[nodiscard]] std::size_t downloads(const std::string& file) const;
  [[nodiscard]] std::size_t downloads() const;

  [[nodiscard]] hub::Settings settings() const;
  [[nodiscard]] std::string bytes(const std::string& file) const { return files.at(file); }
  [[nodiscard]] std::string hash(const std::string& file) const;  ///< as the ETag has it
  [[nodiscard]] std::filesystem::path repository_folder() const;
  [[nodiscard]] std::filesystem::path blob(const std::string& file) const;
  [[nodiscard]] std::filesystem::path incomplete(const std::string& file) const;

  std::map<std::string, std::string> files;
  std::string repository{kRepository}, commit{kCommit};
  /// Has the server answer so from now on, in place of `answer`.
  void answer_by(HttpServer::Handler handler);
  std::filesystem::path cache;

 private:
  [[nodiscard]] HttpServer::Handler handler() const;

  mutable std::mutex mutex_;
  HttpServer::Handler handler_ = [this](const Request& request) { return answer(request); };

 protected:
  HttpServer server{[this](const Request& request) { return handler()(request); }};
};

/// Whether a request is a GET (or another method) of a file.
bool asks_for(const Request& request, const std::string& file, const std::string& method = "GET");

}  // namespace attn::test
