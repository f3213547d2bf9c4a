#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "reports/record/report.hpp"

namespace attn::report {

inline constexpr int kReportSchema = 1;

/// A report as its file has it: with references in the place of long lists.
ReportFile file_of(Report report);

/// The report of a file, in whose cases the lists are in place.
Report report_of(ReportFile file);

/// report.json, schema 1, with its keys in a fixed order. Counts are integers; both sides of a case
/// are strings; NaN and infinities, where a stage supplies them, become the strings "nan", "inf"
/// and "-inf".
nlohmann::ordered_json to_json(const Report& report);

/// The JSON Schema (draft-07) of report.json, as the tables of its records say, and as
/// `report schema` prints it.
std::string schema_text();

/// Reads and validates a report. Throws BadInput with the JSON path of the first thing wrong: a
/// missing field, a wrong type, counts that do not add up, a share outside [0, 1], an outcome that
/// the rest of its record does not bear out, the same thing twice, no record at all (which only a
/// shard may have), a shard with anything but records of the search. What later writers add to the
/// contract may be left out and is empty then; unknown fields are ignored.
Report report_from_json(const nlohmann::json& json);

/// Reads a whole report and completes it (see `complete`). Throws BadInput, naming the file; a
/// shard of a search, which says nothing of the other claims, is refused too. "-" is standard
/// input.
Report read_report(const std::filesystem::path& path);

/// Reads a report that may be a shard, which `merge` joins, and completes it (see `complete`).
/// Throws BadInput, naming the file. Its windows stay in the file.
Report read_part(const std::filesystem::path& path);

/// Throws BadInput for a shard. `where`: the report.
void expect_whole(const Report& report, std::string_view where);

/// The text of report.json, completed (see `complete`).
std::string report_text(Report report);

/// Writes the report.json of a shard of a run over windows atomically, into a folder that is
/// created where it does not exist: what `report` says, completed, and the windows that
/// `next_window` hands over, each as text_of gives it. Holds one of them at a time.
void write_shard(const std::filesystem::path& path, const Report& report,
                 const std::function<std::optional<std::string>()>& next_window);

/// Whether a text begins as a report.json does.
bool is_report(std::string_view text);

/// Throws BadInput where write_report would at once, and where another file lies there than a
/// report.json: to be called before long work.
void check_place_of_report(const std::filesystem::path& path);

/// Writes report.json atomically, completed (see `complete`).
void write_report(const std::filesystem::path& path, const Report& report);

/// The result of a window on one line, and back, to the last bit: as another process of the run
/// gets it, or a shard. Throws BadInput for a text that is none.
std::string text_of(WindowResult result);
WindowResult window_from(const std::string& text);

/// One of the windows that stay in a file, which is not read beyond it. Throws BadInput where it is
/// none.
WindowResult read_window(const KeptWindows& windows, std::size_t index);

}  // namespace attn::report
