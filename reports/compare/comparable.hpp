#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// One thing that two reports say differently; "none" for what one of them does not say.
struct Difference {
  std::string field;
  std::string before, after;
};

/// What was run differently, so that numbers of the one say nothing about the other: seed, effort
/// and budget, stages, the model's and the text's sha256; where both read real input also the shape
/// of the model, the sha256 of the token ids and what was measured: precision, rows, N, lengths,
/// temperatures, embedding, rank and draws.
std::vector<Difference> different_runs(const Report& a, const Report& b);

/// What the same run may differ in, and what one compares for: version, commit, compiler, flags,
/// libraries, BLAS, threads and the model's name.
std::vector<Difference> different_builds(const Provenance& a, const Provenance& b);

/// Throws BadInput, naming the first field and both values, where two reports are of different
/// runs.
void check_comparable(const Report& a, std::string_view name_of_a, const Report& b,
                      std::string_view name_of_b);

}  // namespace attn::report
