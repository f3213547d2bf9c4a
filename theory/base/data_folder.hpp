#pragma once

#include <filesystem>

namespace attn {

/// The folder of data that comes with the programs: `share/attention_limits/<name>` of the prefix
/// that the running program is installed in, or `in_sources` where that folder is not there, as for
/// a program in its build folder. The prefix may be moved.
std::filesystem::path data_folder(const std::filesystem::path& name,
                                  const std::filesystem::path& in_sources);

/// The folder of data that comes with a program in the folder `programs`:
/// `share/attention_limits/<name>` beside that folder, or `in_sources` where there is no such
/// folder.
std::filesystem::path data_folder_beside(const std::filesystem::path& programs,
                                         const std::filesystem::path& name,
                                         const std::filesystem::path& in_sources);

}  // namespace attn
