#pragma once

#include <filesystem>
#include <string>

namespace attn::hub {

/// The hash in an ETag header of the Hub: without the quotes and the mark of a weak one. It names
/// the blob in the cache. Throws BadInput, naming `where`, for anything but 64 hexadecimal digits
/// (the SHA-256 of a large file) or 40 (Git's id of a small one).
std::string hash_of_etag(const std::string& etag, const std::string& where);

/// The id that Git gives the bytes of a file: SHA-1 of "blob <size>", a zero byte and the bytes.
std::string git_blob_id(const std::string& bytes);

/// The hash of a file that compares with `etag_hash`: SHA-256 or Git's id, as its length says.
/// Throws BadInput where the file cannot be read.
std::string hash_like(const std::string& etag_hash, const std::filesystem::path& file);

}  // namespace attn::hub
