#include "theory/units/result_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/launched.hpp"
#include "theory/base/pending_output.hpp"
#include "theory/base/sha256.hpp"
#include "theory/base/words.hpp"

namespace attn::units {

namespace {

namespace fs = std::filesystem;

// A line: digest, seconds, unit, result; a tab between each. The digest is that of the rest.
constexpr std::size_t kDigestSize = 64;

struct Line {
  double seconds;
  std::string unit;
  std::size_t result_at;  ///< where the result begins
};

std::string line_of(double seconds, const std::string& unit, const std::string& text) {
  const std::string rest = fmt::format("{:.3f}\t{}\t{}", seconds, unit, text);
  return fmt::format("{}\t{}\n", sha256(rest), rest);
}

/// The line of a journal; nothing where it is not what line_of wrote. `line` is without its end.
std::optional<Line> line_from(std::string_view line) {
  if (line.size() <= kDigestSize || line[kDigestSize] != '\t') return {};
  const std::string_view rest = line.substr(kDigestSize + 1);
  if (sha256(rest) != line.substr(0, kDigestSize)) return {};
  const std::size_t unit_at = rest.find('\t') + 1;
  const std::size_t result_at = rest.find('\t', unit_at) + 1;
  const auto seconds = number_from<double>(rest.substr(0, unit_at - 1));
  if (unit_at == 0 || result_at == 0 || !seconds) return {};
  return Line{*seconds, std::string(rest.substr(unit_at, result_at - unit_at - 1)),
              kDigestSize + 1 + result_at};
}

[[noreturn]] void refuse(const fs::path& path, int error) {
  refuse_to_write(path, error, "once it can be, --resume goes on with what was kept");
}

bool is_whole(const fs::path& out) {
  std::error_code unknown;
  return fs::is_directory(out, unknown) ? !fs::is_empty(out, unknown) : fs::exists(out, unknown);
}

/// Where the run is interrupted, and of several ranks at once: who is killed says nothing.
void say_how_to_resume(const std::string& program, const fs::path& parts) {
  const std::string how =
      fmt::format("{} keeps what is done, and the same command with --resume goes on",
                  one_line(parts.string()));
  say_on_interrupt(fmt::format("{}: interrupted; {}", program, how));
  if (launched().count == 1) return;
  fmt::print("should the run be cut off: {}\n", how);
  std::fflush(stdout);
}

}  // namespace

fs::path parts_of(fs::path out) {
  if (!out.has_filename()) out = out.parent_path();  // "folder/" means "folder"
  out += ".parts";
  return out;
}

ResultJournal::ResultJournal(const fs::path& out, const Identity& identity, bool resumes)
    : path_(parts_of(out)) {
  try {
    if (fs::exists(path_)) go_on(identity, resumes);
    if (places_.empty()) begin(out, identity, resumes);
  } catch (...) {
    close();
    throw;
  }
  const std::string& command = identity.at("command");
  say_how_to_resume(command.substr(0, command.find(' ')), path_);
}

ResultJournal::~ResultJournal() {
  if (places_.empty()) remove();
  close();
}

void ResultJournal::begin(const fs::path& out, const Identity& identity, bool resumes) {
  if (resumes && is_whole(out)) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = out.string(),
                    .expected = "a run that was cut off",
                    .found = "one that is finished",
                    .advice = "leave out --resume to run it anew"});
  }
  close();
  write_file(path_, to_text(identity) + "\n");
  open();
  end_ = read();
}

void ResultJournal::go_on(const Identity& identity, bool resumes) {
  open();
  std::ifstream stream(path_, std::ios::binary);
  std::string first;
  const auto theirs = std::getline(stream, first) ? identity_from(first) : std::nullopt;
  if (!theirs) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = path_.string(),
                    .expected = "what a run left that was cut off",
                    .found = "another file",
                    .advice = "move it away, or name another --out"});
  }
  end_ = read();
  if (places_.empty()) return;
  if (!resumes) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = path_.string(),
                    .expected = "no run that was cut off",
                    .found = fmt::format("{} results of one", places_.size()),
                    .advice = "go on with it by --resume, or delete it"});
  }
  if (const auto other = difference(identity, *theirs)) {
    // In full: command lines that are long may differ at their end.
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = fmt::format("{}: {}", path_.string(), other->name),
                    .expected = fmt::format("'{}'", other->ours),
                    .found = fmt::format("'{}'", other->theirs),
                    .advice = "resume with the build, the command line and the input that it was "
                              "begun with, or delete it"});
  }
  // A line that was cut short.
  if (::ftruncate(file_, static_cast<off_t>(end_)) != 0) refuse(path_, errno);
}

/// Opens the file for this process alone.
void ResultJournal::open() {
  file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (file_ < 0) refuse(path_, errno);
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = path_.string(),
                  .expected = "a run that was cut off",
                  .found = "one that is still going on",
                  .advice = "wait for it, or name another --out"});
}

/// Reads the places of the results, and returns where the last whole line ends.
std::uint64_t ResultJournal::read() {
  std::ifstream stream(path_, std::ios::binary);
  std::string text;
  std::uint64_t offset = 0;
  for (bool is_first = true; std::getline(stream, text) && !stream.eof(); is_first = false) {
    const auto line = is_first ? std::nullopt : line_from(text);
    if (line) {
      places_[line->unit] = {offset + line->result_at, text.size() - line->result_at};
      seconds_before_ = std::max(seconds_before_, line->seconds);
    }
    offset += text.size() + 1;
  }
  return offset;
}

std::vector<std::string> ResultJournal::units() const {
  std::vector<std::string> names;
  for (const auto& [unit, place] : places_) names.push_back(unit);
  return names;
}

std::string ResultJournal::result(const std::string& unit) const {
  const Place place = places_.at(unit);
  std::string text(place.size, '\0');
  std::ifstream stream(path_, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(place.offset));
  if (stream.read(text.data(), static_cast<std::streamsize>(text.size()))) return text;
  throw BadInput({.kind = BadInputKind::unreadable,
                  .where = path_.string(),
                  .expected = "the results that were kept",
                  .found = "a file that was changed meanwhile",
                  .advice = "leave it alone while a run goes on"});
}

void ResultJournal::keep(const std::string& unit, const std::string& text) {
  if (file_ < 0) return;
  if ((unit + text).find('\n') != std::string::npos || unit.find('\t') != std::string::npos) {
    throw std::logic_error("a result that is not one line: " + unit);
  }
  const std::string line = line_of(seconds(), unit, text);
  add(line, end_);
  end_ += line.size();
  places_[unit] = {end_ - 1 - text.size(), text.size()};
}

void ResultJournal::add(const std::string& line, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count =
        ::pwrite(file_, line.data() + done, line.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno != EINTR) {
      const int error = errno;
      // A cut line would do no harm; that this fails too does not matter.
      [[maybe_unused]] const int ignored = ::ftruncate(file_, static_cast<off_t>(offset));
      refuse(path_, error);
    }
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

double ResultJournal::seconds() const {
  const auto since = std::chrono::steady_clock::now() - begun_;
  return seconds_before_ + std::chrono::duration<double>(since).count();
}

int ResultJournal::written(const std::function<int()>& write) const {
  try {
    return write();
  } catch (const BadInput& error) {
    if (file_ < 0 || places_.empty()) throw;
    BadInputParts parts = error.parts();
    parts.advice += parts.advice.empty() ? "" : "; ";
    parts.advice += "--resume goes on with what was kept";
    throw BadInput(std::move(parts));
  }
}

void ResultJournal::remove() {
  if (file_ < 0) return;
  std::error_code ignored;
  fs::remove(path_, ignored);
  close();
}

void ResultJournal::close() {
  if (file_ < 0) return;
  say_on_interrupt("");
  ::close(file_);
  file_ = -1;
}

}  // namespace attn::units
