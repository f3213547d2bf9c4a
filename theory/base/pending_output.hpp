#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace attn {

/// A file or folder that appears at its target whole or not at all.
///
/// What is to be written goes to `path()`, a fresh name beside the target; `commit()` renames it
/// onto the target. Without a commit the destructor removes it, and so does an interrupt of a
/// program (see run_main). Where the target is a link, what it leads to is the target.
class PendingOutput {
 public:
  enum class Full { refuse, allow };

  /// Throws BadInput where the target's parent is not a folder that can be written to, where the
  /// target is a device, a pipe or a socket, or, unless told to allow it, where it is a folder with
  /// something in it.
  explicit PendingOutput(std::filesystem::path target, Full full = Full::refuse);
  ~PendingOutput();
  PendingOutput(const PendingOutput&) = delete;
  PendingOutput& operator=(const PendingOutput&) = delete;

  /// Where to write. Nothing is there yet.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Renames `path()` onto the target, replacing a file or an empty folder. Throws BadInput where
  /// the system refuses.
  void commit();

  /// Lets `path()` and the target, both folders, change places, and removes what was the target.
  /// False where the file system cannot, and then nothing is changed.
  bool exchange();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

/// Folders made for files to come. Those that are still empty in the end vanish again, also where
/// an interrupt is the end.
class NewFolders {
 public:
  NewFolders() = default;
  ~NewFolders();
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

  /// Makes `folder` and its parents where they do not exist. Throws BadInput where the system
  /// refuses.
  void make(const std::filesystem::path& folder);

 private:
  std::vector<std::filesystem::path> made_;
};

/// While it is held no interrupt removes anything, and none after that finds something new: to be
/// held where a file or a folder is made below the path of a pending output.
std::unique_lock<std::mutex> uninterrupted();

/// Throws the BadInput of a path that cannot be written to, for the reason that errno gives.
[[noreturn]] void refuse_to_write(const std::filesystem::path& path, int error,
                                  const std::string& advice = "name another");

/// Makes SIGINT, SIGTERM and SIGHUP remove every pending output and end the process with status
/// 128 + signal; other ranks than rank 0 some time later, for mpirun kills who is left as soon as
/// one has ended. Further calls change nothing. Throws std::system_error where the system gives no
/// pipe.
void remove_pending_outputs_on_interrupt();

/// The line that such an end leaves on stderr; empty: none.
void say_on_interrupt(std::string line);

}  // namespace attn
