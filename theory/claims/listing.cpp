#include "theory/claims/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "theory/base/marked_text.hpp"
#include "theory/claims/coq.hpp"

namespace attn {
namespace {

/// The inequality of a statement: its longest marked formula with a `<=`.
std::string_view inequality_of(std::string_view statement) {
  std::string_view longest;
  for (const auto& [text, is_formula] : stretches(statement)) {
    const bool is_one = is_formula && text.find("<=") != std::string_view::npos;
    if (is_one && text.size() > longest.size()) longest = text;
  }
  return longest;
}

/// Within a table.
std::string escaped(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? "\\|" : std::string{c};
  return cell;
}

std::string row_of(const Claim& claim) {
  constexpr std::string_view kFolder = "theory/";
  const std::optional<CoqProof> proof = coq_proof(claim);
  return fmt::format(
      "| <a id=\"{0}\"></a>`{0}` | {1}: `{2}` | {3} | {4} | {5} |\n", claim.id,
      plain_text(claim.title), escaped(inequality_of(claim.statement)), to_string(claim.provenance),
      claim.status == Status::proved ? "proved" : "**false**",
      proof ? fmt::format("[Coq]({})", proof->file.substr(kFolder.size())) : "people");
}

}  // namespace

std::string statement_of(std::string_view paper) {
  for (const std::string_view work : {"arXiv 2609.37879", "arXiv 2303.06296", "arXiv 2512.07647"}) {
    if (paper.starts_with(work)) return "Tokens needed";
  }
  if (paper.starts_with("arXiv ")) return "Beyond the paper";
  const std::string_view name = paper.substr(0, paper.find_first_of(",;:("));
  return std::string(name.substr(0, name.find_last_not_of(' ') + 1));
}

std::string in_markdown(const Catalogue& claims) {
  std::vector<std::pair<std::string, std::string>> tables;  // of each statement
  for (const Claim& claim : claims) {
    const std::string statement = statement_of(claim.paper);
    auto table = std::ranges::find(tables, statement, &std::pair<std::string, std::string>::first);
    if (table == tables.end()) table = tables.insert(tables.end(), {statement, ""});
    table->second += row_of(claim);
  }
  std::string text;
  for (const auto& [statement, rows] : tables) {
    text += fmt::format(
        "### {}\n\n| claim | says | formula | status | checked by |\n|---|---|---|---|---|\n{}\n",
        statement, rows);
  }
  return text;
}

}  // namespace attn
