#include "gpt2_check/tokenizer/byte_symbols.hpp"

#include <algorithm>
#include <cstddef>

namespace attn {
namespace {

bool prints(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/// UTF-8 of a character below U+0800.
std::string utf8(int character) {
  if (character < 0x80) return {static_cast<char>(character)};
  return {static_cast<char>(0xC0 | (character >> 6)), static_cast<char>(0x80 | (character & 0x3F))};
}

std::array<std::string, 256> make_symbols() {
  std::array<std::string, 256> symbols;
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte)
    symbols[static_cast<std::size_t>(byte)] = utf8(prints(byte) ? byte : next++);
  return symbols;
}

std::array<unsigned char, 256> make_order() {
  std::array<unsigned char, 256> order{};
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<unsigned char>(i);
  std::stable_partition(order.begin(), order.end(), [](unsigned char b) { return prints(b); });
  return order;
}

}  // namespace

const std::array<std::string, 256>& byte_symbols() {
  static const auto symbols = make_symbols();
  return symbols;
}

const std::array<unsigned char, 256>& bytes_by_symbol() {
  static const auto order = make_order();
  return order;
}

}  // namespace attn
