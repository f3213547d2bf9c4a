#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include "theory/bad_input.hpp"

namespace attn {

/// The exit codes of every command line of the project.
enum ExitCode : int {
  kAsExpected = 0,  ///< every verdict as its status says
  kUnexpected = 1,  ///< an unexpected verdict
  kBadInput = 2,    ///< bad input or usage
  kUndecided = 3,   ///< undecided, or an input class not covered
  kInternal = 4,    ///< an error of ours
  kSkipped = 77,    ///< a skipped test
};

/// `message` as one line: input may put line ends and other control characters into it.
inline std::string one_line(std::string message) {
  for (char& c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return message;
}

/// Writes `app: message` to stderr as one line.
inline void complain(const CLI::App& app, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), one_line(message).c_str());
}

/// Parses the command line with `app`, then runs `body` and returns its exit code. Bad usage and
/// BadInput become one line on stderr and exit code 2; any other exception, and output that cannot
/// be written to stdout, becomes exit code 4.
inline int run_main(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  try {
    app.parse(argc, argv);
    const int code = body();
    if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
    return code;
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) {
    complain(app, std::string(e.what()) + " (see " + app.get_name() + " --help)");
    return kBadInput;
  } catch (const BadInput& e) {
    complain(app, e.what());
    return kBadInput;
  } catch (const std::exception& e) {
    complain(app, std::string("internal error: ") + e.what());
    return kInternal;
  }
}

}  // namespace attn
