#pragma once

#include <stdexcept>

namespace attn {

/// Input that cannot be used: a flag, a file, a text, a checkpoint, a case.
///
/// The message is one line that says what is wrong, where, what was expected, what was found and
/// what to do. Command lines print it and exit with status 2.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace attn
