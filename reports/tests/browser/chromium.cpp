#include "reports/tests/browser/chromium.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "theory/base/atomic_file.hpp"

namespace attn::test {
namespace {

namespace fs = std::filesystem;

std::string on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    if (fs::is_regular_file(program) && ::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

/// Becomes `program` as the leader of a new process group; does not return.
[[noreturn]] void become(const std::string& program, const fs::path& folder) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setenv("HOME", folder.c_str(), 1);
  const int log = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  const std::string profile = fmt::format("--user-data-dir={}", folder.string());
  // Root has no sandbox, and a container little shared memory.
  ::execl(program.c_str(), program.c_str(), "--headless=new", "--no-sandbox",
          "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
          "--disable-component-update", "--disable-sync", "--no-first-run",
          "--remote-debugging-port=0", profile.c_str(), "about:blank", nullptr);
  ::perror(program.c_str());
  ::_exit(127);
}

}  // namespace

std::string find_chromium() {
  if (const char* const named = std::getenv("ATTN_CHROMIUM")) return named;
  for (const char* const name : {"chromium", "chromium-browser", "google-chrome"}) {
    std::string program = on_path(name);
    if (!program.empty()) return program;
  }
  return {};
}

Chromium::Chromium(const std::string& program, std::chrono::seconds patience) {
  // Orphans of the group become children of this process, so that stop() can wait for them.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("no new process for Chromium");
  if (process_ == 0) become(program, folder_.path());
  ::setpgid(process_, process_);  // whichever of the two processes comes first

  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!read_port()) {
    const bool ended = ::waitpid(process_, nullptr, WNOHANG) != 0;
    if (ended || std::chrono::steady_clock::now() > deadline) {
      stop();
      throw std::runtime_error(fmt::format(
          "{} {} before its debugging port was open. It wrote:\n{}", program,
          ended ? "ended" : fmt::format("took more than {} s", patience.count()),
          fs::exists(folder_ / "log") ? read_file(folder_ / "log") : std::string("nothing")));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Chromium::~Chromium() {
  stop();
}

bool Chromium::read_port() {
  std::ifstream file(folder_ / "DevToolsActivePort");
  return std::getline(file, port_) && std::getline(file, target_);
}

void Chromium::stop() {
  ::kill(-process_, SIGKILL);
  while (::waitpid(-process_, nullptr, 0) > 0) {
  }
}

}  // namespace attn::test
