#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>

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

/// Parses the command line with `app`, then runs `body` and returns its exit code. Bad usage and
/// BadInput become one line on stderr and exit code 2; any other exception becomes exit code 4.
inline int run_main(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  try {
    app.parse(argc, argv);
    return body();
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "%s: %s (see %s --help)\n", app.get_name().c_str(), e.what(),
                 app.get_name().c_str());
    return kBadInput;
  } catch (const BadInput& e) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), e.what());
    return kBadInput;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: internal error: %s\n", app.get_name().c_str(), e.what());
    return kInternal;
  }
}

}  // namespace attn
