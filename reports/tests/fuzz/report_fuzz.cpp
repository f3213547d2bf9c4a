// A report.json, from its text to everything that is written of it.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/render.hpp"
#include "reports/text/console.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"

namespace attn::report {
namespace {

void write_all(Report report) {
  complete(report);
  // What is written can be read again, and says the same.
  const std::string text = report_text(report);
  if (report_text(report_from_json(nlohmann::json::parse(text))) != text) std::abort();
  for (const auto& [name, content] : rendered_files(report)) {
    if (name.ends_with(".html") && content.find("<script") != std::string::npos) std::abort();
  }
  console_text(report, true, "index.html");
  console_tables(report, true);
}

}  // namespace
}  // namespace attn::report

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto json = attn::read_json(text, "a report.json");
    attn::report::write_all(attn::report::report_from_json(json));
  } catch (const attn::BadInput&) {
  }
  return 0;
}
