#include "reports/record/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <utility>

#include "theory/base/build_info.hpp"

namespace attn::report {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

RunInfo collect_provenance(std::uint64_t seed, Effort effort, const Processes& processes,
                           std::string blas) {
  const BuildInfo build = build_info();
  RunInfo provenance;
  provenance.version = build.version;
  provenance.commit = build.commit;
  provenance.dirty = build.dirty;
  provenance.compiler = build.compiler;
  provenance.flags = build.flags;
  provenance.processor = processes.processors;
  provenance.libraries = build.libraries;
  provenance.blas = std::move(blas);
  provenance.threads = processes.threads;
  if (processes.ranks > 1) provenance.ranks = processes.ranks;
  provenance.seed = seed;
  provenance.effort = effort;
  provenance.started = utc_now();
  return provenance;
}

}  // namespace attn::report
