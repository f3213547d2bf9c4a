// The ranks of a program that was built without MPI.
#include "theory/work/launched.hpp"
#include "theory/work/ranks.hpp"

namespace attn::work {

std::unique_ptr<Messages> ranks_of_this_run() {
  expect_no_launcher();
  return std::make_unique<Alone>();
}

}  // namespace attn::work
