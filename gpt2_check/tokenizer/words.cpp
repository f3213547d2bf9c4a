#include "gpt2_check/tokenizer/words.hpp"

#include <unicode/regex.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "gpt2_check/tokenizer/utf8.hpp"

namespace attn {
namespace {

/// White space as a set, [\s]: of a set ICU takes a run of any length without a stack.
constexpr const char* kWord =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|[\s]+(?!\S)|[\s]+)";

void require_success(UErrorCode status) {
  if (U_FAILURE(status))
    throw std::runtime_error(std::string("ICU regular expression: ") + u_errorName(status));
}

struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
  count_characters(text, "text");
  UErrorCode status = U_ZERO_ERROR;
  // Over UTF-8 directly, so that the matcher's offsets are bytes.
  const std::unique_ptr<UText, CloseText> utf8(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status));
  require_success(status);
  icu::RegexMatcher matcher(icu::UnicodeString::fromUTF8(kWord), 0, status);
  require_success(status);
  matcher.reset(utf8.get());

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
