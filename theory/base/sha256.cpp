#include "theory/base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "theory/base/atomic_file.hpp"

namespace attn {
namespace {

class Digest {
 public:
  Digest() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
  }

  void add(const char* bytes, std::size_t count) {
    check(EVP_DigestUpdate(context_.get(), bytes, count));
  }

  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    check(EVP_DigestFinal_ex(context_.get(), bytes.data(), &size));
    std::string digits;
    for (unsigned i = 0; i < size; ++i) digits += fmt::format("{:02x}", bytes[i]);
    return digits;
  }

 private:
  static void check(int status) {
    if (status != 1) throw std::runtime_error("OpenSSL cannot compute SHA-256");
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest;
  digest.add(bytes.data(), bytes.size());
  return digest.hexadecimal();
}

std::string sha256_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Digest digest;
  std::vector<char> buffer(1 << 20);
  std::uintmax_t bytes = 0;
  while (stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto count = static_cast<std::size_t>(stream.gcount());
    digest.add(buffer.data(), count);
    bytes += count;
  }
  if (!stream.eof()) refuse_to_read(file);
  expect_whole(file, bytes);
  return digest.hexadecimal();
}

}  // namespace attn
