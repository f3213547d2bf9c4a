#include "gpt2_check/hub/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace attn::hub {
namespace {

constexpr double kMegabyte = 1e6;
constexpr std::chrono::milliseconds kInterval{200};

}  // namespace

std::string progress_text(const std::string& file, std::uint64_t done, std::uint64_t total,
                          double rate) {
  const std::string far =
      fmt::format("{}: {:.1f} of {:.1f} MB", file, static_cast<double>(done) / kMegabyte,
                  static_cast<double>(total) / kMegabyte);
  if (!(rate > 0)) return far;
  const double left = std::ceil(static_cast<double>(total - done) / rate);
  return fmt::format("{}, {:.0f}:{:02.0f} left", far, std::floor(left / 60), std::fmod(left, 60));
}

ProgressLine::ProgressLine() : shown_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  end();
}

void ProgressLine::update(const std::string& file, std::uint64_t done, std::uint64_t total) {
  if (!shown_ || static_cast<double>(total) < kMegabyte) return;
  const auto now = Clock::now();
  if (file != file_) {
    end();
    file_ = file;
    first_done_ = done;
    started_ = now;
  } else if (now - last_ < kInterval && done != total) {
    return;
  }
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  // A download that starts over has less than it began with.
  const double rate =
      seconds > 0 && done > first_done_ ? static_cast<double>(done - first_done_) / seconds : 0;
  fmt::print(stderr, "\r\033[K{}", progress_text(file, done, total, rate));
  std::fflush(stderr);
}

void ProgressLine::end() {
  if (!file_.empty()) fmt::print(stderr, "\n");
  file_.clear();
}

}  // namespace attn::hub
