#include "properties/search/regressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/record/record_json.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/data_folder.hpp"
#include "theory/base/read_json.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kShape = R"({"claim": id, "case": {..}, "verdict": word})";

Regression regression_from(const json& value, const std::string& name, const Catalogue& claims) {
  const std::string claim = value.at("claim");
  auto input = read_case(claims.at(claim), value.at("case"));
  Verdict verdict{};
  report::read(report::Reader(value.at("verdict"), "\"verdict\""), verdict);
  return {.claim = claim, .input = std::move(input), .verdict = verdict, .name = name};
}

Regression read_regression(const fs::path& file, const Catalogue& claims) {
  const std::string text = read_file(file);
  const std::string expected = fmt::format("a regression, {}", kShape);
  try {
    return regression_from(read_json(text, expected), file.filename().string(), claims);
  } catch (const json::exception& error) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = fmt::format("regression {}", file.string()),
                    .expected = expected,
                    .found = error.what()});
  } catch (const BadInput& error) {
    throw error.within(fmt::format("regression {}", file.string()));
  }
}

}  // namespace

fs::path regressions_folder() {
  return data_folder("regressions", ATTN_REGRESSIONS);
}

std::vector<Regression> read_regressions(const fs::path& folder, const Catalogue& claims) {
  if (!fs::is_directory(folder)) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = folder.string(),
                    .expected = "a folder of regressions",
                    .found = "none",
                    .advice = "check the path"});
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Regression> all;
  all.reserve(files.size());
  for (const fs::path& file : files) all.push_back(read_regression(file, claims));
  return all;
}

}  // namespace attn::properties
