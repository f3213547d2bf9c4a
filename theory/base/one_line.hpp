#pragma once

#include <string>
#include <string_view>

// Input as a message shows it.

namespace attn {

/// `message` as one line of valid UTF-8: input may put line ends and other control characters into
/// it, what turns the direction of the text around it (U+202E and its like), and bytes that are no
/// text. A control becomes a space.
std::string one_line(std::string_view message);

/// The first characters of `text`, about 60 bytes at most, and "..." where there are more.
std::string shortened(std::string_view text);

/// `text`, shortened, between single quotes.
std::string in_quotes(std::string_view text);

}  // namespace attn
