#include "reports/render.hpp"

#include "reports/html/page.hpp"
#include "reports/junit.hpp"
#include "reports/markdown.hpp"

namespace attn::report {

std::map<std::string, std::string> rendered_files(const Report& report) {
  return {{"index.html", html_page(report)},
          {"junit.xml", junit_xml(report)},
          {"report.md", markdown(report)}};
}

}  // namespace attn::report
