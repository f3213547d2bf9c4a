#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// Every file of a rendered report but report.json itself: name -> content. Names are relative to
/// the folder that the report is written to, with a slash before the name of a file in a subfolder.
/// `report` must be complete (see `complete`).
std::map<std::string, std::string> rendered_files(const Report& report);

/// Writes these files and `more` into `out`, all at once. Pages of an older report that this one
/// does not have are removed; what else is in the folder stays.
void write_rendered(const std::filesystem::path& out, const Report& report,
                    std::map<std::string, std::string> more);

/// Throws BadInput where a report cannot be written into `out`, because it is no folder, or must
/// not be, because something of another origin lies in the place of what a report has: to be asked
/// before hours of work.
void check_folder_for_report(const std::filesystem::path& out);

}  // namespace attn::report
