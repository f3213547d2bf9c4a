#pragma once

#include <map>
#include <optional>
#include <string>

namespace attn::units {

/// What the results of a run depend on: the build, the command line, the inputs. Name -> value.
using Identity = std::map<std::string, std::string>;

/// The identity of a run of this program: version, commit and the SHA-256 of the program itself,
/// and `command`, the command line without what changes no result. Who reads further input adds its
/// digests.
Identity identity_of(const std::string& command);

/// One thing in which two runs differ.
struct Difference {
  std::string name, ours, theirs;
};

/// The first, in the order of the names; nothing where they are the same.
std::optional<Difference> difference(const Identity& ours, const Identity& theirs);

std::string to_text(const Identity& identity);
/// The inverse; nothing for any other text.
std::optional<Identity> identity_from(const std::string& text);

}  // namespace attn::units
