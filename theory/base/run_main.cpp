#include "theory/base/run_main.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/pending_output.hpp"

namespace attn {
namespace {

/// Writes `app: message` to stderr as one line.
void complain(const CLI::App& app, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), one_line(message).c_str());
}

/// A path that the system refuses, where nobody foresaw it.
BadInput bad_path(const std::filesystem::filesystem_error& error) {
  return BadInput({.kind = BadInputKind::unreadable,
                   .where = error.path1().string(),
                   .expected = "a path that can be used",
                   .found = in_quotes(error.code().message()),
                   .advice = "check the path and who may use it"});
}

}  // namespace

int run_main(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
             const Versions& libraries) {
  try {
    remove_pending_outputs_on_interrupt();
    app.set_version_flag("--version", version_text(app.get_name(), libraries),
                         "Print version, commit, compiler and libraries");
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
  } catch (const std::filesystem::filesystem_error& e) {
    complain(app, bad_path(e).what());
    return kBadInput;
  } catch (const std::exception& e) {
    complain(app, std::string("internal error: ") + e.what());
    return kInternal;
  }
}

}  // namespace attn
