#pragma once

namespace attn {

/// The exit codes of every command line of the project.
enum ExitCode : int {
  kAsExpected = 0,  ///< every verdict as its status says
  kUnexpected = 1,  ///< an unexpected verdict
  kBadInput = 2,    ///< bad input or usage
  kUndecided = 3,   ///< undecided, or an input class not covered
  kInternal = 4,    ///< an error of ours
};

}  // namespace attn
