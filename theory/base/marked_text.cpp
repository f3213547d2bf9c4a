#include "theory/base/marked_text.hpp"

namespace attn {

std::vector<Stretch> stretches(std::string_view text) {
  constexpr char kMark = '$';
  std::vector<Stretch> parts;
  const auto add_prose = [&](std::string_view prose) {
    if (!prose.empty()) parts.push_back({prose, false});
  };
  while (true) {
    const std::size_t begin = text.find(kMark);
    const std::size_t end = begin == text.npos ? text.npos : text.find(kMark, begin + 1);
    if (end == text.npos) break;
    add_prose(text.substr(0, begin));
    parts.push_back({text.substr(begin + 1, end - begin - 1), true});
    text.remove_prefix(end + 1);
  }
  add_prose(text);
  return parts;
}

std::string plain_text(std::string_view text) {
  std::string plain;
  for (const Stretch& stretch : stretches(text)) plain += stretch.text;
  return plain;
}

}  // namespace attn
