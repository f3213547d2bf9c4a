#include "theory/base/tests/kept_refusals.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>

namespace attn::test {
namespace {

std::string replaced(const std::string& text, const std::string& pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

/// A message without what is another on each machine and in each run: the names of folders and,
/// of a tensor's values or of a place in a text, the numbers.
std::string lasting(std::string_view message) {
  std::string text(message);
  while (text.ends_with('\n')) text.pop_back();
  text = replaced(text, "[^ '\":;,]*/attn-test-[A-Za-z0-9]{6}", "FOLDER");
  text = replaced(text, ATTN_BUILD, "BUILD");
  text = replaced(text, ATTN_SOURCES, "SOURCES");
  text = replaced(text, "^/(?!dev/)[^ :]*/", "");
  text = replaced(text, "at byte [0-9]+", "at byte #");
  text = replaced(text, "at /claims/[0-9]{2,}", "at /claims/#");
  text = replaced(text, "found [0-9]+ results", "found # results");
  text = replaced(text, "[0-9a-f]{40,64}", "DIGEST");
  text = replaced(text, "\\[json.exception.*", "what the library says");
  // The build's own compiler, flags and commit.
  text = replaced(text, R"(found "[^"]*" in one and "[^"]*" in another)", "found others");
  constexpr std::string_view kTensor = "tensor '";
  const std::size_t name = text.find(kTensor);
  if (name == std::string::npos) return text;
  const std::size_t end = std::min(text.find('\'', name + kTensor.size()), text.size());
  return text.substr(0, end) +
         replaced(text.substr(end), "-?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?", "#");
}

/// Whether CLI11 words it, each version in its own way.
bool is_of_library(const std::string& message) {
  const std::regex usage(
      ".* (is required|was not expected: .*|required but received [0-9]+) "
      "[(]see [a-z0-9_ ]+ --help[)]");
  return std::regex_match(message, usage);
}

std::set<std::string> read_kept() {
  std::ifstream in(ATTN_REFUSALS);
  if (!in) throw std::runtime_error("no " ATTN_REFUSALS);
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

void write_kept(const std::set<std::string>& lines) {
  std::ofstream out(ATTN_REFUSALS);
  for (const std::string& line : lines) out << line << "\n";
}

bool accepts() {
  const char* const accept = std::getenv("ATTN_ACCEPT");
  return accept != nullptr && std::string_view(accept) == "1";
}

}  // namespace

bool is_kept(std::string_view message) {
  static std::set<std::string> kept = read_kept();
  const std::string text = lasting(message);
  if (kept.contains(text) || is_of_library(text)) return true;
  if (!accepts()) return false;
  kept.insert(text);
  write_kept(kept);
  return true;
}

}  // namespace attn::test
