#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace attn {

/// Writes `content` to `path` so that a reader sees the old file or the new one, never a part: into
/// a temporary beside it, flushed to disk, then renamed. The folder must exist. Throws BadInput,
/// naming the path and the system's reason, where it cannot be written; the temporary is removed.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Throws BadInput where write_file would at once: to be called before long work.
void check_place_of_file(const std::filesystem::path& path);

/// Adds a piece to what is being written.
using Append = std::function<void(std::string_view piece)>;

/// Writes to `path` what `write` appends piece by piece, such as content too large for memory, so
/// that a reader sees the old file or the new one, never a part: into a temporary beside it,
/// flushed to disk, then renamed. The folder is created where it does not exist, with its parents.
/// Throws BadInput, naming the path and the system's reason, where it cannot be written. What
/// `write` throws leaves everything as it was.
void write_pieces(const std::filesystem::path& path,
                  const std::function<void(const Append& append)>& write);

/// Writes several files into `folder`, which is created where it does not exist, with its parents
/// and the subfolders that names ask for. What else is in it stays, but for the files of `gone`,
/// names as those of `files`. A reader sees the old folder or
/// the new one, whole, and so it is after a crash: the new one is written beside it, flushed, and
/// the two change places. Where the file system cannot do that, or this process stands in the
/// folder, that holds for each file: all are written and flushed before the first is renamed. A
/// failure on the way leaves everything as it was. `files`: name -> content; a name is relative and
/// may lead into subfolders ("figures/distance.svg"). Throws BadInput, naming the path and the
/// system's reason, where one cannot be written; std::invalid_argument for a name that is absolute,
/// climbs with ".." or ends in a slash.
void write_folder(const std::filesystem::path& folder,
                  const std::map<std::string, std::string>& files,
                  const std::set<std::string>& gone = {});

/// A file to be read from its beginning. Throws BadInput where it is not there or is a folder.
std::ifstream open_file(const std::filesystem::path& path);

/// Throws BadInput: the file cannot be read.
[[noreturn]] void refuse_to_read(const std::filesystem::path& path);

/// Throws BadInput where fewer bytes were read of a plain file than it has.
void expect_whole(const std::filesystem::path& path, std::uintmax_t bytes);

/// A whole file as bytes. Throws BadInput where it cannot be read, is a folder, has more than 256
/// MiB, or ends before the size that the system gives for it, as when it is cut short meanwhile.
std::string read_file(const std::filesystem::path& path);

/// A whole file as bytes, or standard input to its end where `name` is "-". Throws BadInput where
/// the input cannot be read; of a file also where it is a folder, has more than 256 MiB, or ends
/// before the size that the system gives for it.
std::string read_input(const std::string& name);

}  // namespace attn
