#pragma once

#include <functional>
#include <string>

#include "theory/base/build_info.hpp"
#include "theory/base/exit_code.hpp"

namespace CLI {
class App;
}

namespace attn {

/// Is told the message of what ended a program, and the exit code.
using Complain = std::function<void(ExitCode, const std::string& message)>;

/// Parses the command line with `app`, then runs `body` and returns its exit code. Bad usage,
/// BadInput and a path that std::filesystem refuses become one line on stderr and exit code 2; any
/// other exception, and output that cannot be written to stdout, becomes exit code 4. Adds
/// --version, which also names `libraries`, those that only this program uses. An interrupt removes
/// what was being written (see PendingOutput) and ends the program with 128 + signal. Where there
/// is `complain`, it gets the lines in place of stderr.
int run_main(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
             const Versions& libraries = {}, const Complain& complain = {});

}  // namespace attn
