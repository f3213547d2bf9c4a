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

/// Throws BadInput, naming --out, where a report cannot be written into `out` because it is no
/// folder: to be asked before hours of work.
void check_folder_for_report(const std::filesystem::path& out);

}  // namespace attn::report
