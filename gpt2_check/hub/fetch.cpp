#include "gpt2_check/hub/fetch.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <regex>
#include <thread>
#include <vector>

#include "gpt2_check/checkpoint/sha256.hpp"
#include "gpt2_check/hub/connection.hpp"
#include "gpt2_check/hub/etag.hpp"
#include "gpt2_check/hub/partial_file.hpp"
#include "gpt2_check/hub/pins.hpp"
#include "gpt2_check/hub/repository_cache.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::hub {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMain = "main";
// The largest last: what can be refused is refused in seconds.
constexpr std::array kFiles = {"config.json", "vocab.json", "merges.txt", "model.safetensors"};
constexpr int kRetries = 5;

/// A file as the server describes it.
struct RemoteFile {
  std::string name, url;
  std::string hash;  ///< SHA-256 or Git's id, and the name of the blob
  std::uint64_t size{};
};

bool is_commit(const std::string& text) {
  return std::regex_match(text, std::regex("[0-9a-f]{40}"));
}

void check_revision(const std::string& revision) {
  if (!std::regex_match(revision, std::regex(R"([A-Za-z0-9][\w./-]*)")) ||
      revision.find("..") != std::string::npos) {
    throw BadInput(
        fmt::format("--revision: expected a commit, a branch or a tag, found '{}'", revision));
  }
}

std::string reason(const Answer& answer) {
  const auto code = answer.headers.find("x-error-code");
  return code == answer.headers.end() ? fmt::format("HTTP {}", answer.status)
                                      : fmt::format("HTTP {} ({})", answer.status, code->second);
}

std::string advice(long status) {
  if (status == 401 || status == 403) {
    return "check the name, and for a private or gated model set HF_TOKEN to a token that may "
           "read it";
  }
  if (status == 404) {
    return "a checkpoint needs config.json, vocab.json, merges.txt and model.safetensors; check "
           "the name and the revision";
  }
  if (status == 429) return "too many requests; wait and run the command again";
  if (status >= 500) return "the server fails; run the command again later";
  return "check HF_ENDPOINT";
}

[[noreturn]] void refuse(const std::string& url, const Answer& answer) {
  if (!answer.cut.empty()) {
    throw BadInput(fmt::format(
        "{}: the connection was cut {} times, the last time: {}; what has come is kept: "
        "run the command again to go on",
        url, kRetries + 1, answer.cut));
  }
  throw BadInput(fmt::format("{}: expected the file, found {}; {}", url, reason(answer),
                             advice(answer.status)));
}

/// Asks until the answer is no passing failure, with pauses that grow, a bounded number of times.
Answer ask(const Settings& settings, const std::function<Answer()>& once) {
  auto pause = settings.retry_pause;
  for (int retry = 0;; ++retry) {
    Answer answer = once();
    if (!answer.is_passing_failure() || retry == kRetries) return answer;
    std::this_thread::sleep_for(pause);
    pause *= 2;
  }
}

std::optional<std::string> header(const Answer& answer, const char* name) {
  const auto found = answer.headers.find(name);
  if (found == answer.headers.end()) return std::nullopt;
  return found->second;
}

std::string needed_header(const Answer& answer, const char* name, const char* fallback,
                          const std::string& url) {
  if (const auto value = header(answer, name)) return *value;
  if (const auto value = header(answer, fallback)) return *value;
  throw BadInput(
      fmt::format("{}: expected the header {} or {}, found neither; is HF_ENDPOINT a Hugging Face "
                  "Hub?",
                  url, name, fallback));
}

std::uint64_t size_of(const std::string& text, const std::string& url) {
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw BadInput(fmt::format("{}: expected a size in bytes, found '{}'", url, text));
  }
  return size;
}

class Fetch {
 public:
  Fetch(std::string repository, const Settings& settings, const Listener& listener)
      : repository_(std::move(repository)),
        pin_(find_pin(repository_)),
        settings_(settings),
        listener_(listener),
        connection_(settings),
        cache_(settings.cache, repository_) {}

  fs::path run(const std::optional<std::string>& revision) {
    const std::string asked = revision.value_or(pin_ != nullptr ? pin_->commit : kMain);
    check_revision(asked);
    const std::vector<RemoteFile> files = describe(asked);
    cache_.create_folders(commit_);
    for (const RemoteFile& file : files) obtain(file);
    update_main(asked);
    return cache_.snapshot(commit_);
  }

 private:
  [[nodiscard]] std::string url_of(const std::string& revision, const std::string& file) const {
    return fmt::format("{}/{}/resolve/{}/{}", settings_.endpoint, repository_,
                       connection_.escaped(revision), file);
  }

  /// Finds the commit with the first file, and the others at that commit.
  std::vector<RemoteFile> describe(const std::string& asked) {
    std::vector<RemoteFile> files;
    for (const char* name : kFiles) {
      files.push_back(describe_file(name, commit_.empty() ? asked : commit_));
    }
    return files;
  }

  RemoteFile describe_file(const std::string& name, const std::string& revision) {
    const std::string url = url_of(revision, name);
    const Answer answer = ask(settings_, [&] { return connection_.head(url); });
    // A redirect to where large files lie comes with all that is needed.
    if (!answer.cut.empty() || answer.status < 200 || answer.status >= 400) refuse(url, answer);
    check_commit(header(answer, "x-repo-commit").value_or(""), revision, url);
    RemoteFile file;
    file.name = name;
    file.url = url_of(commit_, name);
    file.hash = hash_of_etag(needed_header(answer, "x-linked-etag", "etag", url), url);
    file.size = size_of(needed_header(answer, "x-linked-size", "content-length", url), url);
    check_against_pin(file);
    return file;
  }

  /// Refuses what would be downloaded in vain.
  void check_against_pin(const RemoteFile& file) const {
    const PinnedFile* pin = pinned(file.name);
    if (pin == nullptr) return;
    if (file.size != pin->size) {
      throw BadInput(
          fmt::format("{}: expected {} bytes, found {}; is HF_ENDPOINT a Hugging Face Hub?",
                      file.url, pin->size, file.size));
    }
    if (file.hash.size() == pin->sha256.size() && file.hash != pin->sha256) {
      throw BadInput(
          fmt::format("{}: expected SHA-256 {}, found {}; is HF_ENDPOINT a Hugging Face Hub?",
                      file.url, pin->sha256, file.hash));
    }
  }

  void check_commit(const std::string& found, const std::string& revision, const std::string& url) {
    if (!is_commit(found)) {
      throw BadInput(fmt::format(
          "{}: expected the header x-repo-commit with a commit of 40 hexadecimal digits, "
          "found '{}'; is HF_ENDPOINT a Hugging Face Hub?",
          url, found));
    }
    if (is_commit(revision) && found != revision) {
      throw BadInput(fmt::format("{}: expected commit {}, found {}", url, revision, found));
    }
    commit_ = found;
  }

  [[nodiscard]] const PinnedFile* pinned(const std::string& name) const {
    return pin_ != nullptr && pin_->commit == commit_ ? &pin_->file(name) : nullptr;
  }

  /// What is wrong with the bytes of a file; nothing where they are as they should be.
  [[nodiscard]] std::optional<std::string> fault(const fs::path& path,
                                                 const RemoteFile& file) const {
    const std::string hash = hash_like(file.hash, path);
    if (hash != file.hash) return fmt::format("expected the hash {}, found {}", file.hash, hash);
    const PinnedFile* pin = pinned(file.name);
    if (pin == nullptr) return std::nullopt;
    const std::string sha = sha256_of_file(path);
    if (sha != pin->sha256) return fmt::format("expected SHA-256 {}, found {}", pin->sha256, sha);
    return std::nullopt;
  }

  [[nodiscard]] bool is_whole(const fs::path& path, const RemoteFile& file) const {
    std::error_code error;
    return fs::is_regular_file(path, error) && fs::file_size(path, error) == file.size &&
           !fault(path, file);
  }

  void obtain(const RemoteFile& file) {
    const FileLock lock(cache_.lock(file.hash), [&] {
      listener_.notice(fmt::format("{}: waiting for another download of it", file.name));
    });
    if (is_whole(cache_.snapshot(commit_) / file.name, file)) return;
    const fs::path blob = cache_.blob(file.hash);
    if (!is_whole(blob, file)) {
      if (std::error_code error; fs::exists(blob, error)) {
        listener_.notice(
            fmt::format("{}: is damaged in the cache; downloading it again", file.name));
      }
      download(file, blob);
    }
    cache_.link(commit_, file.name, file.hash);
  }

  void download(const RemoteFile& file, const fs::path& blob) {
    PartialFile partial(blob.string() + ".incomplete");
    if (partial.size() > file.size) partial.clear();
    check_space(partial, file);
    receive(file, partial);
    if (const auto found = fault(partial.path(), file)) {
      partial.remove();
      throw BadInput(
          fmt::format("{}: {}; the download is deleted: run the command again", file.url, *found));
    }
    partial.publish(blob);
  }

  static void check_space(const PartialFile& partial, const RemoteFile& file) {
    std::error_code error;
    const fs::space_info space = fs::space(partial.path().parent_path(), error);
    const std::uint64_t needed = file.size - partial.size();
    if (!error && space.available < needed) {
      throw BadInput(fmt::format(
          "{}: expected {} bytes free for {}, found {}; make room, or name another cache "
          "with HF_HUB_CACHE",
          partial.path().parent_path().string(), needed, file.name, space.available));
    }
  }

  /// Asks for what is missing until the file has its size.
  void receive(const RemoteFile& file, PartialFile& partial) {
    if (partial.size() == file.size) return;
    const Receiver receiver = [&](std::uint64_t at, std::string_view bytes) {
      if (bytes.size() > file.size || at > file.size - bytes.size()) {
        throw BadInput(fmt::format("{}: expected {} bytes, found more", file.url, file.size));
      }
      partial.write(at, bytes);
      listener_.progress(file.name, partial.size(), file.size);
    };
    const Answer answer = ask(settings_, [&] {
      Answer part = connection_.get(file.url, partial.size(), receiver);
      if (part.status != 416) return part;
      partial.clear();  // the server has no such range
      return connection_.get(file.url, 0, receiver);
    });
    if (!answer.cut.empty() || (answer.status != 200 && answer.status != 206)) {
      refuse(file.url, answer);
    }
    if (partial.size() != file.size) {
      throw BadInput(fmt::format("{}: expected {} bytes, found {}; run the command again", file.url,
                                 file.size, partial.size()));
    }
  }

  void update_main(const std::string& asked) const {
    const std::string main = cache_.main_commit();
    if (asked == kMain || (main.empty() && pin_ != nullptr && pin_->commit == commit_)) {
      cache_.set_main_commit(commit_);
    } else if (main != commit_) {
      listener_.notice("refs/main does not name this snapshot; to use it, give its folder");
    }
  }

  std::string repository_;
  const Pin* pin_;
  const Settings& settings_;
  const Listener& listener_;
  Connection connection_;
  RepositoryCache cache_;
  std::string commit_;  ///< empty until the server has named it
};

}  // namespace

fs::path fetch(const std::string& name, const std::optional<std::string>& revision,
               const Settings& settings, const Listener& listener) {
  return Fetch(gpt2::hub_name(name), settings, listener).run(revision);
}

}  // namespace attn::hub
