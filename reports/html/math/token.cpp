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
    {"<=", "≤"}, {">=", "≥"}, {"!=", "≠"}, {"->", "→"}, {"||", "‖"},     {"...", "…"},
    {"-", "−"},  {".", "·"},  {"'", "′"},  {"in", "∈"}, {"not in", "∉"}, {"Hoelder", "Hölder"},
    {"sum", "∑"}};

/// The longer ones first.
constexpr std::string_view kSigns[] = {"...", "<=", ">=", "!=", "->", "||", "<", ">", "=",
                                       "+",   "-",  "/",  "(",  ")",  "[",  "]", "{", "}",
                                       "|",   "_",  "^",  "'",  ",",  ";",  ":", ".", "#"};

constexpr std::string_view kRelations[] = {"<=", ">=", "!=", "->", "<", ">", "=", "in", "not in"};
constexpr std::string_view kFunctions[] = {"exp",  "log",  "ln",  "min",     "max",
                                           "sqrt", "diag", "vec", "softmax", "sum"};
constexpr std::string_view kStops[] = {",", ";", ":", "."};
/// Words that a symbol may have behind it and an article has not.
constexpr std::string_view kAfterSymbols[] = {"is",   "has",  "and", "or", "where", "when",
                                              "with", "over", "of",  "in", "kept",  "without"};
constexpr std::string_view kQuantities[] = {"gain", "mean", "std"};

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

/// "softmax", "model's", or an id such as "theorem1.fixed.any_set".
std::size_t word_length(std::string_view text) {
  const auto in_word = [](char c) { return is_letter(c) || is_digit(c); };
  std::size_t length = span(text, 0, in_word);
  const std::string_view word = text.substr(0, length);
  if (is_symbol(word) || is_one_of(word, kFunctions)) return length;
  while (length + 1 < text.size() && std::string_view("._'").find(text[length]) != text.npos &&
         is_letter(text[length + 1])) {
    length += 1 + span(text, length + 1, in_word);
  }
  return length;
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

/// One character with all its UTF-8 bytes.
std::size_t character_length(std::string_view text) {
  return 1 + span(text, 1, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
}

Token first_token(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\t'; };
  if (is_space(text.front())) return {TokenKind::space, text.substr(0, span(text, 0, is_space))};
  if (is_digit(text.front())) return {TokenKind::number, text.substr(0, number_length(text))};
  if (is_letter(text.front())) {
    const std::string_view word = text.substr(0, word_length(text));
    return {is_symbol(word) ? TokenKind::symbol : TokenKind::prose, word};
  }
  for (const std::string_view sign : kSigns) {
    if (text.starts_with(sign)) return {TokenKind::sign, text.substr(0, sign.size())};
  }
  return {TokenKind::prose, text.substr(0, character_length(text))};
}

/// Decides from what stands beside a token what it is.
class Reader {
 public:
  explicit Reader(std::string_view text) {
    while (!text.empty()) {
      tokens_.push_back(first_token(text));
      text.remove_prefix(tokens_.back().text.size());
    }
  }

  std::vector<Token> run() {
    join_not_in();
    for (std::size_t i = 0; i < tokens_.size(); ++i) read_word(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i) read_article(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i) read_mark(i);
    read_brackets();
    return std::move(tokens_);
  }

 private:
  static constexpr Token kNothing{TokenKind::space, ""};

  const Token& beside(std::size_t i, int step) const {
    const std::size_t at = i + static_cast<std::size_t>(step);
    return at < tokens_.size() ? tokens_[at] : kNothing;
  }

  /// The nearest token that is no space.
  const Token& near(std::size_t i, int step) const {
    const Token& next = beside(i, step);
    return next.kind == TokenKind::space ? beside(i, 2 * step) : next;
  }

  static bool is_prose(const Token& token) { return token.kind == TokenKind::prose; }
  static bool is_word(const Token& token) {
    return is_prose(token) && is_letter(token.text.front());
  }
  static bool is_operand(const Token& token) {
    return token.kind == TokenKind::symbol || token.kind == TokenKind::number ||
           token.kind == TokenKind::name || is_one_of(token.text, kClosing) || token.text == "|" ||
           token.text == "||";
  }

  /// "not in" between two symbols is one sign.
  void join_not_in() {
    for (std::size_t i = 1; i + 4 < tokens_.size(); ++i) {
      if (tokens_[i].text != "not" || tokens_[i + 2].text != "in") continue;
      if (near(i, -1).kind != TokenKind::symbol || tokens_[i + 4].kind != TokenKind::symbol)
        continue;
      const char* const start = tokens_[i].text.data();
      const std::size_t length = tokens_[i].text.size() + tokens_[i + 1].text.size() + 2;
      if (std::string_view(start, length) != "not in") continue;
      tokens_[i] = {TokenKind::sign, {start, length}};
      const auto behind = tokens_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      tokens_.erase(behind, behind + 2);
    }
  }

  void read_word(std::size_t i) {
    Token& token = tokens_[i];
    if (!is_word(token)) return;
    if (beside(i, -1).text == "_" && token.text.size() == 2) {
      token.kind = TokenKind::symbol;
    } else if (token.text == "in" && is_membership(i)) {
      token.kind = TokenKind::sign;
    } else if (is_differential(i)) {
      token.kind = TokenKind::differential;
    } else if (is_function(i) || is_quantity(i) || is_denominator(i)) {
      token.kind = TokenKind::name;
    }
  }

  /// "in" in the range of a sum or of a set, which braces hold.
  bool is_membership(std::size_t i) const {
    if (near(i, -1).kind != TokenKind::symbol || near(i, 1).kind != TokenKind::symbol) return false;
    int depth = 0;
    for (std::size_t k = 0; k < i; ++k) {
      depth += tokens_[k].text == "{" ? 1 : tokens_[k].text == "}" ? -1 : 0;
    }
    return depth > 0;
  }

  bool is_differential(std::size_t i) const {
    const std::string_view word = tokens_[i].text;
    return word.size() == 2 && word.front() == 'd' && is_letter(word.back()) &&
           (beside(i, -1).text == "/" || beside(i, 1).text == "/");
  }

  /// A function has its argument behind it; without one it is a word: "the sum over the rows".
  bool is_function(std::size_t i) const {
    const std::string_view word = tokens_[i].text;
    if (!is_one_of(word, kFunctions)) return false;
    const Token& next = near(i, 1);
    const bool opens = is_one_of(next.text, kOpening) || next.text == "|" || next.text == "||";
    if (beside(i, 1).kind != TokenKind::space) return opens || next.text == "_";
    if (word == "softmax") return false;
    return opens || next.kind == TokenKind::symbol || is_one_of(next.text, kFunctions) ||
           (next.kind == TokenKind::number && word != "sum");
  }

  /// "std" in "gain/(T std)", not in "the std of z".
  bool is_quantity(std::size_t i) const {
    if (!is_one_of(tokens_[i].text, kQuantities)) return false;
    const Token& back = near(i, -1);
    const Token& next = near(i, 1);
    return back.text == "/" || back.text == "-" || next.text == "/" || next.text == ">" ||
           next.text == "->" || (tokens_[i].text == "gain" && next.text == "(") ||
           (next.text == ")" && back.kind == TokenKind::symbol);
  }

  /// "step" in "sqrt 2/step".
  bool is_denominator(std::size_t i) const {
    return i > 1 && tokens_[i - 1].text == "/" && is_operand(tokens_[i - 2]);
  }

  /// "a" or "A" before a word is an article, "a" also between a word and a symbol: "for a K given".
  void read_article(std::size_t i) {
    Token& token = tokens_[i];
    if ((token.text != "a" && token.text != "A") || beside(i, 1).kind != TokenKind::space) return;
    const Token& back = near(i, -1);
    const Token& next = near(i, 1);
    const bool operand = back.kind == TokenKind::name ||
                         (back.kind == TokenKind::sign && !is_one_of(back.text, kStops));
    if (operand || is_one_of(next.text, kAfterSymbols)) return;
    const bool before_symbol = token.text == "a" && next.kind == TokenKind::symbol &&
                               (is_prose(back) || back.text.empty());
    if (is_word(next) || before_symbol) token.kind = TokenKind::prose;
  }

  void read_mark(std::size_t i) {
    Token& token = tokens_[i];
    if (token.kind != TokenKind::sign) return;
    const Token& back = beside(i, -1);
    const Token& next = beside(i, 1);
    bool formula = true;
    if (token.text == "-" || token.text == "/") {
      formula = !is_prose(back) && !is_prose(next);
    } else if (token.text == "'") {
      formula = back.kind == TokenKind::symbol && !is_letter_at(next);
    } else if (token.text == ".") {
      formula = back.kind == TokenKind::space && is_operand(near(i, -1)) &&
                near(i, 1).kind == TokenKind::symbol;
    } else if (token.text == "#") {
      formula = next.text == "{";
    }
    if (!formula) token.kind = TokenKind::prose;
  }

  static bool is_letter_at(const Token& token) {
    return !token.text.empty() && is_letter(token.text.front());
  }

  /// Brackets without a partner and brackets around prose are prose, and so is punctuation that no
  /// bracket of a formula holds.
  void read_brackets() {
    std::vector<std::size_t> open;
    std::vector<std::size_t> partner(tokens_.size(), tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_one_of(tokens_[i].text, kOpening)) open.push_back(i);
      const auto kind = std::ranges::find(kClosing, tokens_[i].text);
      if (kind == std::end(kClosing) || open.empty()) continue;
      if (tokens_[open.back()].text != kOpening[kind - std::begin(kClosing)]) continue;
      partner[open.back()] = i;
      open.pop_back();
    }
    std::vector<bool> closes(tokens_.size(), false), inside(tokens_.size(), false);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!is_one_of(tokens_[i].text, kOpening)) continue;
      const std::size_t end = partner[i];
      if (end == tokens_.size() || holds_prose(i + 1, end)) {
        tokens_[i].kind = TokenKind::prose;
        continue;
      }
      closes[end] = true;
      for (std::size_t k = i; k < end; ++k) inside[k] = true;
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool lost = is_one_of(tokens_[i].text, kClosing) && !closes[i];
      const bool outside = is_one_of(tokens_[i].text, kPunctuation) && !inside[i];
      if (lost || outside) tokens_[i].kind = TokenKind::prose;
    }
  }

  bool holds_prose(std::size_t begin, std::size_t end) const {
    return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(end), is_prose);
  }

  static constexpr std::string_view kOpening[] = {"(", "[", "{"};
  static constexpr std::string_view kClosing[] = {")", "]", "}"};
  static constexpr std::string_view kPunctuation[] = {",", ";", ":"};

  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  return Reader(text).run();
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
