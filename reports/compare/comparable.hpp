#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// One thing that two reports say differently; "none" for what one of them does not say.
struct Difference {
  std::string field;
  std::string before, after;
};

/// A setting of a run, in words.
struct Setting {
  ATTN_RECORD(Setting, "setting", "A setting of a run.", (required, std::string, name, "Its name."),
              (required, std::string, value, "In words; empty: none."));
};

struct InputSettings {
  ATTN_RECORD(InputSettings, "input_settings", "What was measured on one real input.",
              (required, std::string, input, "Its name."),
              (required, std::vector<Setting>, settings, "How it was measured."));
};

/// What two runs must have in common to be compared.
struct RunSettings {
  ATTN_RECORD(RunSettings, "run_settings", "What two runs must have in common.",
              (required, std::vector<Setting>, run, "Of the run."),
              (required, std::vector<InputSettings>, inputs, "Of each real input."));
};

RunSettings settings_of(const Report& report);

/// What was run differently, so that numbers of the one say nothing about the other: seed, effort
/// and budget, stages, the model's and the text's sha256; where both read real input also the shape
/// of the model, the sha256 of the token ids and what was measured: precision, rows, N, lengths,
/// temperatures and draws.
std::vector<Difference> different_runs(const RunSettings& a, const RunSettings& b);

/// What the same run may differ in, and what one compares for: version, commit, compiler, flags,
/// libraries, BLAS, threads and the model's name.
std::vector<Difference> different_builds(const RunInfo& a, const RunInfo& b);

/// Throws BadInput, naming the first field and both values, where two reports are of different
/// runs. `advice`: what else to say at its end.
void check_comparable(const RunSettings& a, std::string_view name_of_a, const RunSettings& b,
                      std::string_view name_of_b, const std::string& advice = {});

}  // namespace attn::report
