#include "properties/search/regressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/data_folder.hpp"
#include "theory/base/read_json.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kShape =
    R"({"claim": id, "case": {..}, "verdict": word, "found": text})";

Verdict verdict_from(std::string_view word) {
  constexpr Verdict kVerdicts[] = {Verdict::holds, Verdict::equal, Verdict::violated,
                                   Verdict::undecided, Verdict::assumption_not_met};
  const auto at = std::ranges::find(kVerdicts, word, [](Verdict v) { return to_string(v); });
  if (at == std::end(kVerdicts)) {
    throw BadInput({.kind = BadInputKind::unknown_name,
                    .where = "\"verdict\"",
                    .expected = "one of holds, equal, violated, undecided, assumption not met",
                    .found = in_quotes(word)});
  }
  return *at;
}

Regression regression_from(const json& value, const std::string& name, const Catalogue& claims) {
  const auto text = [&](const char* field) {
    const auto at = value.find(field);
    if (at == value.end() || !at->is_string()) {
      const bool missing = at == value.end();
      throw BadInput({.kind = missing ? BadInputKind::missing : BadInputKind::malformed,
                      .where = fmt::format("\"{}\"", field),
                      .expected = fmt::format("a text, as in {}", kShape),
                      .found = missing ? "none" : at->type_name()});
    }
    return at->get<std::string>();
  };
  if (!value.is_object() || !value.contains("case")) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = fmt::format("a regression, {}", kShape),
                    .found = value.is_object() ? "an object without a case" : value.type_name()});
  }
  const std::string claim = text("claim");
  return {.claim = claim,
          .input = read_case(claims.at(claim), value.at("case")),
          .verdict = verdict_from(text("verdict")),
          .found = text("found"),
          .name = name};
}

Regression read_regression(const fs::path& file, const Catalogue& claims) {
  const std::string text = read_file(file);
  try {
    const json value = read_json(text, fmt::format("a regression, {}", kShape));
    return regression_from(value, file.filename().string(), claims);
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

std::vector<Regression> regressions_of(const Claim& claim, const std::vector<Regression>& all) {
  std::vector<Regression> kept;
  for (const Regression& regression : all) {
    if (regression.claim == claim.id) kept.push_back(regression);
  }
  return kept;
}

}  // namespace attn::properties
