#include "reports/pages/pages.hpp"

#include "reports/html/page.hpp"
#include "reports/record/source.hpp"

namespace attn::report {

std::map<std::string, std::string> pages_of(const Report& report) {
  const Names names(report);
  std::map<std::string, std::string> files;
  const auto add = [&](const Document& document) {
    if (document.figure) add_figure_files({*document.figure}, files);
    add_figure_files(document.blocks, files);
    files[document.path] = page_of(document);
  };
  add(overview_page(report, names));
  add(details_page(report, names));
  for (const ClaimView& view : by_claim(report)) add(claim_page(view, report, names));
  for (std::size_t i = 0; i < report.inputs.size(); ++i) {
    for (const Document& document : input_pages(i, report, names)) add(document);
  }
  return files;
}

}  // namespace attn::report
