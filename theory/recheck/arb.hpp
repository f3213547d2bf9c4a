#pragma once

// Arb's ball arithmetic: part of FLINT from version 3 on, a library of its own before.
#if __has_include(<flint/arb_mat.h>)
#include <flint/arb.h>
#include <flint/arb_mat.h>
#else
#include <arb.h>
#include <arb_mat.h>
#endif

namespace attn::recheck {

/// The library that the ball arithmetic comes from, and its version.
struct BallArithmetic {
  const char* library;
  const char* version;
};

inline BallArithmetic ball_arithmetic() {
#if __FLINT_RELEASE >= 30000
  return {"flint", FLINT_VERSION};
#else
  return {"arb", arb_version};
#endif
}

}  // namespace attn::recheck
