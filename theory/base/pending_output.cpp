#include "theory/base/pending_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ranges>
#include <set>
#include <system_error>
#include <thread>

#include "theory/base/bad_input.hpp"
#include "theory/base/launched.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

struct Registry {
  std::mutex mutex;
  std::set<fs::path> paths;
  std::set<fs::path> folders;  ///< the folders that a NewFolders in use has made
  std::string last_words;      ///< on stderr
};

// Never destroyed: the thread that waits for signals may outlive the statics.
Registry& registry() {
  static auto* const instance = new Registry;
  return *instance;
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

void remove_if_empty(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder, ignored);
}

/// More than the second that mpirun gives a rank to end by itself.
constexpr std::chrono::seconds kLastWordsOfRank0{2};

int interrupt_pipe[2];

// May run on any thread, OpenBLAS's included, so it does nothing but wake the one that cleans up.
extern "C" void on_interrupt(int signal) {
  const int saved = errno;
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const ssize_t written = write(interrupt_pipe[1], &byte, 1);
  errno = saved;
}

void wait_for_interrupt() {
  unsigned char signal = 0;
  while (read(interrupt_pipe[0], &signal, 1) != 1) {
  }
  // The lock is kept: no output can be begun or committed from here on.
  registry().mutex.lock();
  for (const fs::path& path : registry().paths) remove_quietly(path);
  for (const fs::path& folder : registry().folders | std::views::reverse) remove_if_empty(folder);
  if (!registry().last_words.empty()) {
    const char* const erased_line = takes_escapes(STDERR_FILENO) ? "\r\033[K" : "";
    fmt::print(stderr, "{}{}\n", erased_line, registry().last_words);
  }
  // mpirun interrupts all ranks, and kills the others outright as soon as one of them has ended.
  if (launched().rank != 0) std::this_thread::sleep_for(kLastWordsOfRank0);
  _exit(128 + signal);
}

void handle_interrupts() {
  if (pipe(interrupt_pipe) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  std::thread(wait_for_interrupt).detach();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // nohup and the like keep their meaning
    action.sa_handler = on_interrupt;
    sigaction(signal, &action, nullptr);
  }
}

/// Unique among the running processes and the outputs of this one.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return target.parent_path() /
         fmt::format(".{}.{}.{}.part", target.filename().string(), ::getpid(), counter++);
}

/// Throws BadInput where a folder is missing, is none, or may not be written to.
void check_parent(const fs::path& target, const fs::path& parent) {
  const auto refuse = [&](const char* is, const char* advice) {
    throw BadInput({.kind = BadInputKind::unwritable,
                    .where = target.string(),
                    .expected = "a path in a folder that can be written to",
                    .found = fmt::format("{}, which {}", parent.string(), is),
                    .advice = advice});
  };
  std::error_code error;
  const fs::file_status status = fs::status(parent, error);
  if (status.type() == fs::file_type::not_found) {
    refuse("does not exist", "make the folder, or name another");
  }
  if (fs::exists(status) && !fs::is_directory(status)) refuse("is no folder", "name another");
  if (error || faccessat(AT_FDCWD, parent.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    refuse("this user may not write to", "change who may, or name another");
  }
}

}  // namespace

PendingOutput::PendingOutput(fs::path target, Full full) : target_(std::move(target)) {
  if (target_.empty()) {
    throw BadInput({.kind = BadInputKind::missing,
                    .expected = "an output path",
                    .found = "an empty one",
                    .advice = "name a file or a folder"});
  }
  if (!target_.has_filename()) target_ = target_.parent_path();  // "folder/" means "folder"
  std::error_code unknown;
  // What a link leads to is replaced, not the link.
  constexpr int kMostLinks = 40;  // as the system itself follows
  for (int link = 0; link < kMostLinks && fs::is_symlink(target_, unknown); ++link) {
    target_ = target_.parent_path() / fs::read_symlink(target_);
  }
  if (fs::is_symlink(target_, unknown)) refuse_to_write(target_, ELOOP);
  if (fs::is_other(target_, unknown)) {
    throw BadInput({.kind = BadInputKind::unwritable,
                    .where = target_.string(),
                    .expected = "a file or a folder, or nothing there yet",
                    .found = "a device, a pipe or a socket, which no file can replace",
                    .advice = "name another"});
  }
  const fs::path parent = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  check_parent(target_, parent);
  std::error_code error;
  if (full == Full::refuse && fs::is_directory(target_, error) && !fs::is_empty(target_, error)) {
    throw BadInput({.kind = BadInputKind::unwritable,
                    .where = target_.string(),
                    .expected = "no folder there, or an empty one",
                    .found = "a folder that is not empty",
                    .advice = "name another or empty it"});
  }
  path_ = temporary_name(target_);
  remove_quietly(path_);  // left by a process of the same number that was killed
  const std::lock_guard lock(registry().mutex);
  registry().paths.insert(path_);
}

PendingOutput::~PendingOutput() {
  const std::lock_guard lock(registry().mutex);
  if (registry().paths.erase(path_) != 0) remove_quietly(path_);
}

void PendingOutput::commit() {
  const std::lock_guard lock(registry().mutex);
  std::error_code error;
  fs::rename(path_, target_, error);
  if (error) refuse_to_write(target_, error.value());
  registry().paths.erase(path_);
}

bool PendingOutput::exchange() {
  const std::lock_guard lock(registry().mutex);
  // What was the target is now at path(), where the destructor or an interrupt removes it.
  return ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0;
}

NewFolders::~NewFolders() {
  const auto lock = uninterrupted();
  for (const fs::path& folder : made_ | std::views::reverse) {
    remove_if_empty(folder);
    registry().folders.erase(folder);
  }
}

void NewFolders::make(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  make(folder.parent_path());
  const auto lock = uninterrupted();
  if (fs::create_directory(folder, error)) {
    made_.push_back(folder);
    registry().folders.insert(folder);
  }
  if (error) refuse_to_write(folder, error.value());
}

std::unique_lock<std::mutex> uninterrupted() {
  return std::unique_lock(registry().mutex);
}

void refuse_to_write(const fs::path& path, int error, const std::string& advice) {
  throw BadInput({.kind = BadInputKind::unwritable,
                  .where = path.string(),
                  .expected = "a path that can be written to",
                  .found = in_quotes(std::strerror(error)),
                  .advice = advice});
}

void remove_pending_outputs_on_interrupt() {
  static std::once_flag done;
  std::call_once(done, [] { handle_interrupts(); });
}

void say_on_interrupt(std::string line) {
  const std::lock_guard lock(registry().mutex);
  registry().last_words = std::move(line);
}

}  // namespace attn
