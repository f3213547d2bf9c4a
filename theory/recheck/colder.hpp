#pragma once

#include <string>

#include "theory/recheck/input.hpp"

namespace attn::recheck {

/// A claim on two temperatures speaks of a second one below the first.
inline std::string not_colder(const Input& input) {
  return input.positive("colder") < input.temperature() ? "" : "T' < T";
}

}  // namespace attn::recheck
