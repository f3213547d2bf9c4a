#include "gpt2_check/cli/fetch_command.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "gpt2_check/hub/fetch.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/progress.hpp"

namespace attn::gpt2 {

namespace {

/// Smaller files are there before anybody reads how far they are.
constexpr std::uint64_t kShownBytes = 1'000'000;

}  // namespace

int fetch_command(const std::string& name, const std::optional<std::string>& revision) {
  ProgressLine line(ProgressUnit::bytes);
  const hub::Listener listener{
      .notice =
          [&](const std::string& notice) {
            line.clear();
            fmt::print(stderr, "{}\n", one_line(notice));
          },
      .progress =
          [&](const std::string& file, std::uint64_t done, std::uint64_t total) {
            if (total >= kShownBytes) line.update(file, done, total);
          }};
  const std::filesystem::path snapshot = hub::fetch(name, revision, hub::read_settings(), listener);
  fmt::print("{}\n", snapshot.string());
  return kAsExpected;
}

}  // namespace attn::gpt2
