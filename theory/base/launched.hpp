#pragma once

namespace attn {

/// What a launcher of parallel programs (mpirun, srun) says of this process.
struct Launched {
  bool is_launched{false};  ///< whether a launcher started this process
  unsigned rank{0};
  unsigned count{1};  ///< processes that the launcher started together, at least
  bool says_count{false};
};

/// Read from the environment variables that Open MPI, MPICH and Slurm set.
Launched launched();

/// The threads that this process may run at once: a launcher may have bound it to some of the
/// machine's processors. At least 1.
unsigned hardware_threads();

/// Throws BadInput where a launcher started several processes, of a program in which they cannot
/// talk to each other: each would do the whole work and write the same files.
void expect_no_launcher();

/// Whether somebody at a terminal sees what this process writes to `stream`, STDOUT_FILENO or
/// STDERR_FILENO. mpirun hands its processes a pipe or a terminal of its own, wherever its own
/// output goes: of rank 0 the stream of mpirun says it, and the other ranks count as unseen. Of a
/// rank 0 on another machine than mpirun the answer is no.
bool is_at_terminal(int stream);

/// Whether the terminal at `stream` takes escape sequences: somebody sees it, and TERM is not
/// "dumb".
bool takes_escapes(int stream);

}  // namespace attn
