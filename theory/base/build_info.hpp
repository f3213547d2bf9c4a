#pragma once

#include <map>
#include <string>

namespace attn {

/// Library -> version.
using Versions = std::map<std::string, std::string>;

/// What the programs were built from and with. Outside a git checkout the commit is "unknown" and
/// counts as dirty.
struct BuildInfo {
  std::string version;
  std::string commit;  ///< as of the build
  bool dirty{};        ///< whether the sources had changes that are not committed
  std::string compiler, flags;
  Versions libraries;  ///< the libraries that every stage uses, each with its version
};

BuildInfo build_info();

/// What `program --version` prints, without a line end: what build_info() tells and the `libraries`
/// that this program adds.
std::string version_text(const std::string& program, const Versions& libraries);

}  // namespace attn
