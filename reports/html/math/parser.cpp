#include "reports/html/math/parser.hpp"

#include <span>
#include <utility>

#include "reports/html/math/token.hpp"

namespace attn::report::math {
namespace {

/// No formula is longer, in tokens. It bounds how deep the parser and the tree go, whatever a
/// report holds.
constexpr std::size_t kLongest = 500;

/// Thrown where the tokens spell no formula; caught in parse.
struct NoFormula {};

Node node(NodeKind kind, std::vector<Node> children) {
  return {.kind = kind, .children = std::move(children)};
}

Node only_or(NodeKind kind, std::vector<Node> children) {
  return children.size() == 1 ? std::move(children.front()) : node(kind, std::move(children));
}

class Parser {
 public:
  explicit Parser(std::span<const Token> tokens) : tokens_(tokens) {}

  Node formula() {
    Node row = list();
    if (at_ < tokens_.size()) throw NoFormula{};
    return row;
  }

 private:
  std::string_view sign(std::size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == TokenKind::sign ? tokens_[at].text
                                                                      : std::string_view{};
  }
  bool is_kind(std::size_t at, TokenKind kind) const {
    return at < tokens_.size() && tokens_[at].kind == kind;
  }

  /// The next token that is no space.
  std::size_t ahead() const { return is_kind(at_, TokenKind::space) ? at_ + 1 : at_; }
  std::string_view next() const { return sign(ahead()); }
  void skip_space() { at_ = ahead(); }

  Node take_sign() {
    skip_space();
    return {.kind = NodeKind::sign, .text = tokens_[at_++].text};
  }

  void expect(std::string_view text) {
    if (next() != text) throw NoFormula{};
    take_sign();
  }

  /// One row of terms, "+", relations and punctuation. A relation may come first: "(sum) < 1".
  Node list() {
    Node row = node(NodeKind::row, {});
    if (is_relation(next())) row.children.push_back(take_sign());
    sum(row);
    while (is_relation(next()) || is_punctuation(next())) {
      row.children.push_back(take_sign());
      sum(row);
    }
    return row;
  }

  static bool is_punctuation(std::string_view text) {
    return text == "," || text == ";" || text == ":";
  }

  void sum(Node& row) {
    if (next() == "-" || next() == "+") row.children.push_back(take_sign());
    row.children.push_back(product());
    while (next() == "-" || next() == "+") {
      row.children.push_back(take_sign());
      row.children.push_back(product());
    }
  }

  Node product() {
    std::vector<Node> factors{quotient()};
    while (next() == "." || starts_operand()) {
      if (next() == ".") factors.push_back(take_sign());
      factors.push_back(quotient());
    }
    return only_or(NodeKind::product, std::move(factors));
  }

  bool starts_operand() const {
    const std::size_t at = ahead();
    if (at >= tokens_.size()) return false;
    const std::string_view text = sign(at);
    if (text.empty()) return true;
    if (text == "|" || text == "||") return bars_.empty() || bars_.back() != text;
    return text == "(" || text == "[" || text == "{" || text == "#" || text == "...";
  }

  Node quotient() {
    Node left = factor();
    while (next() == "/") {
      take_sign();
      Node right = factor();
      left = node(NodeKind::fraction, {std::move(left), std::move(right)});
    }
    return left;
  }

  Node factor() {
    skip_space();
    if (at_ >= tokens_.size()) throw NoFormula{};
    const Token& token = tokens_[at_];
    if (token.kind == TokenKind::name) return function();
    Node base = atom();
    const bool letter = base.kind == NodeKind::letter;
    base = with_scripts(std::move(base));
    if (!letter || (sign(at_) != "(" && sign(at_) != "[")) return base;
    return with_scripts(node(NodeKind::applied, {std::move(base), fence()}));
  }

  Node atom() {
    const Token& token = tokens_[at_];
    switch (token.kind) {
      case TokenKind::number:
        ++at_;
        return {.kind = NodeKind::number, .text = token.text};
      case TokenKind::symbol:
        ++at_;
        return {.kind = NodeKind::letter, .text = token.text};
      case TokenKind::differential:
        ++at_;
        return {.kind = NodeKind::differential, .text = token.text};
      case TokenKind::sign:
        return fenced();
      default:
        throw NoFormula{};
    }
  }

  Node fenced() {
    if (sign(at_) == "...") return {.kind = NodeKind::name, .text = tokens_[at_++].text};
    if (sign(at_) != "#") return fence();
    Node count{.kind = NodeKind::name, .text = tokens_[at_++].text};
    return node(NodeKind::applied, {std::move(count), fence()});
  }

  Node fence() {
    const std::string_view opening = sign(at_);
    if (!starts_bracket(opening)) throw NoFormula{};
    ++at_;
    bars_.push_back(opening);
    Node inside = list();
    bars_.pop_back();
    expect(closing(opening));
    return {.kind = NodeKind::fence, .text = opening, .children = {std::move(inside)}};
  }

  static bool starts_bracket(std::string_view text) {
    return text == "(" || text == "[" || text == "{" || text == "|" || text == "||";
  }

  Node function() {
    const std::string_view name = tokens_[at_++].text;
    if (name == "sum") {
      Node range = sign(at_) == "_" ? subscript() : Node{};
      return node(NodeKind::large_sum, {std::move(range), product()});
    }
    if (name == "sqrt") {
      skip_space();
      const bool bracketed = sign(at_) == "(";
      Node inside = bracketed ? std::move(fence().children.front()) : factor();
      return with_scripts(node(NodeKind::root, {std::move(inside)}));
    }
    Node head = with_scripts({.kind = NodeKind::name, .text = name});
    const bool touches = starts_bracket(sign(at_)) && starts_operand();
    if (touches) return with_scripts(node(NodeKind::applied, {std::move(head), fence()}));
    if (!takes_argument(name) || !starts_operand()) return head;
    return node(NodeKind::applied, {std::move(head), factor()});
  }

  Node with_scripts(Node base) {
    while (sign(at_) == "'") {
      ++at_;
      base = node(NodeKind::primed, {std::move(base)});
    }
    Node below, above;
    if (sign(at_) == "_") below = subscript();
    if (sign(at_) == "^") above = superscript();
    if (below.kind == NodeKind::nothing && above.kind == NodeKind::nothing) return base;
    return node(NodeKind::scripts, {std::move(base), std::move(below), std::move(above)});
  }

  /// Braces fall away, parentheses stay: a_(2) is an order statistic.
  Node subscript() {
    ++at_;
    if (sign(at_) == "{") return std::move(fence().children.front());
    if (sign(at_) == "(") return fence();
    return script_atom();
  }

  /// A "+", a group without its brackets, or a number or letter with its sign and subscript.
  Node superscript() {
    ++at_;
    if (sign(at_) == "{" || sign(at_) == "(") return std::move(fence().children.front());
    if (sign(at_) == "+") return take_sign();
    if (sign(at_) != "-") return indexed();
    Node row = node(NodeKind::row, {take_sign()});
    row.children.push_back(indexed());
    return row;
  }

  Node script_atom() {
    if (!is_kind(at_, TokenKind::number) && !is_kind(at_, TokenKind::symbol)) throw NoFormula{};
    return atom();
  }

  Node indexed() {
    Node base = script_atom();
    if (sign(at_) != "_") return base;
    Node below = subscript();
    return node(NodeKind::scripts, {std::move(base), std::move(below), Node{}});
  }

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  std::vector<std::string_view> bars_;  ///< the brackets that are open
};

}  // namespace

std::optional<Node> parse(std::string_view formula) {
  const std::vector<Token> tokens = tokens_of(formula);
  if (tokens.size() > kLongest) return std::nullopt;
  try {
    return Parser(tokens).formula();
  } catch (const NoFormula&) {
    return std::nullopt;
  }
}

}  // namespace attn::report::math
