// Any text as a statement with marked formulas: what comes out is well-formed.
#include <cstdint>
#include <cstdlib>
#include <pugixml.hpp>
#include <string>

#include "reports/html/page.hpp"

namespace {

void expect_well_formed(const std::string& html) {
  pugi::xml_document document;
  if (!document.load_string(("<p>" + html + "</p>").c_str())) std::abort();
  if (document.select_node("//script")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  expect_well_formed(attn::report::math_html(text));
  expect_well_formed(attn::report::statement_html(text));
  return 0;
}
