#include "gpt2_check/checkpoint/pending_output.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "theory/bad_input.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

struct Registry {
  std::mutex mutex;
  std::set<fs::path> paths;
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

[[noreturn]] void wait_for_interrupt(sigset_t signals) {
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {
  }
  // The lock is kept: no output can be committed or begun from here on.
  registry().mutex.lock();
  for (const fs::path& path : registry().paths) remove_quietly(path);
  _exit(128 + signal);
}

}  // namespace

PendingOutput::PendingOutput(fs::path target) : target_(std::move(target)) {
  if (target_.empty()) throw BadInput("the output path is empty; name a file or a folder");
  if (!target_.has_filename()) target_ = target_.parent_path();  // "folder/" means "folder"
  const fs::path parent = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(parent, error) || access(parent.c_str(), W_OK) != 0) {
    throw BadInput(fmt::format("{}: cannot write here: {} is not a folder that can be written to",
                               target_.string(), parent.string()));
  }
  if (fs::is_directory(target_, error) && !fs::is_empty(target_, error)) {
    throw BadInput(fmt::format("{}: the folder exists and is not empty; name another or empty it",
                               target_.string()));
  }
  path_ = parent / fmt::format(".{}.{}.part", target_.filename().string(), getpid());
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
  if (error) {
    throw BadInput(fmt::format("{}: cannot be written: {}", target_.string(), error.message()));
  }
  registry().paths.erase(path_);
}

void remove_pending_outputs_on_interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // threads started later inherit the mask
  std::thread(wait_for_interrupt, signals).detach();
}

}  // namespace attn
