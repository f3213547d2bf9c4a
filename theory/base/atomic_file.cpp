#include "theory/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/pending_output.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;
using Names = std::set<std::string>;

/// A file under the temporary name of a target.
class NewFile {
 public:
  NewFile(const fs::path& temporary, fs::path target) : target_(std::move(target)) {
    const auto lock = uninterrupted();
    descriptor_ = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse_to_write(target_, errno);
  }
  ~NewFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void append(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written >= 0) content.remove_prefix(static_cast<std::size_t>(written));
      if (written < 0 && errno != EINTR) refuse_to_write(target_, errno);
    }
  }

  /// Brings what was written to disk.
  void finish() {
    if (::fsync(descriptor_) != 0) refuse_to_write(target_, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) refuse_to_write(target_, errno);
  }

 private:
  fs::path target_;
  int descriptor_{-1};
};

/// Writes the content to disk under the temporary name of a target.
void write_new(const fs::path& temporary, const fs::path& target, std::string_view content) {
  NewFile file(temporary, target);
  file.append(content);
  file.finish();
}

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

/// Puts a file that `fill` fills in the place of `path`, whole.
void replace(const fs::path& path, const std::function<void(const NewFile&)>& fill) {
  PendingOutput output(path);
  NewFile file(output.path(), path);
  fill(file);
  file.finish();
  output.commit();
  flush_folder(path.parent_path());
}

/// Throws where a name asks for a file in the place of a folder or the other way round.
void check_place(const fs::path& folder, const std::string& name) {
  std::error_code unknown;
  if (fs::is_directory(folder / name, unknown)) refuse_to_write(folder / name, EISDIR);
  for (fs::path parent = fs::path(name).parent_path(); !parent.empty();
       parent = parent.parent_path()) {
    const fs::file_status there = fs::status(folder / parent, unknown);
    if (fs::exists(there) && !fs::is_directory(there)) refuse_to_write(folder / parent, ENOTDIR);
  }
}

/// Whether this process stands in the folder. So may who started it, and would be left in a folder
/// that is gone.
bool stands_in(const fs::path& folder) {
  std::error_code unknown;
  const fs::path here = fs::current_path(unknown);
  return std::ranges::mismatch(folder, here).in1 == folder.end();
}

/// Gives `next` the owner and the rights of `folder`, and what else is in it but for what is
/// `gone`, as further names of the same files. `prefix`: of the names in it. False where the system
/// refuses.
bool take_over(const fs::path& folder, const fs::path& next, const Names& gone,
               const fs::path& prefix = {}) {
  struct stat old {};
  if (::stat(folder.c_str(), &old) != 0 || ::chown(next.c_str(), old.st_uid, old.st_gid) != 0 ||
      ::chmod(next.c_str(), old.st_mode & 07777) != 0) {
    return false;
  }
  std::error_code error, unknown;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path name = prefix / at->path().filename(), place = next / name.filename();
    if (gone.contains(name.generic_string())) continue;
    if (fs::is_directory(at->symlink_status())) {
      fs::create_directory(place, error);
      if (error || !take_over(at->path(), place, gone, name)) return false;
    } else if (!fs::exists(fs::symlink_status(place, unknown))) {
      fs::create_hard_link(at->path(), place, error);
    }
  }
  return !error;
}

/// Writes the files, with all else that is in `folder` and not `gone`, into a folder beside it, and
/// lets the two change places. False, and nothing is changed, where that cannot be.
bool swap_in(const fs::path& folder, const Files& files, const Names& gone) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(folder), error);
  if (error || !target.has_filename() || stands_in(target)) return false;
  const bool is_there = fs::exists(target, error);
  NewFolders parents;
  parents.make(target.parent_path());
  if (::access(target.parent_path().c_str(), W_OK) != 0) return false;

  PendingOutput next(target, PendingOutput::Full::allow);
  const auto make = [&](const fs::path& place) {
    const auto lock = uninterrupted();
    return fs::create_directories(place, error);
  };
  if (!make(next.path())) return false;
  for (const auto& [name, content] : files) {
    const fs::path place = next.path() / name;
    make(place.parent_path());
    if (error) refuse_to_write((folder / name).parent_path(), error.value());
    write_new(place, folder / name, content);
  }
  const auto take_all_over = [&] {
    const auto lock = uninterrupted();
    return take_over(target, next.path(), gone);
  };
  if (is_there && !(take_all_over() && next.exchange())) return false;
  if (!is_there) next.commit();
  flush_folder(target.parent_path());
  return true;
}

/// Writes the files one by one, all of them before the first is renamed, then removes what is gone.
void write_each(const fs::path& folder, const Files& files, const Names& gone) {
  NewFolders folders;  // outlives the outputs, so that a folder is empty when it is removed
  std::deque<PendingOutput> outputs;
  std::set<fs::path> changed;
  folders.make(folder);
  for (const auto& [name, content] : files) {
    const fs::path parent = (folder / name).parent_path();
    folders.make(parent);
    changed.insert(parent);
  }
  for (const auto& [name, content] : files) {
    const PendingOutput& output = outputs.emplace_back(folder / name);
    write_new(output.path(), folder / name, content);
  }
  for (PendingOutput& output : outputs) output.commit();
  std::error_code ignored;
  for (const std::string& name : gone) fs::remove(folder / name, ignored);
  for (const fs::path& parent : changed) flush_folder(parent);
}

}  // namespace

void check_place_of_file(const fs::path& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) refuse_to_write(path, EISDIR);
  const PendingOutput nothing(path);
}

void write_file(const fs::path& path, std::string_view content) {
  replace(path, [&](const NewFile& file) { file.append(content); });
}

void write_pieces(const fs::path& path, const std::function<void(const Append&)>& write) {
  NewFolders folders;  // outlives the output, so that a folder is empty when it is removed
  folders.make(path.parent_path());
  replace(path,
          [&](const NewFile& file) { write([&](std::string_view piece) { file.append(piece); }); });
}

void write_folder(const fs::path& folder, const Files& files, const Names& gone) {
  if (folder.empty()) {
    throw BadInput({.kind = BadInputKind::missing,
                    .expected = "a folder to write to",
                    .found = "an empty path",
                    .advice = "name one; . is the one at hand"});
  }
  for (const auto& [name, content] : files) {
    check_inside(name);
    check_place(folder, name);
  }
  if (!swap_in(folder, files, gone)) write_each(folder, files, gone);
}

std::ifstream open_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) refuse_to_read(path);  // a folder on the way is closed
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
  if (!stream) refuse_to_read(path);
  return stream;
}

void refuse_to_read(const fs::path& path) {
  throw BadInput({.kind = BadInputKind::unreadable,
                  .where = path.string(),
                  .expected = "a file that can be read",
                  .found = "one that cannot",
                  .advice = "check who may read it"});
}

void expect_whole(const fs::path& path, std::uintmax_t bytes) {
  std::error_code error;
  // What is no plain file, and what the system makes as it is read, has no size.
  const auto size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  if (error || bytes >= size) return;
  throw BadInput({.kind = BadInputKind::unreadable,
                  .where = path.string(),
                  .expected = fmt::format("{} bytes, as the file has", size),
                  .found = fmt::format("{}", bytes),
                  .advice = "leave the file alone while it is read"});
}

namespace {

/// All that is left of a stream.
std::string read_all(std::istream& stream, const fs::path& name) {
  constexpr std::size_t kStep = std::size_t{1} << 16, kMost = std::size_t{1} << 28;
  std::string content;
  while (stream) {
    const std::size_t size = content.size();
    content.resize(size + kStep);
    stream.read(content.data() + size, kStep);
    content.resize(size + static_cast<std::size_t>(stream.gcount()));
    if (content.size() <= kMost) continue;
    throw BadInput({.kind = BadInputKind::too_large,
                    .where = name.string(),
                    .expected = fmt::format("at most {} bytes", kMost),
                    .found = "more"});
  }
  if (stream.bad()) refuse_to_read(name);
  return content;
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ifstream stream = open_file(path);
  std::string content = read_all(stream, path);
  expect_whole(path, content.size());
  return content;
}

std::string read_input(const std::string& name) {
  if (name != "-") return read_file(name);
  std::string content = read_all(std::cin, "standard input");
  if (std::ferror(stdin) != 0) refuse_to_read("standard input");
  return content;
}

}  // namespace attn
