#include "gpt2_check/bench/program_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "theory/base/exit_code.hpp"
#include "theory/units/parts.hpp"

namespace attn::gpt2 {
namespace {

using Clock = std::chrono::steady_clock;

pid_t start(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int error =
      ::posix_spawnp(&process, words.front(), &streams, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (error != 0) throw std::system_error(error, std::generic_category(), command.front());
  return process;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double cpu_seconds(const rusage& usage) {
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Of what a process started and did not wait for: mpirun may end before its ranks.
double cpu_seconds_of_orphans() {
  double sum = 0;
  rusage usage{};
  while (::wait4(-1, nullptr, 0, &usage) > 0) sum += cpu_seconds(usage);
  return sum;
}

void check_status(int status, const std::vector<std::string>& command) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kInternal;
  if (code == kAsExpected || code == kUnexpected || code == kUndecided) return;
  throw std::runtime_error(fmt::format("exit code {} of {}", code, fmt::join(command, " ")));
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& command, const std::filesystem::path& out) {
  using namespace std::chrono_literals;
  const std::filesystem::path path = units::parts_of(out);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans come here
  const auto begun = Clock::now();
  const pid_t process = start(command);
  std::ifstream parts;
  int status = 0;
  rusage usage{};
  while (::wait4(process, &status, WNOHANG, &usage) == 0) {
    if (!parts.is_open()) parts.open(path);
    std::this_thread::sleep_for(5ms);
  }
  const double wall = std::chrono::duration<double>(Clock::now() - begun).count();
  const double cpu = cpu_seconds(usage) + cpu_seconds_of_orphans();
  check_status(status, command);
  return {wall, cpu, units::results_in(parts)};
}

}  // namespace attn::gpt2
