#include "gpt2_check/hub/repository_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "gpt2_check/checkpoint/locate.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"

namespace attn::hub {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw BadInput({.kind = BadInputKind::unwritable,
                  .where = path.string(),
                  .expected = "a path that can be written to",
                  .found = in_quotes(why),
                  .advice = "name another cache with HF_HUB_CACHE"});
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder, error.message());
}

}  // namespace

RepositoryCache::RepositoryCache(const fs::path& cache, const std::string& repository)
    : folder_(cache / gpt2::cache_folder(repository)),
      locks_(cache / ".locks" / gpt2::cache_folder(repository)) {}

fs::path RepositoryCache::blob(const std::string& hash) const {
  return folder_ / "blobs" / hash;
}

fs::path RepositoryCache::snapshot(const std::string& commit) const {
  return folder_ / "snapshots" / commit;
}

fs::path RepositoryCache::lock(const std::string& hash) const {
  return locks_ / (hash + ".lock");
}

void RepositoryCache::create_folders(const std::string& commit) const {
  for (const fs::path& folder : {folder_ / "blobs", folder_ / "refs", snapshot(commit), locks_}) {
    create_folder(folder);
  }
}

void RepositoryCache::link(const std::string& commit, const std::string& file,
                           const std::string& hash) const {
  const fs::path target = fs::path("..") / ".." / "blobs" / hash;
  const fs::path link = snapshot(commit) / file;
  const fs::path pending = snapshot(commit) / fmt::format(".{}.{}", file, hash);
  std::error_code error;
  fs::remove(pending, error);  // left by a run that was killed between the next two steps
  fs::create_symlink(target, pending, error);
  if (!error) fs::rename(pending, link, error);
  if (error) refuse(link, error.message());
}

std::string RepositoryCache::main_commit() const {
  std::string commit;
  std::ifstream(folder_ / "refs" / "main") >> commit;
  return commit;
}

void RepositoryCache::set_main_commit(const std::string& commit) const {
  write_file(folder_ / "refs" / "main", commit);
}

FileLock::FileLock(fs::path file) : file_(std::move(file)) {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse(file_, std::strerror(errno));
}

FileLock::~FileLock() {
  ::close(descriptor_);
}

bool FileLock::try_to_take() {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK) refuse(file_, std::strerror(errno));
  return false;
}

void FileLock::wait() {
  while (::flock(descriptor_, LOCK_EX) != 0) {
    if (errno != EINTR) refuse(file_, std::strerror(errno));
  }
}

}  // namespace attn::hub
