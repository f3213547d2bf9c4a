#include "gpt2_check/hub/etag.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <regex>
#include <stdexcept>

#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/sha256.hpp"

namespace attn::hub {
namespace {

constexpr std::size_t kSha256Digits = 64;

}  // namespace

std::string hash_of_etag(const std::string& etag, const std::string& where) {
  static const std::regex pattern(R"re((W/)?"?([0-9a-f]{64}|[0-9a-f]{40})"?)re");
  std::smatch parts;
  if (!std::regex_match(etag, parts, pattern)) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = where,
                    .expected = "an ETag of 64 or 40 hexadecimal digits",
                    .found = in_quotes(etag),
                    .advice = "is HF_ENDPOINT a Hugging Face Hub?"});
  }
  return parts[2];
}

std::string git_blob_id(const std::string& bytes) {
  std::string object = fmt::format("blob {}", bytes.size());
  object += '\0';
  object += bytes;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(object.data(), object.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL cannot compute SHA-1");
  }
  std::string digits;
  for (unsigned i = 0; i < size; ++i) digits += fmt::format("{:02x}", digest[i]);
  return digits;
}

std::string hash_like(const std::string& etag_hash, const std::filesystem::path& file) {
  return etag_hash.size() == kSha256Digits ? sha256_of_file(file) : git_blob_id(read_file(file));
}

}  // namespace attn::hub
