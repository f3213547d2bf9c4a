#pragma once

#include <string>
#include <vector>

#include "theory/base/exit_code.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/recheck/recheck.hpp"

namespace CLI {
class App;
}

namespace attn {

// The subcommands on given cases, the same for the claims of any catalogue.

struct EvalOptions {
  std::string file;  ///< "-": standard input
  unsigned max_digits = 200;
};

/// Adds `eval FILE`, and `recheck FILE...`.
CLI::App& add_eval(CLI::App& app, EvalOptions& options);
CLI::App& add_recheck(CLI::App& app, std::vector<std::string>& files);

/// Both sides and the verdict of each case, as a JSON array, and the gravest exit code of them.
struct Evaluations {
  std::string text;
  ExitCode code;
};

/// Decides each of a JSON array of {"claim", "case"} with so many digits at most. Throws BadInput,
/// naming the array by `name`, and the entry.
Evaluations evaluate_cases(const Catalogue& claims, const std::string& array,
                           const std::string& name, unsigned max_digits);

/// Decides each of a JSON array of {"claim", "case"} and prints both sides and the verdict. Returns
/// the gravest exit code of them. Throws BadInput, naming the file and the entry.
ExitCode eval_file(const Catalogue& claims, const EvalOptions& options);

/// Decides certificates anew by a second implementation and prints whether it agrees. Throws
/// BadInput, naming the file.
ExitCode recheck_files(const Catalogue& claims, const recheck::Checks& checks,
                       const std::vector<std::string>& files);

/// The graver of two exit codes: an unexpected verdict outweighs an undecided one.
ExitCode graver(ExitCode a, ExitCode b);

}  // namespace attn
