#include "gpt2_check/tokenizer/text.hpp"

#include <fmt/format.h>
#include <unicode/regex.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>
#include <unicode/uversion.h>

#include <cstddef>
#include <stdexcept>

#include "theory/base/bad_input.hpp"

namespace attn {

namespace {

bool prints(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

}  // namespace

const std::array<std::string, 256>& byte_symbols() {
  static const auto symbols = [] {
    std::array<std::string, 256> made;
    UChar32 next = 0x100;
    for (UChar32 byte = 0; byte < 256; ++byte) {
      icu::UnicodeString(prints(byte) ? byte : next++)
          .toUTF8String(made[static_cast<std::size_t>(byte)]);
    }
    return made;
  }();
  return symbols;
}

namespace {

/// Calls `visit` with each character and the offset of its first byte; the number of characters.
template <class Visit>
std::int64_t for_each_character(std::string_view text, std::string_view name, const Visit& visit) {
  const auto length = static_cast<std::int64_t>(text.size());
  std::int64_t characters = 0;
  for (std::int64_t at = 0; at < length; ++characters) {
    const std::int64_t start = at;
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
    visit(character, start);
  }
  return characters;
}

std::string dotted(const UVersionInfo& version) {
  return fmt::format("{}.{}", version[0], version[1]);
}

std::string unicode_version() {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  return dotted(version);
}

}  // namespace

std::int64_t count_characters(std::string_view text, std::string_view name) {
  return for_each_character(text, name, [](UChar32, std::int64_t) {});
}

std::string icu_version() {
  UVersionInfo version;
  u_getVersion(version);
  return fmt::format("{} (Unicode {})", dotted(version), unicode_version());
}

std::string newer_characters(std::string_view text, std::string_view name) {
  std::int64_t count = 0;
  std::string first;
  for_each_character(text, name, [&](UChar32 character, std::int64_t offset) {
    // What is no character in any version stays unassigned.
    if (u_charType(character) != U_UNASSIGNED || U_IS_UNICODE_NONCHAR(character)) return;
    if (count++ == 0) first = fmt::format("U+{:04X} at byte offset {}", character, offset);
  });
  if (count == 0) return "";
  const std::string others = count > 1 ? fmt::format(" and {} more", count - 1) : "";
  return fmt::format(
      "{}: {}{}, characters that Unicode {} does not have, which this ICU knows: a tokenizer with "
      "a newer Unicode may give other ids there",
      name, first, others, unicode_version());
}

namespace {

/// White space as a set, [\s]: of a set ICU takes a run of any length without a stack.
constexpr const char* kWord =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|[\s]+(?!\S)|[\s]+)";

void require_success(UErrorCode status) {
  if (U_FAILURE(status))
    throw std::runtime_error(std::string("ICU regular expression: ") + u_errorName(status));
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
  count_characters(text, "text");
  UErrorCode status = U_ZERO_ERROR;
  // Over UTF-8 directly, so that the matcher's offsets are bytes.
  const icu::LocalUTextPointer utf8(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status));
  require_success(status);
  icu::RegexMatcher matcher(icu::UnicodeString::fromUTF8(kWord), 0, status);
  require_success(status);
  matcher.reset(utf8.getAlias());

  std::vector<std::string_view> words;
  while (matcher.find(status)) {
    const auto start = static_cast<std::size_t>(matcher.start64(status));
    const auto end = static_cast<std::size_t>(matcher.end64(status));
    require_success(status);
    words.push_back(text.substr(start, end - start));
  }
  require_success(status);
  return words;
}

}  // namespace attn
