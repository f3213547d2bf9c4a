#include "reports/windows/window_json.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/io/record_json.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

WindowResult result_from(const Reader& in) {
  WindowResult result;
  read(in, result);
  return result;
}

}  // namespace

nlohmann::json document_of(const std::string& text, std::string_view what) {
  auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = std::string(what),
                    .expected = "JSON",
                    .found = "another text"});
  }
  return document;
}

std::string text_of(const WindowResult& result) {
  return json_of(result).dump();
}

WindowResult window_from(const std::string& text) {
  const nlohmann::json document = document_of(text, "the result of a window");
  return result_from(Reader(document));
}

WindowResult read_window(const KeptWindows& windows, std::size_t index) {
  std::ifstream stream = open_file(windows.file);
  stream.seekg(static_cast<std::streamoff>(windows.offsets[index]));
  const std::string place = fmt::format("/windows/{}", index);
  try {
    nlohmann::json document;
    stream >> document;
    return result_from(Reader(document, place));
  } catch (const nlohmann::json::parse_error&) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = fmt::format("{}: at {}", windows.file.string(), place),
                    .expected = "the window that was there",
                    .found = "another text",
                    .advice = "leave the file alone meanwhile"});
  } catch (const BadInput& error) {
    throw error.within(windows.file.string());
  }
}

}  // namespace attn::report
