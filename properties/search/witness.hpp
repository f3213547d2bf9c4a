#pragma once

#include <string_view>

#include "reports/record/report.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

/// A case with the enclosures of both sides, decided by intervals of at least 50 digits.
/// `where`: its family, or how else it was found.
report::CaseRecord certified(const Claim& claim, const Case& input, std::string_view where);

/// The same for a violation, behind at least 100 digits. Throws std::runtime_error ("flaky ..")
/// where the case, decided twice anew, is not violated both times.
report::CaseRecord certified_witness(const Claim& claim, const Case& input, std::string_view where);

}  // namespace attn::properties
