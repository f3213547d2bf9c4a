#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

inline constexpr std::string_view kOverviewPage = "index.html", kDetailsPage = "details.html";

/// Where the pages of a report are, each under a name that is safe in a path and in a link.
class Names {
 public:
  explicit Names(const Report& report);

  /// "claims/lemma2.html".
  [[nodiscard]] const std::string& claim(std::string_view id) const;
  /// A link to the page of a claim with the claim's id as words; the id alone where there is none.
  [[nodiscard]] Text claim_link(std::string_view id) const;
  [[nodiscard]] Text claim_links(const std::vector<std::string>& ids) const;

  /// What the files of an input begin with, such as "tiny"; its page is inputs/tiny.html. `index`:
  /// of `Report::inputs`.
  [[nodiscard]] const std::string& input(std::size_t index) const { return inputs_.at(index); }
  [[nodiscard]] std::string input_page(std::size_t index) const;
  /// A link to that page, with the input in a word or two.
  [[nodiscard]] Text input_link(std::size_t index) const;
  [[nodiscard]] std::string head_page(std::size_t index, unsigned layer, unsigned head) const;

 private:
  std::map<std::string, std::string, std::less<>> claims_;
  std::vector<std::string> inputs_, short_names_;
};

/// An input in a word or two: "tiny" of "tiny (GPT-2 architecture, ...)", the file's name of a
/// recording.
std::string short_name(const Measurements& measured);

/// Where the cases of a record are from: "Search", or the input in a word or two.
std::string short_source(const ClaimRecord& record);

}  // namespace attn::report
