#pragma once

#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// junit.xml, as GitHub, GitLab and Jenkins read it: a test suite for the search and for each
/// input, in it a test case for each claim (class name "attention-limits.<stage>[.<input>]", name:
/// the claim's id). A claim that came out unexpected or is missing is a failure; one that is
/// undecided or not covered is an error, so that no reader shows it as passed. Both say why, in
/// their text how to run it again, and in system-out what the claim is. They come first, and so do
/// the suites that have some.
///
/// Time is given for the whole run, and for a suite only where it is the only one: a report knows
/// no others. What XML 1.0 forbids (control characters, bytes that are not UTF-8) becomes U+FFFD.
/// `report` must be complete (see `complete`).
std::string junit_xml(const Report& report);

}  // namespace attn::report
