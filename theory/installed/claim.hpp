#pragma once

/// What one needs to write a claim.
#include "theory/attention/jacobian.hpp"
#include "theory/attention/problem.hpp"
#include "theory/attention/ranked.hpp"
#include "theory/attention/weights.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/define.hpp"
