#pragma once

#include "theory/claims/catalogue.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn {

/// The program that searches the claims of a catalogue: each is searched, its violations shrunk and
/// certified, its mutants tried, as `properties` does it and with its flags, but for --out: the
/// folder of the report (report.json, index.html and the rest, all or nothing). Without --out the
/// verdicts are printed alone. `eval FILE` decides given cases, as `claims eval` does.
///
/// Where there are `checks`, second implementations of claims of the catalogue, every example,
/// every counterexample and every case found to attain a bound is decided by them too; what was
/// certified lies in the folder's certificates/, and `recheck FILE...` decides certificates anew.
///
/// Returns the exit code: 0 as expected, 1 unexpected or contradicted by a check, 2 bad usage, 3
/// undecided or without a check though others have one, 4 an error of ours, or a check of a claim
/// that the catalogue does not have.
int search_main(const Catalogue& catalogue, int argc, char** argv,
                const recheck::Checks& checks = {});

}  // namespace attn
