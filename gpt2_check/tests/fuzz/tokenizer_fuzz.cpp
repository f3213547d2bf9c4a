// Any merges, as pairs of ids, with any text: what is encoded is decoded to the same bytes.
#include <cstdint>
#include <cstdlib>

#include "gpt2_check/tokenizer/tests/decode.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

/// Bytes of an entry.
constexpr std::size_t kLongest = 64;

/// A tokenizer and what makes it.
struct Bpe {
  std::vector<std::string> vocabulary;
  std::vector<Tokenizer::Merge> merges;
};

/// The first byte says how many pairs of bytes follow; each is a merge of two entries that are
/// there, and its result a new one.
Bpe bpe_of(std::string_view& bytes) {
  Bpe bpe{{byte_symbols().begin(), byte_symbols().end()}, {}};
  const auto next = [&] {
    const std::size_t value = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(bytes.empty() ? 0 : 1);
    return value;
  };
  for (std::size_t count = next() % 64; count > 0; --count) {
    // The later entries are the merged ones.
    const std::string& left = bpe.vocabulary[bpe.vocabulary.size() - 1 - next()];
    const std::string& right = bpe.vocabulary[bpe.vocabulary.size() - 1 - next()];
    if (left.size() + right.size() > kLongest) continue;  // they double
    bpe.merges.emplace_back(left, right);
    bpe.vocabulary.push_back(left + right);
  }
  return bpe;
}

}  // namespace
}  // namespace attn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const attn::Bpe bpe = attn::bpe_of(bytes);
    const auto ids = attn::Tokenizer(bpe.vocabulary, bpe.merges).encode(bytes);
    if (attn::test::decode(bpe.vocabulary, ids) != bytes) std::abort();
  } catch (const attn::BadInput&) {
  }
  return 0;
}
