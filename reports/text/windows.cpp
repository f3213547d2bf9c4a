#include "reports/text/windows.hpp"

#include <fmt/format.h>

#include "reports/text/format.hpp"

namespace attn::report {

std::string windows_words(const Measurements& measured) {
  if (!measured.windows) return {};
  const WindowsRecord& windows = *measured.windows;
  const std::string count = windows.count == 1 ? "one window" : grouped(windows.count) + " windows";
  std::string words = fmt::format("The text was read in {} of {} tokens{}", count,
                                  grouped(measured.positions.value_or(0)),
                                  windows.count == 1 ? "" : ", each by itself");
  if (windows.tokens_left > 0) {
    words +=
        fmt::format("; {} after {} not read",
                    windows.tokens_left == 1 ? "1 token" : grouped(windows.tokens_left) + " tokens",
                    windows.tokens_left == 1 ? "the last was" : "the last were");
  }
  return words + ".";
}

std::string worst_window_words(const Measurements& measured) {
  if (!measured.windows || measured.windows->worst.empty()) return {};
  const NamedWindow& worst = measured.windows->worst.front();
  const std::string words = worst.words.empty() ? "" : fmt::format(" (\"{}\")", worst.words);
  return fmt::format("Window {}{} has the largest lhs/rhs of {} {}, and no other of more.",
                     grouped(worst.window), words, grouped(worst.claims.size()),
                     worst.claims.size() == 1 ? "claim" : "claims");
}

}  // namespace attn::report
