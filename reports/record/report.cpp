#include "reports/record/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "theory/base/bad_input.hpp"
#include "theory/base/words.hpp"

namespace attn::report {

RunInfo collect_provenance(std::uint64_t seed, Effort effort, const Processes& processes,
                           std::string blas) {
  RunInfo run{build_info()};
  run.processor = processes.processors;
  run.blas = std::move(blas);
  run.threads = processes.threads;
  if (processes.ranks > 1) run.ranks = processes.ranks;
  run.seed = seed;
  run.effort = effort;
  run.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return run;
}

Shard shard_from(std::string_view text) {
  const auto slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto index = number_from<unsigned>(text.substr(0, slash));
    const auto count = number_from<unsigned>(text.substr(slash + 1));
    if (index && count && 1 <= *index && *index <= *count && *count <= kMostShards) {
      return {*index, *count};
    }
  }
  throw BadInput({.kind = BadInputKind::malformed,
                  .expected = fmt::format("K/N with 1 <= K <= N <= {}, such as 2/3", kMostShards),
                  .found = in_quotes(text)});
}

Source source_of(const ClaimRecord& record) {
  return {record.stage, record.input};
}

std::vector<Source> sources_of(const Report& report) {
  std::vector<Source> sources;
  for (const ClaimRecord& record : report.claims) {
    const Source source = source_of(record);
    if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
  }
  std::ranges::stable_sort(sources, {}, &Source::stage);
  return sources;
}

std::string source_words(const Source& source) {
  const std::string stage(to_string(source.stage));
  return source.input.empty() ? stage : fmt::format("{}, {}", stage, source.input);
}

}  // namespace attn::report
