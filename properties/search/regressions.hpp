#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "theory/attention/case.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

/// A case that is decided again in every search: it was once hard, or a witness.
struct Regression {
  std::string claim;  ///< id
  Case input;
  Verdict verdict;   ///< what the case must come out as
  std::string name;  ///< the name of its file
};

/// Where a regression comes from, in place of a family.
inline constexpr std::string_view kKeptCases = "regressions";

/// The folder of the project's own regressions.
std::filesystem::path regressions_folder();

/// Every *.json of `folder`, by name: {"claim", "case", "verdict"}, and "found", where it came
/// from, for who reads it. Throws BadInput, naming the file, for one that is no such object, names
/// no claim of `claims`, has a case the claim can't use, or a verdict that is none.
std::vector<Regression> read_regressions(const std::filesystem::path& folder,
                                         const Catalogue& claims);

}  // namespace attn::properties
