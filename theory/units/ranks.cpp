#include "theory/units/ranks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <string>

#include "theory/base/exit_code.hpp"
#include "theory/base/launched.hpp"
#include "theory/base/run_main.hpp"

namespace attn::units {

namespace {

void silence_stdout() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

}  // namespace

int run_ranks_main(CLI::App& app, int argc, char** argv, const std::function<int(Messages&)>& body,
                   const Versions& libraries) {
  const Launched self = launched();
  const bool leads = self.rank == 0;
  if (!leads) silence_stdout();
  std::unique_ptr<Messages> messages;
  std::exception_ptr unconnected;
  try {
    messages = ranks_of_this_run();
  } catch (...) {
    unconnected = std::current_exception();
  }
  const auto run = [&] {
    if (unconnected) std::rethrow_exception(unconnected);
    return body(*messages);
  };
  const auto tell_rank_0 = [&](ExitCode code, const std::string& message) {
    if (!messages) return;
    messages->send(0, code == kBadInput ? MessageKind::refused : MessageKind::failed, message);
  };
  // Where nobody says that there is a rank 0, a rank that is left over in the environment must not
  // end in silence.
  const bool complains = leads || (!messages && !self.says_count);
  const int code = run_main(app, argc, argv, run, libraries, complains ? Complain() : tell_rank_0);
  if (messages) part(*messages);
  return leads || !messages ? code : kAsExpected;
}

}  // namespace attn::units
