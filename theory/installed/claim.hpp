#pragma once

/// What one needs to write a claim, and to decide it.
#include "theory/attention/case_context.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/attention/jacobian.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/attention/weights.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/define.hpp"
