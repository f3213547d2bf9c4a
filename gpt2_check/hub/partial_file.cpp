#include "gpt2_check/hub/partial_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"

namespace attn::hub {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw BadInput({.kind = BadInputKind::unwritable,
                  .where = path.string(),
                  .expected = "a path that can be written to",
                  .found = in_quotes(std::strerror(errno)),
                  .advice = "make room for it there, or name another cache with HF_HUB_CACHE"});
}

}  // namespace

PartialFile::PartialFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) refuse(path_);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

PartialFile::~PartialFile() {
  ::close(descriptor_);
}

void PartialFile::cut_at(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) refuse(path_);
  size_ = size;
}

void PartialFile::clear() {
  cut_at(0);
}

void PartialFile::write(std::uint64_t at, std::string_view bytes) {
  if (at > size_) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = path_.string(),
                    .expected = fmt::format("bytes from {} on", size_),
                    .found = fmt::format("bytes from {} on", at),
                    .advice = "the server gave another range than it was asked for"});
  }
  if (at < size_) cut_at(at);
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(path_);
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartialFile::publish(const std::filesystem::path& target) {
  if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), target.c_str()) != 0) refuse(path_);
}

void PartialFile::remove() {
  if (::unlink(path_.c_str()) != 0) refuse(path_);
}

}  // namespace attn::hub
