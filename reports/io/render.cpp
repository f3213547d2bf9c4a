#include "reports/io/render.hpp"

#include <utility>

#include "reports/html/page.hpp"
#include "reports/io/junit.hpp"
#include "reports/text/markdown.hpp"

namespace attn::report {

std::map<std::string, std::string> rendered_files(const Report& report) {
  Page page = page_of(report);
  std::map<std::string, std::string> files{{"index.html", std::move(page.html)},
                                           {"junit.xml", junit_xml(report)},
                                           {"report.md", markdown(report)}};
  for (auto& [name, content] : page.figures) files["figures/" + name] = std::move(content);
  return files;
}

}  // namespace attn::report
