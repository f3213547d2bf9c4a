#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>

namespace attn::test {

/// Whether refusals.txt beside this file has `message`, word for word: what every refusal that a
/// test provokes says. The name of a temporary folder, of the sources or of the build stands there
/// as FOLDER, SOURCES or BUILD, a number that a tensor holds as #. Where the environment has
/// ATTN_ACCEPT=1, `message` is added. Usage errors that CLI11 words are not kept.
bool is_kept(std::string_view message);

/// Matches a message that is kept.
MATCHER(IsKept,
        "is among the refusals that are kept; where it is meant, the test with ATTN_ACCEPT=1 keeps "
        "it, and its line is to be read in theory/base/tests/refusals.txt") {
  return is_kept(arg);
}

}  // namespace attn::test
