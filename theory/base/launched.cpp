#include "theory/base/launched.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn {
namespace {

/// The number in the first of these environment variables that has one.
std::optional<unsigned> number_in(std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    const char* const value = std::getenv(name);
    const auto number = value != nullptr ? number_from<unsigned>(value) : std::nullopt;
    if (number) return number;
  }
  return std::nullopt;
}

bool is_file(int stream) {
  struct stat status {};
  return ::fstat(stream, &status) != 0 || S_ISREG(status.st_mode);
}

/// Whether the parent of this process has a terminal there.
bool is_terminal_of_parent(int stream) {
  const std::string name = fmt::format("/proc/{}/fd/{}", ::getppid(), stream);
  // A pipe that nobody reads does not keep us waiting, and no terminal becomes that of this
  // process.
  const int theirs = ::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (theirs < 0) return false;
  const bool is_terminal = ::isatty(theirs) == 1;
  ::close(theirs);
  return is_terminal;
}

}  // namespace

Launched launched() {
  // Open MPI; MPICH and Slurm's PMI; PMIx, which does not say how many there are; srun without any.
  auto rank = number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"});
  const auto count = number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
  if (!rank && count.value_or(1) > 1) rank = number_in({"SLURM_PROCID"});
  if (!rank) return {};
  return {true, *rank, std::max(count.value_or(1), *rank + 1), count.has_value()};
}

unsigned hardware_threads() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return std::max(1U, std::thread::hardware_concurrency());
  }
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
}

void expect_no_launcher() {
  if (const Launched self = launched(); self.count > 1) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = "MPI",
                    .expected = "one process, for this program was built without it",
                    .found = fmt::format("{} started together", self.count),
                    .advice = "build with -DATTN_MPI=ON, or start one, or shards (--shard)"});
  }
}

bool is_at_terminal(int stream) {
  const Launched self = launched();
  if (!self.is_launched) return ::isatty(stream) == 1;
  // A file was named behind the launcher's back, as in a shell that it started.
  return self.rank == 0 && !is_file(stream) && is_terminal_of_parent(stream);
}

bool takes_escapes(int stream) {
  const char* const term = std::getenv("TERM");
  return (term == nullptr || std::string_view(term) != "dumb") && is_at_terminal(stream);
}

}  // namespace attn
