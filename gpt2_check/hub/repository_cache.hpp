#pragma once

#include <filesystem>
#include <string>

namespace attn::hub {

/// One model's part of the Hugging Face cache, laid out as Python's huggingface_hub lays it out:
/// models--owner--name/blobs/<hash>, snapshots/<commit>/<file> (a link to ../../blobs/<hash>) and
/// refs/main (a commit).
class RepositoryCache {
 public:
  /// Creates nothing. `repository` is owner/name.
  RepositoryCache(const std::filesystem::path& cache, const std::string& repository);

  [[nodiscard]] std::filesystem::path blob(const std::string& hash) const;
  [[nodiscard]] std::filesystem::path snapshot(const std::string& commit) const;
  /// Held, with flock, while a blob is written.
  [[nodiscard]] std::filesystem::path lock(const std::string& hash) const;

  /// Creates the folders that a snapshot needs. Throws BadInput where the system refuses.
  void create_folders(const std::string& commit) const;

  /// Makes snapshots/<commit>/<file> the link to a blob. Throws BadInput where the system refuses.
  void link(const std::string& commit, const std::string& file, const std::string& hash) const;

  /// The commit in refs/main; empty where there is none.
  [[nodiscard]] std::string main_commit() const;
  void set_main_commit(const std::string& commit) const;

 private:
  std::filesystem::path folder_, locks_;
};

/// An exclusive flock on a file, which is created where it is not there; released at the end.
class FileLock {
 public:
  /// Takes the lock; where another process holds it, calls `on_wait` once and waits. Throws
  /// BadInput where the system refuses.
  template <class OnWait>
  FileLock(const std::filesystem::path& file, const OnWait& on_wait) : FileLock(file) {
    if (try_to_take()) return;
    on_wait();
    wait();
  }
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  explicit FileLock(std::filesystem::path file);
  bool try_to_take();
  void wait();

  std::filesystem::path file_;
  int descriptor_{-1};
};

}  // namespace attn::hub
