#pragma once

#include <filesystem>
#include <string>

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

/// Makes SIGINT, SIGTERM and SIGHUP remove every pending output and end the process with status
/// 128 + signal; other ranks than rank 0 some time later, for mpirun kills who is left as soon as
/// one has ended. Further calls change nothing. Throws std::system_error where the system gives no
/// pipe.
void remove_pending_outputs_on_interrupt();

/// The line that such an end leaves on stderr; empty: none.
void say_on_interrupt(std::string line);

}  // namespace attn
