#include "theory/base/data_folder.hpp"

namespace attn {

namespace fs = std::filesystem;

fs::path data_folder_beside(const fs::path& programs, const fs::path& name,
                            const fs::path& in_sources) {
  const fs::path installed = programs.parent_path() / "share" / "attention_limits" / name;
  return fs::is_directory(installed) ? installed : in_sources;
}

fs::path data_folder(const fs::path& name, const fs::path& in_sources) {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  return unknown ? in_sources : data_folder_beside(program.parent_path(), name, in_sources);
}

}  // namespace attn
