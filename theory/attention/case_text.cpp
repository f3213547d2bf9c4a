#include "theory/attention/case_text.hpp"

#include <algorithm>
#include <iterator>

namespace attn {
namespace {

struct Symbol {
  std::string_view field, symbol;
};

/// In the order in which a line names them.
constexpr Symbol kSymbols[] = {
    {"logits", "l"},  {"query", "q"},      {"keys", "k"},          {"plan", "P"},
    {"weights", "a"}, {"embeddings", "x"}, {"temperature", "T"},   {"L", "L"},
    {"N", "N"},       {"set", "I"},        {"dimension", "d"},     {"M", "R"},
    {"r", "r"},       {"delta", "delta"},  {"epsilon", "epsilon"}, {"direction", "v"},
    {"step", "h"},    {"K", "K"},          {"gain", "gain"},       {"p", "p"},
    {"a", "a"},       {"normalizer", "F"}};

}  // namespace

std::string_view symbol_of(std::string_view field) {
  for (const Symbol& symbol : kSymbols) {
    if (symbol.field == field) return symbol.symbol;
  }
  return field;
}

std::size_t rank_of(std::string_view field) {
  return static_cast<std::size_t>(
      std::find_if(std::begin(kSymbols), std::end(kSymbols),
                   [&](const Symbol& symbol) { return symbol.field == field; }) -
      std::begin(kSymbols));
}

}  // namespace attn
