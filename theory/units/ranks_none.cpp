// The ranks of a program that was built without MPI.
#include "theory/base/launched.hpp"
#include "theory/units/ranks.hpp"

namespace attn::units {

std::unique_ptr<Messages> ranks_of_this_run() {
  expect_no_launcher();
  return std::make_unique<Alone>();
}

}  // namespace attn::units
