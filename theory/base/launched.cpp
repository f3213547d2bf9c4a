#include "theory/base/launched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>

#include "theory/base/bad_input.hpp"
#include "theory/base/number_from.hpp"

namespace attn {

namespace {

/// The number in the first of these environment variables that has one.
std::optional<unsigned> number_in(std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    const char* const value = std::getenv(name);
    const auto number = value != nullptr ? number_from<unsigned>(value) : std::nullopt;
    if (number) return number;
  }
  return std::nullopt;
}

}  // namespace

Launched launched() {
  // Open MPI; MPICH and Slurm's PMI; PMIx, which does not say how many there are; srun without any.
  auto rank = number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"});
  const auto count = number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
  if (!rank && count.value_or(1) > 1) rank = number_in({"SLURM_PROCID"});
  if (!rank) return {};
  return {true, *rank, std::max(count.value_or(1), *rank + 1), count.has_value()};
}

void expect_no_launcher() {
  if (const Launched self = launched(); self.count > 1) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = "MPI",
                    .expected = "one process, for this program was built without it",
                    .found = fmt::format("{} started together", self.count),
                    .advice = "build with -DATTN_MPI=ON, or start one, or shards (--shard)"});
  }
}

}  // namespace attn
