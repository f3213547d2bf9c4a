#include "reports/record/provenance.hpp"

#include <Eigen/src/Core/util/Macros.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gmp.h>
#include <mpfi.h>
#include <mpfr.h>

#include <boost/version.hpp>
#include <chrono>
#include <ctime>
#include <utility>

#include "reports/build_info.hpp"

namespace attn::report {
namespace {

std::map<std::string, std::string> libraries() {
  return {{"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                                BOOST_VERSION % 100)},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)},
          {"gmp", gmp_version},
          {"mpfi", mpfi_get_version()},
          {"mpfr", mpfr_get_version()},
          {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                        NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

Provenance collect_provenance(std::uint64_t seed, std::string effort, unsigned threads,
                              std::string blas) {
  Provenance provenance;
  provenance.version = build_info::kVersion;
  provenance.commit = build_info::kCommit;
  provenance.dirty = build_info::kDirty;
  provenance.compiler = build_info::kCompiler;
  provenance.flags = build_info::kFlags;
  provenance.libraries = libraries();
  provenance.blas = std::move(blas);
  provenance.threads = threads;
  provenance.seed = seed;
  provenance.effort = std::move(effort);
  provenance.started = utc_now();
  return provenance;
}

}  // namespace attn::report
