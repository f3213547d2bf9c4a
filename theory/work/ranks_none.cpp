// The ranks of a program that was built without MPI.
#include <fmt/format.h>

#include "theory/base/bad_input.hpp"
#include "theory/work/launched.hpp"
#include "theory/work/ranks.hpp"

namespace attn::work {

std::unique_ptr<Messages> ranks_of_this_run() {
  if (const Launched self = launched(); self.count > 1) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = "MPI",
                    .expected = "one process, for this program was built without it",
                    .found = fmt::format("{} started together", self.count),
                    .advice = "build with -DATTN_MPI=ON, or start one, or shards (--shard)"});
  }
  return std::make_unique<Alone>();
}

}  // namespace attn::work
