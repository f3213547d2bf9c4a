#include "reports/tests/browser/chromium.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "theory/base/atomic_file.hpp"

namespace attn::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::seconds kAnswerPatience{120};  // for an answer

std::string on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / name;
    if (fs::is_regular_file(program) && ::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

/// Where Chromium reads commands, and where it writes answers and events.
constexpr int kCommands = 3;
constexpr int kAnswers = 4;

/// Becomes `program` as the leader of a new process group, with `pipe` for both; does not return.
[[noreturn]] void become(const std::string& program, const fs::path& folder, int pipe) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setenv("HOME", folder.c_str(), 1);
  const int log = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  const int high = ::fcntl(pipe, F_DUPFD_CLOEXEC, kAnswers + 1);  // it may be one of the two
  ::dup2(high, kCommands);
  ::dup2(high, kAnswers);
  const std::string profile = fmt::format("--user-data-dir={}", folder.string());
  // Root has no sandbox, and a container little shared memory.
  ::execl(program.c_str(), program.c_str(), "--headless=new", "--no-sandbox",
          "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
          "--disable-component-update", "--disable-sync", "--no-first-run",
          "--remote-debugging-pipe", profile.c_str(), "about:blank", nullptr);
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

Chromium::Chromium(const std::string& program) : program_(program) {
  // Orphans of the group become children of this process, so that stop() can wait for them.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error("no pipe to Chromium");
  }
  process_ = ::fork();
  if (process_ == 0) become(program, folder_.path(), ends[1]);
  ::close(ends[1]);
  pipe_ = ends[0];
  if (process_ < 0) {
    ::close(pipe_);
    throw std::runtime_error("no new process for Chromium");
  }
  ::setpgid(process_, process_);  // whichever of the two processes comes first
}

Chromium::~Chromium() {
  stop();
  ::close(pipe_);
}

json Chromium::call(const std::string& method, const json& params, const std::string& session) {
  const auto deadline = std::chrono::steady_clock::now() + kAnswerPatience;
  const int id = ++last_id_;
  json command = {{"id", id}, {"method", method}, {"params", params}};
  if (!session.empty()) command["sessionId"] = session;
  try {
    send(command.dump(), deadline);
    for (;;) {
      json message = json::parse(receive(deadline));
      if (!message.contains("id")) {
        events_.push_back(std::move(message));
      } else if (message.at("id") == id) {
        if (message.contains("error")) throw std::runtime_error(message.at("error").dump());
        return message.at("result");
      }
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", method, error.what()));
  }
}

std::vector<json> Chromium::take_events() {
  return std::exchange(events_, {});
}

void Chromium::send(const std::string& message, Deadline deadline) {
  std::string_view left(message.c_str(), message.size() + 1);
  while (!left.empty()) {
    wait_for(POLLOUT, deadline);
    const ssize_t sent = ::send(pipe_, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) fail("ended");
    if (sent > 0) left.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string Chromium::receive(Deadline deadline) {
  std::array<char, 1 << 16> piece{};
  for (std::size_t searched = 0;;) {
    const std::size_t end = received_.find('\0', searched);
    if (end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    searched = received_.size();
    wait_for(POLLIN, deadline);
    const ssize_t got = ::recv(pipe_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) fail("ended");
    if (got > 0) received_.append(piece.data(), static_cast<std::size_t>(got));
  }
}

void Chromium::wait_for(short event, Deadline deadline) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
  pollfd end{.fd = pipe_, .events = event, .revents = 0};
  if (left <= milliseconds(0) || ::poll(&end, 1, static_cast<int>(left.count())) == 0) {
    fail("did not answer in time");
  }
}

void Chromium::fail(std::string_view what) {
  stop();
  const fs::path log = folder_ / "log";
  throw std::runtime_error(fmt::format("{} {}. It wrote:\n{}", program_, what,
                                       fs::exists(log) ? read_file(log) : "nothing"));
}

void Chromium::stop() {
  ::kill(-process_, SIGKILL);
  while (::waitpid(-process_, nullptr, 0) > 0) {
  }
}

}  // namespace attn::test
