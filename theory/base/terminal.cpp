#include "theory/base/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "theory/base/launched.hpp"

namespace attn {
namespace {

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
