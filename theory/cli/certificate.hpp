#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "theory/base/exit_code.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/decide.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn {

/// Puts what was decided into `result`: "verdict"; "by", what decided (see By), or "undecided",
/// what is known where nothing did (see Open); and "digits".
void add_verdict(nlohmann::ordered_json& result, const Decision& decision);

/// The certificate of a case that `read_case` has read, whatever its verdict: {"certificate": 1,
/// "claim", "statement", "status", "case", "verdict", "by" or "undecided", "digits", "lhs": [lower,
/// upper], "rhs": [lower, upper]}, all numbers as outward-rounded decimal strings.
nlohmann::ordered_json make_certificate(const Claim& claim, const Case& input);

/// Whether a text begins as a certificate does.
bool is_certificate(std::string_view text);

/// What a second implementation says of a certificate.
struct Recheck {
  /// claim, verdict and by what, both enclosures, "agrees" or else "why" not.
  nlohmann::ordered_json result;
  /// Whether the verdict is the same and each side's enclosure is confirmed: it meets that of the
  /// second implementation, and is no wider than 1e-30 of the larger side unless the second's is as
  /// wide. One that says less, such as ["-inf", "inf"], is true and shows nothing.
  bool agrees;
  bool decided;  ///< the second implementation came to a verdict
};

/// kUnexpected where the second implementation does not confirm the certificate, kUndecided where
/// it came to no verdict.
ExitCode code_of(const Recheck& recheck);

/// Why the words of a certificate are not those of its claim in `claims`, its statement or its
/// status; empty where they are, where it has neither, and where its claim is not there. Throws
/// BadInput for what is not a certificate.
std::string wrong_words(const Catalogue& claims, const nlohmann::json& certificate);

/// Decides a certificate's case anew from the exact input alone, by its second implementation
/// among `checks`, and compares. Throws BadInput for what is not a certificate.
Recheck recheck_certificate(const recheck::Checks& checks, const nlohmann::json& certificate);

}  // namespace attn
