#include "theory/base/overwrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "theory/base/bad_input.hpp"

namespace attn {

namespace fs = std::filesystem;

std::string beginning_of(const fs::path& path) {
  constexpr std::size_t kBytes = 4096;
  std::string start(kBytes, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return start;
}

bool begins_as(std::string_view text, std::string_view begins) {
  std::string dense;
  std::ranges::copy_if(text, std::back_inserter(dense), [](char c) {
    return std::string_view(" \t\r\n").find(c) == std::string_view::npos;
  });
  return dense.starts_with(begins);
}

void expect_replaceable(const fs::path& path, const std::string& kind, const IsOurs& is_ours) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) return;
  if (is_ours(beginning_of(path))) return;
  throw BadInput({.kind = BadInputKind::unwritable,
                  .where = path.string(),
                  .expected = fmt::format("nothing there, or {} to be replaced", kind),
                  .found = "another file",
                  .advice = "move it away, or name another"});
}

void expect_not_read(const fs::path& out, const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    std::error_code missing;
    if (input == "-" || !fs::equivalent(out, input, missing)) continue;
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = out.string(),
                    .expected = "an output that is not read",
                    .found = fmt::format("the input {}", input.string()),
                    .advice = "name another"});
  }
}

}  // namespace attn
