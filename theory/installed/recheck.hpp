#pragma once

/// What one needs to write the second implementation of a claim.
#include "theory/recheck/check.hpp"
#include "theory/recheck/input.hpp"
#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/recheck.hpp"
#include "theory/recheck/scores.hpp"
