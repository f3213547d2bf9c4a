#include "gpt2_check/tokenizer/utf8.hpp"

#include <fmt/format.h>
#include <unicode/utf8.h>

#include <limits>

#include "theory/base/bad_input.hpp"

namespace attn {

std::int64_t count_characters(std::string_view text, std::string_view name) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw BadInput({.kind = BadInputKind::too_large,
                    .where = std::string(name),
                    .expected = "at most 2 GiB of text",
                    .found = fmt::format("{} bytes", text.size()),
                    .advice = "give a part of it"});
  const auto length = static_cast<std::int32_t>(text.size());
  std::int64_t characters = 0;
  for (std::int32_t at = 0; at < length; ++characters) {
    const std::int32_t start = at;
    UChar32 character = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
    U8_NEXT(text.data(), at, length, character);
#pragma GCC diagnostic pop
    if (character < 0)
      throw BadInput(
          {.kind = BadInputKind::malformed,
           .where = std::string(name),
           .expected = "UTF-8",
           .found = fmt::format("a bad sequence at byte offset {} (0x{:02X})", start,
                                static_cast<unsigned char>(text[static_cast<std::size_t>(start)])),
           .advice = "convert the text to UTF-8"});
  }
  return characters;
}

}  // namespace attn
