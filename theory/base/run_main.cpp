#include "theory/base/run_main.hpp"

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/pending_output.hpp"

namespace attn {
namespace {

/// Writes "app: message" to stderr as one line.
Complain to_stderr(const CLI::App& app) {
  return [&app](ExitCode, const std::string& message) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), one_line(message).c_str());
  };
}

/// The innermost command that was given.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  return given.empty() ? app : innermost(*given.back());
}

/// What is wrong with a command line. CLI11 misses what is required before it says which flag it
/// does not know, which is the likelier slip.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> unknown = app.remaining(true);
  std::erase_if(unknown, [](const std::string& word) { return !word.starts_with("--"); });
  if (error.get_name() != "RequiredError" || unknown.empty()) return error.what();
  return CLI::ExtrasError(unknown).what();
}

/// Throws BadInput for "--flag=", which CLI11 takes as a flag whose value is the next word.
void check_values(std::span<char* const> words) {
  for (const std::string_view word : words) {
    if (word == "--") return;
    if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
    throw BadInput({.kind = BadInputKind::missing,
                    .where = std::string(word.substr(0, word.size() - 1)),
                    .expected = "a value after the =",
                    .found = "none"});
  }
}

/// What was printed has to arrive. That an earlier part did not shows only in the stream's state:
/// fmt 11 throws nothing there.
void flush_output() {
  const bool earlier_failed = std::ferror(stdout) != 0;
  errno = EIO;
  if (std::cout.flush() && std::fflush(stdout) == 0 && !earlier_failed) return;
  throw std::system_error(errno, std::generic_category(), "cannot write to file");
}

/// A standard stream that is closed would be the next file or pipe that is opened: each gets one
/// that cannot be used either, for it is opened for the other direction.
void occupy_standard_streams() {
  for (const int stream : {0, 1, 2}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free, which this stream's is.
    [[maybe_unused]] const int opened = ::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
  }
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
             const Versions& libraries, const Complain& complain) {
  const auto end = [&](ExitCode code, const std::string& message) {
    (complain ? complain : to_stderr(app))(code, message);
    return code;
  };
  occupy_standard_streams();
  try {
    // A limit on the size of files is an error of what is written, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    remove_pending_outputs_on_interrupt();
    app.set_version_flag("--version", version_text(app.get_name(), libraries),
                         "Print version, commit, compiler and libraries");
    check_values(std::span(argv, static_cast<std::size_t>(argc)));
    int code = kAsExpected;
    try {
      app.parse(argc, argv);
      code = body();
    } catch (const CLI::Success& e) {
      code = app.exit(e);  // --help, --version
    }
    flush_output();
    return code;
  } catch (const CLI::ParseError& e) {
    return end(kBadInput,
               usage_error(app, e) + " (see " + command_name(innermost(app)) + " --help)");
  } catch (const BadInput& e) {
    return end(kBadInput, e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    return end(kBadInput, bad_path(e).what());
  } catch (const std::exception& e) {
    const bool is_output = std::ferror(stdout) != 0 || !std::cout;
    return end(kInternal,
               (is_output ? "standard output: " : "internal error: ") + std::string(e.what()));
  }
}

}  // namespace attn
