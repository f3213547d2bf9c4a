#include "theory/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/pending_output.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, int error) {
  throw BadInput({.kind = BadInputKind::unwritable,
                  .where = path.string(),
                  .expected = "a path that can be written to",
                  .found = in_quotes(std::strerror(error)),
                  .advice = "choose a folder that can be written to"});
}

/// Writes the output's content to disk, under its temporary name.
void fill(const PendingOutput& output, const fs::path& target, std::string_view content) {
  const int descriptor =
      ::open(output.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(target, errno);
  int error = 0;
  while (!content.empty() && error == 0) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written >= 0) content.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR) error = errno;
  }
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) refuse(target, error);
}

/// Folders made for files to come. Those that are still empty in the end vanish again.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code ignored;
    for (auto at = made_.rbegin(); at != made_.rend(); ++at) fs::remove(*at, ignored);
  }

  /// Makes `folder` and its parents where they do not exist.
  void make(const fs::path& folder) {
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error)) return;
    make(folder.parent_path());
    if (fs::create_directory(folder, error)) made_.push_back(folder);
    if (error) refuse(folder, error.value());
  }

 private:
  std::vector<fs::path> made_;
};

/// Throws unless `name` leads to a file below the folder that it is relative to.
void check_inside(const std::string& name) {
  const fs::path path(name);
  const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
  if (path.is_absolute() || climbs || !path.has_filename()) {
    throw std::invalid_argument(fmt::format("not the name of a file in a folder: \"{}\"", name));
  }
}

/// Makes renames in `folder` survive a crash. Some file systems refuse to flush a folder, which
/// leaves the files no less whole, so that is no error.
void flush_folder(const fs::path& folder) {
  const fs::path name = folder.empty() ? fs::path(".") : folder;
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
  PendingOutput output(path);
  fill(output, path, content);
  output.commit();
  flush_folder(path.parent_path());
}

void write_folder(const fs::path& folder, const std::map<std::string, std::string>& files) {
  NewFolders folders;  // outlives the outputs, so that a folder is empty when it is removed
  std::deque<PendingOutput> outputs;
  std::set<fs::path> changed;
  folders.make(folder);
  for (const auto& [name, content] : files) {
    check_inside(name);
    const fs::path parent = (folder / name).parent_path();
    folders.make(parent);
    changed.insert(parent);
  }
  for (const auto& [name, content] : files) {
    std::error_code unknown;
    if (fs::is_directory(folder / name, unknown)) refuse(folder / name, EISDIR);
    fill(outputs.emplace_back(folder / name), folder / name, content);
  }
  for (PendingOutput& output : outputs) output.commit();
  for (const fs::path& parent : changed) flush_folder(parent);
}

std::string read_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = path.string(),
                    .expected = "a file",
                    .found = "none",
                    .advice = "check the path"});
  }
  if (fs::is_directory(status)) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = path.string(),
                    .expected = "a file",
                    .found = "a folder",
                    .advice = "name a file in it"});
  }
  std::ifstream stream(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream) {
    throw BadInput({.kind = BadInputKind::unreadable,
                    .where = path.string(),
                    .expected = "a file that can be read",
                    .found = "one that cannot",
                    .advice = "check who may read it"});
  }
  return content;
}

std::string read_input(const std::string& name) {
  if (name == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  return read_file(name);
}

}  // namespace attn
