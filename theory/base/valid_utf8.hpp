#pragma once

#include <string>
#include <string_view>

namespace attn {

/// `bytes` with U+FFFD in place of every sequence that is not UTF-8. The name of a file may be any
/// bytes: this is how it enters JSON and messages.
std::string valid_utf8(std::string_view bytes);

}  // namespace attn
