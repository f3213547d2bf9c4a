#include "reports/html/math/token.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace attn::report::math {
namespace {

constexpr std::pair<std::string_view, std::string_view> kLetters[] = {
    {"alpha", "α"}, {"Delta", "Δ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"mu", "μ"},
    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},   {"xi", "ξ"},      {"infinity", "∞"}};

constexpr std::pair<std::string_view, std::string_view> kPrinted[] = {
    {"<=", "≤"}, {">=", "≥"}, {"!=", "≠"}, {"->", "→"}, {"||", "‖"},    {"...", "…"},
    {"-", "−"},  {".", "·"},  {"'", "′"},  {"in", "∈"}, {"not in", "∉"}};

/// The longer ones first.
constexpr std::string_view kSigns[] = {"...", "<=", ">=", "!=", "->", "||", "<", ">", "=",
                                       "+",   "-",  "/",  "(",  ")",  "[",  "]", "{", "}",
                                       "|",   "_",  "^",  "'",  ",",  ";",  ":", ".", "#"};

constexpr std::string_view kRelations[] = {"<=", ">=", "!=", "->", "<", ">", "=", "in", "not in"};
constexpr std::string_view kFunctions[] = {"exp",  "log", "ln",      "min", "max", "sqrt",
                                           "diag", "vec", "softmax", "sum", "tanh"};
template <typename List>
bool is_one_of(std::string_view text, const List& list) {
  return std::ranges::find(list, text) != std::end(list);
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// How many characters from `at` on satisfy `holds`.
template <typename Predicate>
std::size_t span(std::string_view text, std::size_t at, Predicate holds) {
  std::size_t end = at;
  while (end < text.size() && holds(text[end])) ++end;
  return end - at;
}

bool is_letter_name(std::string_view word) {
  return std::ranges::any_of(kLetters, [&](const auto& letter) { return letter.first == word; });
}

/// One letter, with digits behind it or not, or the name of a Greek one.
bool is_symbol(std::string_view word) {
  return span(word, 0, is_letter) == 1 || is_letter_name(word);
}

/// Digits with a fraction, groups of three, an exponent or "..." behind them.
std::size_t number_length(std::string_view text) {
  std::size_t length = span(text, 0, is_digit);
  while (text.substr(length, 1) == "," && span(text, length + 1, is_digit) == 3) length += 4;
  const auto digits_behind = [&](std::string_view mark) {
    if (!text.substr(length).starts_with(mark)) return;
    const std::size_t digits = span(text, length + mark.size(), is_digit);
    if (digits > 0) length += mark.size() + digits;
  };
  digits_behind(".");
  digits_behind("e-");
  digits_behind("e+");
  return text.substr(length).starts_with("...") ? length + 3 : length;
}

/// "da" and "dl" in "da/dl".
bool is_differential(std::string_view word, std::string_view behind, std::string_view before) {
  return word.size() == 2 && word.front() == 'd' && is_letter(word.back()) &&
         (before == "/" || behind.starts_with("/"));
}

/// The token of a word at the front of `text`, where the sign or letter `before` stands to its
/// left.
Token word_token(std::string_view text, std::string_view before) {
  constexpr std::string_view kNotIn = "not in";
  const auto in_word = [](char c) { return is_letter(c) || is_digit(c); };
  const std::string_view word = text.substr(0, span(text, 0, in_word));
  if (word == "in") return {TokenKind::sign, word};
  if (text.starts_with(kNotIn)) return {TokenKind::sign, text.substr(0, kNotIn.size())};
  if (is_differential(word, text.substr(word.size()), before)) {
    return {TokenKind::differential, word};
  }
  const bool is_index = before == "_" && word.size() == 2;
  return {is_symbol(word) || is_index ? TokenKind::symbol : TokenKind::name, word};
}

Token first_token(std::string_view text, std::string_view before) {
  if (text.front() == ' ') return {TokenKind::space, text.substr(0, text.find_first_not_of(' '))};
  if (is_digit(text.front())) return {TokenKind::number, text.substr(0, number_length(text))};
  if (is_letter(text.front())) return word_token(text, before);
  for (const std::string_view sign : kSigns) {
    if (text.starts_with(sign)) return {TokenKind::sign, text.substr(0, sign.size())};
  }
  return {TokenKind::unknown, text.substr(0, 1)};
}

}  // namespace

std::vector<Token> tokens_of(std::string_view formula) {
  std::vector<Token> tokens;
  while (!formula.empty()) {
    tokens.push_back(first_token(formula, tokens.empty() ? "" : tokens.back().text));
    formula.remove_prefix(tokens.back().text.size());
  }
  return tokens;
}

std::string_view printed(std::string_view text) {
  for (const auto& [from, to] : kLetters) {
    if (text == from) return to;
  }
  for (const auto& [from, to] : kPrinted) {
    if (text == from) return to;
  }
  return text;
}

bool takes_argument(std::string_view name) {
  return is_one_of(name, kFunctions);
}

std::string_view closing(std::string_view opening) {
  return opening == "(" ? ")" : opening == "[" ? "]" : opening == "{" ? "}" : opening;
}

bool is_relation(std::string_view text) {
  return is_one_of(text, kRelations);
}

}  // namespace attn::report::math
