#include "reports/html/render.hpp"

#include <utility>

#include "reports/html/page.hpp"
#include "reports/text/junit.hpp"
#include "reports/text/markdown.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {

std::map<std::string, std::string> rendered_files(const Report& report) {
  Page page = page_of(report);
  std::map<std::string, std::string> files{{"index.html", std::move(page.html)},
                                           {"junit.xml", junit_xml(report)},
                                           {"report.md", markdown(report)}};
  for (auto& [name, content] : page.figures) files["figures/" + name] = std::move(content);
  return files;
}

void check_folder_for_report(const std::filesystem::path& out) {
  if (out.empty()) {
    throw BadInput(
        {.kind = BadInputKind::missing, .where = "--out", .expected = "a folder", .found = "''"});
  }
  std::error_code error;
  if (std::filesystem::exists(out, error) && !std::filesystem::is_directory(out, error)) {
    throw BadInput({.kind = BadInputKind::unwritable,
                    .where = "--out: " + out.string(),
                    .expected = "a folder, or none",
                    .found = "what is not a folder",
                    .advice = "name another"});
  }
}

}  // namespace attn::report
