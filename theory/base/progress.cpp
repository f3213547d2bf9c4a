#include "theory/base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "theory/base/launched.hpp"

namespace attn {
namespace {

constexpr std::chrono::milliseconds kInterval{200};

}  // namespace

std::string progress_text(const std::string& what, std::uint64_t done, std::uint64_t total,
                          double rate) {
  std::string text = fmt::format("{}: {} of {}", what, done, total);
  if (!(rate > 0)) return text;
  const double left = std::ceil(static_cast<double>(total - done) / rate);
  return fmt::format("{}, {:.0f}:{:02.0f} left", text, std::floor(left / 60), std::fmod(left, 60));
}

ProgressLine::ProgressLine() : shown_(takes_escapes(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() {
  erase();
}

void ProgressLine::update(const std::string& what, std::uint64_t done, std::uint64_t total) {
  if (!shown_) return;
  const std::lock_guard lock(guard_);
  const auto now = Clock::now();
  if (what != what_) {
    what_ = what;
    first_done_ = done;
    started_ = now;
  } else if (now - last_ < kInterval) {
    return;
  }
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  // What starts over has less than it began with.
  const double rate =
      seconds > 0 && done > first_done_ ? static_cast<double>(done - first_done_) / seconds : 0;
  erase();
  fmt::print(stderr, "{}", progress_text(what, done, total, rate));
  std::fflush(stderr);
}

void ProgressLine::erase() const {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

}  // namespace attn
