#pragma once

namespace attn {

/// What a launcher of parallel programs (mpirun, srun) says of this process.
struct Launched {
  bool is_launched{false};  ///< whether there was one
  unsigned rank{0};
  unsigned count{1};  ///< processes that it started together, at least
  bool says_count{false};
};

/// Read from the environment variables that Open MPI, MPICH and Slurm set.
Launched launched();

/// Throws BadInput where a launcher started several processes, of a program in which they cannot
/// talk to each other: each would do the whole work and write the same files.
void expect_no_launcher();

}  // namespace attn
