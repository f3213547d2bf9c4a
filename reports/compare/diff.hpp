#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/record/fields.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

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

/// What two runs must have in common, else numbers of the one say nothing about the other: seed,
/// effort and budget, stages, the model's and the text's sha256; where both read real input also
/// the shape of the model, the sha256 of the token ids and what was measured: precision, rows, N,
/// lengths, temperatures and draws.
struct RunSettings {
  ATTN_RECORD(RunSettings, "run_settings", "What two runs must have in common.",
              (required, std::vector<Setting>, run, "Of the run."),
              (required, std::vector<InputSettings>, inputs, "Of each real input."));
};

RunSettings settings_of(const Report& report);

/// Throws BadInput, naming the first field and both values, where two reports are of different
/// runs. `advice`: what else to say at its end.
void check_comparable(const RunSettings& a, std::string_view name_of_a, const RunSettings& b,
                      std::string_view name_of_b, const std::string& advice = {});

/// What changed from one report to another, whether or not they are of the same run: who wants to
/// refuse those that are not asks check_comparable first. Plain text of at most 100 columns, words
/// longer than a line apart: first in what the runs differ, and in what the builds do, then a line
/// or two for each record and each comparison whose outcome, status, counts or ratios changed (the
/// fields that have a `measure` in their tables), then one line on what is unchanged. A stage that
/// only one report has is named with the runs and left out of everything else.
std::string diff_text(const Report& before, const Report& after);

}  // namespace attn::report
