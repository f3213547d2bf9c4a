#pragma once

#include "theory/claims/catalogue.hpp"

namespace attn {

/// The program that searches the claims of a catalogue: --seed, --effort, --threads, and --out for
/// the folder of the report (report.json, index.html and the rest, all or nothing). Every claim is
/// searched, its violations shrunk and certified, its mutants tried, as `properties` does it.
/// Returns the exit code: 0 as expected, 1 unexpected, 2 bad usage, 3 undecided, 4 an error of
/// ours.
int search_main(const Catalogue& catalogue, int argc, char** argv);

}  // namespace attn
