#pragma once

namespace attn {

/// Whether somebody at a terminal sees what this process writes to `stream`, STDOUT_FILENO or
/// STDERR_FILENO. mpirun hands its processes a pipe or a terminal of its own, wherever its own
/// output goes: of rank 0 the stream of mpirun says it, and the other ranks count as unseen. Of a
/// rank 0 on another machine than mpirun the answer is no.
bool is_at_terminal(int stream);

/// Whether that terminal takes escape sequences too: TERM is not "dumb".
bool takes_escapes(int stream);

}  // namespace attn
