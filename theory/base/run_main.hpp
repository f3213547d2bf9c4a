#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/one_line.hpp"

namespace attn {

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
