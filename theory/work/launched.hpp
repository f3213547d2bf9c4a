#pragma once

namespace attn::work {

/// What a launcher of parallel programs (mpirun, srun) says of this process.
struct Launched {
  bool is_launched{false};  ///< whether there was one
  unsigned rank{0};
  unsigned count{1};  ///< processes that it started together
};

/// Read from the environment variables that Open MPI, MPICH and Slurm set.
Launched launched();

}  // namespace attn::work
