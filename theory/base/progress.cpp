#include "theory/base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "theory/base/terminal.hpp"

namespace attn {
namespace {

constexpr double kMegabyte = 1e6;
constexpr std::chrono::milliseconds kInterval{200};

std::string how_far(std::uint64_t done, std::uint64_t total, ProgressUnit unit) {
  if (unit == ProgressUnit::items) return fmt::format("{} of {}", done, total);
  return fmt::format("{:.1f} of {:.1f} MB", static_cast<double>(done) / kMegabyte,
                     static_cast<double>(total) / kMegabyte);
}

}  // namespace

std::string progress_text(const std::string& what, std::uint64_t done, std::uint64_t total,
                          ProgressUnit unit, double rate) {
  std::string text = fmt::format("{}: {}", what, how_far(done, total, unit));
  if (!(rate > 0)) return text;
  const double left = std::ceil(static_cast<double>(total - done) / rate);
  return fmt::format("{}, {:.0f}:{:02.0f} left", text, std::floor(left / 60), std::fmod(left, 60));
}

ProgressLine::ProgressLine(ProgressUnit unit) : unit_(unit), shown_(takes_escapes(STDERR_FILENO)) {}

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
  fmt::print(stderr, "{}", progress_text(what, done, total, unit_, rate));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  const std::lock_guard lock(guard_);
  erase();
  what_.clear();
}

void ProgressLine::erase() const {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

}  // namespace attn
