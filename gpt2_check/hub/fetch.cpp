#include "gpt2_check/hub/fetch.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <regex>
#include <thread>
#include <vector>

#include "gpt2_check/hub/connection.hpp"
#include "gpt2_check/hub/etag.hpp"
#include "gpt2_check/hub/partial_file.hpp"
#include "gpt2_check/hub/pins.hpp"
#include "gpt2_check/hub/repository_cache.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/sha256.hpp"

namespace attn::hub {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMain = "main";
// The largest last: what can be refused is refused in seconds.
constexpr std::array kFiles = {"config.json", "vocab.json", "merges.txt", "model.safetensors"};
constexpr int kRetries = 5;

constexpr const char* kIsItAHub = "is HF_ENDPOINT a Hugging Face Hub?";

/// A file as the server describes it.
struct RemoteFile {
  std::string name, url;
  std::string hash;  ///< SHA-256 or Git's id, and the name of the blob
  std::uint64_t size{};
};

bool is_commit(const std::string& text) {
  return std::regex_match(text, std::regex("[0-9a-f]{40}"));
}

/// std::regex takes stack for each character. The longest names of files, and so of Git's branches.
constexpr std::size_t kLongestRevision = 255;

void check_revision(const std::string& revision) {
  if (revision.size() > kLongestRevision ||
      !std::regex_match(revision, std::regex(R"([A-Za-z0-9][\w./-]*)")) ||
      revision.find("..") != std::string::npos) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = "--revision",
                    .expected = "a commit, a branch or a tag",
                    .found = in_quotes(revision)});
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
    throw BadInput({.kind = BadInputKind::unreadable,
                    .where = url,
                    .expected = "the whole file",
                    .found = fmt::format("the connection cut {} times, the last time: {}",
                                         kRetries + 1, answer.cut),
                    .advice = "what has come is kept: run the command again to go on"});
  }
  throw BadInput({.kind = BadInputKind::unreadable,
                  .where = url,
                  .expected = "the file",
                  .found = reason(answer),
                  .advice = advice(answer.status)});
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
  throw BadInput({.kind = BadInputKind::missing,
                  .where = url,
                  .expected = fmt::format("the header {} or {}", name, fallback),
                  .found = "neither",
                  .advice = kIsItAHub});
}

std::uint64_t size_of(const std::string& text, const std::string& url) {
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = url,
                    .expected = "a size in bytes",
                    .found = in_quotes(text),
                    .advice = kIsItAHub});
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
    files.reserve(kFiles.size());
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
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = file.url,
                      .expected = fmt::format("{} bytes", pin->size),
                      .found = fmt::format("{}", file.size),
                      .advice = kIsItAHub});
    }
    if (file.hash.size() == pin->sha256.size() && file.hash != pin->sha256) {
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = file.url,
                      .expected = fmt::format("SHA-256 {}", pin->sha256),
                      .found = file.hash,
                      .advice = kIsItAHub});
    }
  }

  void check_commit(const std::string& found, const std::string& revision, const std::string& url) {
    if (!is_commit(found)) {
      throw BadInput({.kind = BadInputKind::malformed,
                      .where = url,
                      .expected = "the header x-repo-commit with a commit of 40 hexadecimal digits",
                      .found = in_quotes(found),
                      .advice = kIsItAHub});
    }
    if (is_commit(revision) && found != revision) {
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = url,
                      .expected = fmt::format("commit {}", revision),
                      .found = found});
    }
    commit_ = found;
  }

  [[nodiscard]] const PinnedFile* pinned(const std::string& name) const {
    return pin_ != nullptr && pin_->commit == commit_ ? &pin_->file(name) : nullptr;
  }

  /// What is wrong with the bytes of a file; nothing where they are as they should be.
  [[nodiscard]] std::optional<BadInputParts> fault(const fs::path& path,
                                                   const RemoteFile& file) const {
    BadInputParts wrong{.kind = BadInputKind::inconsistent,
                        .where = file.url,
                        .expected = fmt::format("the hash {}", file.hash),
                        .found = hash_like(file.hash, path),
                        .advice = "the download is deleted: run the command again"};
    if (wrong.found != file.hash) return wrong;
    const PinnedFile* pin = pinned(file.name);
    if (pin == nullptr) return std::nullopt;
    wrong.expected = fmt::format("SHA-256 {}", pin->sha256);
    wrong.found = sha256_of_file(path);
    if (wrong.found != pin->sha256) return wrong;
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
      throw BadInput(*found);
    }
    partial.publish(blob);
  }

  static void check_space(const PartialFile& partial, const RemoteFile& file) {
    std::error_code error;
    const fs::space_info space = fs::space(partial.path().parent_path(), error);
    const std::uint64_t needed = file.size - partial.size();
    if (!error && space.available < needed) {
      throw BadInput({.kind = BadInputKind::unwritable,
                      .where = partial.path().parent_path().string(),
                      .expected = fmt::format("{} bytes free for {}", needed, file.name),
                      .found = fmt::format("{}", space.available),
                      .advice = "make room, or name another cache with HF_HUB_CACHE"});
    }
  }

  /// Asks for what is missing until the file has its size.
  void receive(const RemoteFile& file, PartialFile& partial) {
    if (partial.size() == file.size) return;
    const Receiver receiver = [&](std::uint64_t at, std::string_view bytes) {
      if (bytes.size() > file.size || at > file.size - bytes.size()) {
        throw BadInput({.kind = BadInputKind::inconsistent,
                        .where = file.url,
                        .expected = fmt::format("{} bytes", file.size),
                        .found = "more"});
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
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = file.url,
                      .expected = fmt::format("{} bytes", file.size),
                      .found = fmt::format("{}", partial.size()),
                      .advice = "run the command again"});
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
