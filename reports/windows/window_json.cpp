#include "reports/windows/window_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/io/record_json.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {

std::string text_of(const WindowResult& result) {
  return json_of(result).dump();
}

WindowResult window_from(const std::string& text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = "the result of a window",
                    .expected = "JSON",
                    .found = "another text"});
  }
  WindowResult result;
  read(Reader(document), result);
  return result;
}

}  // namespace attn::report
