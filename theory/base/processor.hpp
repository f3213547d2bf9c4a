#pragma once

#include <string>

// A function that is compiled for each width of vectors that processors of the family have; the
// widest that the processor at hand has is called. On other families the compiler's target has one,
// and so it has under GCC's ThreadSanitizer, which is not yet there when the loader chooses, and
// with Clang, which links no inline function that these alone call.
#if defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define ATTN_HAS_VECTOR_WIDTHS
#define ATTN_EACH_VECTOR_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ATTN_EACH_VECTOR_WIDTH
#endif

namespace attn {

/// The processor's family, the vectors that ATTN_EACH_VECTOR_WIDTH takes on it, and its name where
/// the system tells one: "x86_64 with avx2 (AMD EPYC 7763 64-Core Processor)", "aarch64".
std::string processor();

}  // namespace attn
