#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attn {

/// The SHA-256 of some bytes, as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The SHA-256 of a file, read in pieces. Throws BadInput where it cannot be read to its end.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace attn
