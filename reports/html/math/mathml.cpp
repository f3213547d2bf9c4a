#include "reports/html/math/mathml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "reports/html/math/token.hpp"
#include "reports/text/escape.hpp"

namespace attn::report::math {
namespace {

constexpr std::string_view kInvisibleTimes = "<mo>\u2062</mo>";
constexpr std::string_view kInvisibleComma = "<mo>\u2063</mo>";
constexpr std::string_view kApply = "<mo>\u2061</mo>";
constexpr std::string_view kThinSpace = "<mspace width=\"0.1667em\"></mspace>";

/// A formula no wider than this, in characters, is never broken.
constexpr std::size_t kUnbroken = 14;
/// What stands between two relations is broken at "+" and "-" where it is wider than this.
constexpr std::size_t kLongTerm = 20;
/// A product wider than this is broken before its last factor.
constexpr std::size_t kLongProduct = 26;

/// The text of a number, a letter, a name or a sign for print, escaped.
std::string print(std::string_view text) {
  return escape_html(printed(text));
}

std::string mrow(const std::string& inside) {
  return fmt::format("<mrow>{}</mrow>", inside);
}

bool is_upright_application(const Node& node) {
  return node.kind == NodeKind::applied && node.children[0].kind != NodeKind::letter;
}

const Node& base_of(const Node& node) {
  return node.kind == NodeKind::scripts ? base_of(node.children[0]) : node;
}

/// Whether a function's name is the first thing of `node` that is read.
bool begins_with_name(const Node& node) {
  const Node& base = base_of(node);
  if (base.kind == NodeKind::name) return true;
  if (base.kind == NodeKind::applied) return begins_with_name(base.children[0]);
  return base.kind == NodeKind::fraction && begins_with_name(base.children[0]);
}

/// Whether `node` ends with a name, or with the argument of a function that has no brackets.
bool ends_openly(const Node& node) {
  if (node.kind == NodeKind::name) return true;
  if (node.kind == NodeKind::fraction) return ends_openly(node.children[1]);
  return is_upright_application(node) && node.children[1].kind != NodeKind::fence;
}

/// Whether brackets around a displayed `node` have to grow.
bool is_tall(const Node& node) {
  if (node.kind == NodeKind::fraction || node.kind == NodeKind::large_sum) return true;
  const std::span<const Node> all = node.children;
  return std::ranges::any_of(node.kind == NodeKind::scripts ? all.first(1) : all, is_tall);
}

class Writer {
 public:
  explicit Writer(Style style) : built_up_(style == Style::display) {}

  std::string write(const Node& node) {
    switch (node.kind) {
      case NodeKind::number:
        return fmt::format("<mn>{}</mn>", print(node.text));
      case NodeKind::letter:
        return letter(node.text);
      case NodeKind::differential:
        return fmt::format("<mrow><mi mathvariant=\"normal\">d</mi><mi>{}</mi></mrow>",
                           escape_html(node.text.substr(1)));
      case NodeKind::name:
        return name(node.text);
      case NodeKind::sign:
        return sign(node.text);
      case NodeKind::nothing:
        return {};
      case NodeKind::row:
        return terms(node.children, false);
      case NodeKind::product:
        return product(node);
      case NodeKind::fraction:
        return fraction(node);
      case NodeKind::root:
        return fmt::format("<msqrt>{}</msqrt>", write(node.children[0]));
      case NodeKind::primed:
        // The prime of every font is raised and small by itself.
        return mrow(write(node.children[0]) + "<mo form=\"postfix\">′</mo>");
      case NodeKind::scripts:
        return scripts(node);
      case NodeKind::applied:
        return applied(node);
      case NodeKind::large_sum:
        return large_sum(node);
      case NodeKind::fence:
        return fence(node);
    }
    return {};
  }

  /// Terms with the signs between them. A sign takes its form from what stands beside it in the
  /// formula, not from its place in the piece, unless it `continues` the formula of another piece.
  std::string terms(std::span<const Node> row, bool continues) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].kind != NodeKind::sign) {
        out += write(row[i]);
      } else if (i == 0 ? !continues : row[i - 1].kind == NodeKind::sign) {
        out += first_sign(row[i].text);
      } else {
        out += i == 0 || i + 1 == row.size() ? with_form(row[i].text, "infix") : sign(row[i].text);
      }
    }
    return out;
  }

 private:
  /// A node as one element, where MathML counts them.
  std::string one(const Node& node) {
    const bool several = node.kind == NodeKind::row || node.kind == NodeKind::product ||
                         node.kind == NodeKind::applied || node.kind == NodeKind::large_sum ||
                         (node.kind == NodeKind::fraction && !built_up_);
    if (node.kind == NodeKind::row && node.children.size() == 1) return one(node.children[0]);
    return several ? mrow(write(node)) : write(node);
  }

  /// "s2": a letter and its number.
  static bool has_index(std::string_view text) {
    return text.size() > 1 && text.back() >= '0' && text.back() <= '9';
  }

  static std::string index_of(std::string_view text) {
    return fmt::format("<mn>{}</mn>", escape_html(text.substr(1)));
  }

  static std::string letter_base(std::string_view text) {
    return fmt::format("<mi>{}</mi>", print(has_index(text) ? text.substr(0, 1) : text));
  }

  /// "ij" stands for two letters.
  static std::string letter(std::string_view text) {
    if (has_index(text)) return fmt::format("<msub>{}{}</msub>", letter_base(text), index_of(text));
    if (text.size() != 2 || printed(text) != text) return letter_base(text);
    return mrow(fmt::format("<mi>{}</mi>{}<mi>{}</mi>", text[0], kInvisibleComma, text[1]));
  }

  static std::string name(std::string_view text) {
    return fmt::format("<mi mathvariant=\"normal\">{}</mi>", print(text));
  }

  static std::string with_form(std::string_view text, std::string_view form) {
    return fmt::format("<mo form=\"{}\">{}</mo>", form, print(text));
  }

  /// A sign without a left side: "-1", or "< 1" behind a word, whose space is enough.
  static std::string first_sign(std::string_view text) {
    if (is_relation(text)) return fmt::format("<mo lspace=\"0\">{}</mo>", print(text));
    return with_form(text, "prefix");
  }

  static std::string sign(std::string_view text) {
    if (text == "/") return "<mo lspace=\"0\" rspace=\"0\">/</mo>";
    // The colon of a set stands between its element and the condition like a relation.
    if (text == ":") return "<mo lspace=\"0.2778em\" rspace=\"0.2778em\">:</mo>";
    return fmt::format("<mo>{}</mo>", print(text));
  }

  std::string product(const Node& node) {
    std::string out;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node& factor = node.children[i];
      if (i > 0) out += between(node.children[i - 1], factor);
      out += is_bracketed_fraction(factor) ? write(factor.children[0]) : write(factor);
    }
    return out;
  }

  /// "(1/2)" beside other factors, whose bar holds it together where it has one.
  bool is_bracketed_fraction(const Node& node) const {
    if (!built_up_ || node.kind != NodeKind::fence || node.text != "(") return false;
    const std::vector<Node>& terms = node.children[0].children;
    return terms.size() == 1 && terms[0].kind == NodeKind::fraction;
  }

  static std::string_view between(const Node& left, const Node& right) {
    if (left.kind == NodeKind::sign || right.kind == NodeKind::sign) return {};
    const bool numbers =
        base_of(left).kind == NodeKind::number && base_of(right).kind == NodeKind::number;
    if (numbers || begins_with_name(right) || ends_openly(left)) return kThinSpace;
    return kInvisibleTimes;
  }

  std::string fraction(const Node& node) {
    if (!built_up_) return write(node.children[0]) + sign("/") + write(node.children[1]);
    built_up_ = false;
    std::string out = fmt::format("<mfrac>{}{}</mfrac>", without_brackets(node.children[0]),
                                  without_brackets(node.children[1]));
    built_up_ = true;
    return out;
  }

  std::string without_brackets(const Node& node) {
    return one(node.kind == NodeKind::fence && node.text == "(" ? node.children[0] : node);
  }

  std::string scripts(const Node& node) {
    const Node& base = node.children[0];
    const bool above = node.children[2].kind != NodeKind::nothing;
    const bool numbered = base.kind == NodeKind::letter && has_index(base.text);
    const std::string body = numbered ? letter_base(base.text) : one(base);
    const bool built_up = std::exchange(built_up_, false);
    std::string below = one(node.children[1]);
    if (numbered) {
      const std::string_view comma = below.empty() ? "" : "<mo>,</mo>";
      below = mrow(fmt::format("{}{}{}", index_of(base.text), comma, below));
    }
    const std::string up = one(node.children[2]);
    built_up_ = built_up;
    if (!above) return fmt::format("<msub>{}{}</msub>", body, below);
    if (below.empty()) return fmt::format("<msup>{}{}</msup>", body, up);
    return fmt::format("<msubsup>{}{}{}</msubsup>", body, below, up);
  }

  /// A sign or name with its range below it in displayed formulas, at its foot in a line.
  std::string with_range(const std::string& head, const Node& range) {
    const bool built_up = std::exchange(built_up_, false);
    std::string out = fmt::format("<munder>{}{}</munder>", head, one(range));
    built_up_ = built_up;
    return out;
  }

  std::string head(const Node& node) {
    if (node.kind != NodeKind::scripts || node.children[0].kind != NodeKind::name ||
        node.children[2].kind != NodeKind::nothing) {
      return write(node);
    }
    const std::string name =
        fmt::format("<mo movablelimits=\"true\" lspace=\"0\" rspace=\"0\">{}</mo>",
                    print(node.children[0].text));
    return with_range(name, node.children[1]);
  }

  std::string applied(const Node& node) {
    const Node& argument = node.children[1];
    const bool bracketed = argument.kind == NodeKind::fence && !argument.text.starts_with('|');
    return fmt::format("{}{}{}", head(node.children[0]), bracketed ? kApply : kThinSpace,
                       write(argument));
  }

  std::string large_sum(const Node& node) {
    const Node& range = node.children[0];
    const std::string sign = "<mo>∑</mo>";
    const std::string head = range.kind == NodeKind::nothing ? sign : with_range(sign, range);
    return head + write(node.children[1]);
  }

  std::string fence(const Node& node) {
    const Node& inside = node.children[0];
    const bool stretch = built_up_ && is_tall(inside);
    return mrow(bracket(node.text, "prefix", stretch) + write(inside) +
                bracket(closing(node.text), "postfix", stretch));
  }

  static std::string bracket(std::string_view text, std::string_view form, bool stretch) {
    return fmt::format("<mo form=\"{}\" stretchy=\"{}\">{}</mo>", form, stretch, print(text));
  }

  bool built_up_;  ///< whether a fraction that comes now is set with a bar
};

bool is_break_sign(const Node& node, bool at_sums) {
  return node.kind == NodeKind::sign &&
         (is_relation(node.text) || (at_sums && (node.text == "+" || node.text == "-")));
}

/// The children of a formula, a list for each piece; a piece ends behind its sign, or begins with
/// it where `before` is set.
std::vector<std::span<const Node>> split(std::span<const Node> row, bool at_sums, bool before) {
  std::vector<std::span<const Node>> pieces;
  std::size_t start = 0;
  for (std::size_t i = 1; i + 1 < row.size(); ++i) {
    if (!is_break_sign(row[i], at_sums) || is_break_sign(row[i - 1], true)) continue;
    const std::size_t end = before ? i : i + 1;
    pieces.push_back(row.subspan(start, end - start));
    start = end;
  }
  pieces.push_back(row.subspan(start));
  return pieces;
}

std::size_t width_of_row(std::span<const Node> row, Style style) {
  std::size_t width = 0;
  for (const Node& node : row) {
    width += width_of(node, style) + (node.kind == NodeKind::sign ? 2 : 0);
  }
  return width;
}

/// A term in front of its last factor and from there on, where it is a product too long for a line
/// of a phone; else the term.
std::vector<std::vector<Node>> split_product(std::span<const Node> term, Style style) {
  const auto product = std::ranges::find(term, NodeKind::product, &Node::kind);
  if (product == term.end() || width_of_row(term, style) <= kLongProduct) {
    return {{term.begin(), term.end()}};
  }
  std::vector<Node> first(term.begin(), product);
  std::vector<Node> last(product, term.end());
  first.push_back(*product);
  first.back().children.pop_back();
  last.front() = product->children.back();
  return {std::move(first), std::move(last)};
}

std::string piece(std::span<const Node> row, bool continues, Style style) {
  const std::string_view display = style == Style::display ? " displaystyle=\"true\"" : "";
  return fmt::format("<math{}>{}</math>", display, Writer(style).terms(row, continues));
}

}  // namespace

std::size_t width_of(const Node& node, Style style) {
  if (node.kind == NodeKind::row) return width_of_row(node.children, style);
  const bool spelt = node.kind == NodeKind::number || node.kind == NodeKind::name;
  std::size_t width = spelt ? node.text.size() : node.text.empty() ? 0 : 1;
  if (node.kind == NodeKind::fence) width = 2;
  if (node.kind == NodeKind::fraction && style == Style::display) {
    return std::max(width_of(node.children[0], style), width_of(node.children[1], style));
  }
  for (const Node& child : node.children) width += width_of(child, style);
  return width + (node.kind == NodeKind::fraction || node.kind == NodeKind::large_sum ? 1 : 0);
}

std::vector<std::string> pieces_of(const Node& formula, Style style) {
  const bool before = style == Style::display;
  const std::span<const Node> row = formula.children;
  if (width_of_row(row, style) <= kUnbroken) return {piece(row, false, style)};
  std::vector<std::string> out;
  for (const auto& side : split(row, false, before)) {
    const bool long_side = width_of_row(side, style) > kLongTerm;
    for (const auto& term : long_side ? split(side, true, before) : std::vector{side}) {
      for (const std::vector<Node>& part : split_product(term, style)) {
        out.push_back(piece(part, !out.empty(), style));
      }
    }
  }
  return out;
}

}  // namespace attn::report::math
