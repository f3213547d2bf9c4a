// A text with marked formulas: its parts are those of the text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "theory/base/marked_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  std::size_t length = 0;
  for (const attn::Stretch& stretch : attn::stretches(text)) {
    if (stretch.text.empty() && !stretch.is_formula) std::abort();
    length += stretch.text.size() + (stretch.is_formula ? 2 : 0);
  }
  if (length != text.size()) std::abort();
  attn::plain_text(text);
  return 0;
}
