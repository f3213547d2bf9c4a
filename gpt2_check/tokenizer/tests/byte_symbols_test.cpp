#include <gtest/gtest.h>

#include <set>

#include "gpt2_check/tokenizer/text.hpp"

namespace attn {
namespace {

TEST(ByteSymbols, AreAllDifferent) {
  const std::set<std::string> symbols(byte_symbols().begin(), byte_symbols().end());
  EXPECT_EQ(symbols.size(), 256U);
}

TEST(ByteSymbols, ArePrintingCharacters) {
  EXPECT_EQ(byte_symbols()['!'], "!");
  EXPECT_EQ(byte_symbols()['~'], "~");
  EXPECT_EQ(byte_symbols()[0x00], "\u0100");
  EXPECT_EQ(byte_symbols()['\n'], "\u010A");
  EXPECT_EQ(byte_symbols()[' '], "\u0120");
  EXPECT_EQ(byte_symbols()[0x7F], "\u0121");
  EXPECT_EQ(byte_symbols()[0xA0], "\u0142");
  EXPECT_EQ(byte_symbols()[0xA1], "\u00A1");
  EXPECT_EQ(byte_symbols()[0xAD], "\u0143");
  EXPECT_EQ(byte_symbols()[0xFF], "\u00FF");
}

TEST(ByteSymbols, AreNumberedPrintingBytesFirst) {
  const auto& order = bytes_by_symbol();
  EXPECT_EQ(std::set<unsigned char>(order.begin(), order.end()).size(), 256U);
  EXPECT_EQ(order[0], '!');
  EXPECT_EQ(order[93], '~');
  EXPECT_EQ(order[94], 0xA1);
  EXPECT_EQ(order[187], 0xFF);
  EXPECT_EQ(order[188], 0x00);
  EXPECT_EQ(order[220], ' ');
  EXPECT_EQ(order[255], 0xAD);
}

}  // namespace
}  // namespace attn
