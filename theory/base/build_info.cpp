#include "theory/base/build_info.hpp"

#include <fmt/ranges.h>
#include <gmp.h>
#include <mpfi.h>
#include <mpfr.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>
#include <vector>

#include "theory/base/build_constants.hpp"

namespace attn {
namespace {

// Before version 5 the version begins with what Eigen calls the world, which is 3 ever since.
std::string eigen_version() {
#ifdef EIGEN_PATCH_VERSION
  return fmt::format("{}.{}.{}", EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, EIGEN_PATCH_VERSION);
#else
  return fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
#endif
}

Versions common_libraries() {
  return {{"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                                BOOST_VERSION % 100)},
          {"eigen", eigen_version()},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)},
          {"gmp", gmp_version},
          {"mpfi", mpfi_get_version()},
          {"mpfr", mpfr_get_version()},
          {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                        NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
}

}  // namespace

BuildInfo build_info() {
  return {.version = build_constants::kVersion,
          .commit = build_constants::kCommit,
          .dirty = build_constants::kDirty,
          .compiler = build_constants::kCompiler,
          .flags = build_constants::kFlags,
          .libraries = common_libraries()};
}

std::string version_text(const std::string& program, const Versions& libraries) {
  const BuildInfo build = build_info();
  Versions all = build.libraries;
  all.insert(libraries.begin(), libraries.end());
  std::vector<std::string> named;
  for (const auto& [library, version] : all)
    named.push_back(fmt::format("{} {}", library, version));
  return fmt::format("{} {}\ncommit: {}{}\ncompiler: {}\nflags: {}\nlibraries: {}", program,
                     build.version, build.commit, build.dirty ? " with changes" : "",
                     build.compiler, build.flags, fmt::join(named, ", "));
}

}  // namespace attn
