#pragma once

#include <string>

namespace attn {

/// `message` as one line: input may put line ends and other control characters into it.
inline std::string one_line(std::string message) {
  for (char& c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return message;
}

}  // namespace attn
