#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/record/report.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/claims/claim.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn::properties {

/// Certificates, and whether a second implementation agrees with them.
struct Certified {
  ExitCode code;  ///< kUnexpected where one is contradicted, kUndecided where one stays unchecked
  std::map<std::string, std::string> files{};  ///< name of the file -> certificate
};

/// Certifies the cases that settle something about the searched claims, each claim's example, the
/// counterexample found and the case found to attain the bound; decides each anew by `checks` and
/// says on stdout what came of it.
Certified certify_and_recheck(const std::vector<Claim>& claims, const report::Report& report,
                              const recheck::Checks& checks);

}  // namespace attn::properties
