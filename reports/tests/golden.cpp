#include "reports/tests/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "theory/base/atomic_file.hpp"

namespace attn::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBefore = 40, kShown = 120;  // bytes of a line shown, and before a difference

/// The files below a folder by their names relative to it.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files[entry.path().lexically_relative(folder).generic_string()] = read_file(entry.path());
  }
  return files;
}

/// The line of `text` that holds the byte `at`, or that ends there.
std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

/// A line as a message shows it: what surrounds the byte `at` of the text, which it holds.
std::string shown(std::string_view text, std::string_view line, std::size_t at) {
  const auto column = static_cast<std::size_t>(text.data() + at - line.data());
  const std::size_t begin = column > kBefore && line.size() > kShown ? column - kBefore : 0;
  const std::string_view part = line.substr(begin, kShown);
  const char* const rest = begin + part.size() < line.size() ? "..." : "";
  return fmt::format("{}{}{}", begin > 0 ? "..." : "", part,
                     at == text.size() ? "(end of file)" : rest);
}

}  // namespace

bool accepts_golden_files() {
  const char* const wish = std::getenv("ATTN_ACCEPT");
  return wish != nullptr && std::string_view(wish) == "1";
}

void accept_golden_files(const fs::path& folder, const std::map<std::string, std::string>& files) {
  for (const auto& [file, content] : files_in(folder)) {
    if (!files.contains(file)) fs::remove(folder / file);
  }
  write_folder(folder, files);
}

std::string golden_difference(const fs::path& folder,
                              const std::map<std::string, std::string>& files) {
  const std::map<std::string, std::string> accepted = files_in(folder);
  std::string out;
  for (const auto& [file, content] : files) {
    const auto golden = accepted.find(file);
    const std::string difference =
        golden == accepted.end() ? "is not there\n" : first_difference(golden->second, content);
    if (!difference.empty()) out += fmt::format("{}: {}", (folder / file).string(), difference);
  }
  for (const auto& [file, content] : accepted) {
    if (!files.contains(file)) {
      out += fmt::format("{}: is no longer written\n", (folder / file).string());
    }
  }
  if (out.empty()) return out;
  return out +
         "to accept: ATTN_ACCEPT=1 build/release/bin/reports_test --gtest_filter='Golden.*', "
         "then read the changes with git diff\n";
}

std::string first_difference(const std::string& accepted, const std::string& written) {
  if (accepted == written) return {};
  const auto [a, w] =
      std::mismatch(accepted.begin(), accepted.end(), written.begin(), written.end());
  const auto at = static_cast<std::size_t>(a - accepted.begin());
  return fmt::format("line {} differs\n  accepted: {}\n  written:  {}\n",
                     1 + std::count(accepted.begin(), a, '\n'),
                     shown(accepted, line_at(accepted, at), at),
                     shown(written, line_at(written, at), at));
}

}  // namespace attn::report
