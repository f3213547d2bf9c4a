#pragma once

#include <functional>
#include <memory>

#include "theory/base/build_info.hpp"
#include "theory/units/messages.hpp"

namespace CLI {
class App;
}

namespace attn::units {

/// The processes that a launcher started with this one, connected by MPI; this one alone where
/// there was none. Throws BadInput where there are others that it cannot talk to: built without
/// MPI, or started by a launcher that the MPI does not know. Called once.
std::unique_ptr<Messages> ranks_of_this_run();

/// run_main for a program that several ranks may run: rank 0 alone writes to stdout and stderr, and
/// its exit code is that of the run. `body` is called on every rank.
int run_ranks_main(CLI::App& app, int argc, char** argv, const std::function<int(Messages&)>& body,
                   const Versions& libraries = {});

}  // namespace attn::units
