#include "reports/html/math.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reports/html/math/parser.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

std::string marked(std::string_view formula) {
  return fmt::format("${}$", formula);
}

void expect_math(const std::string& text, const std::string& inside) {
  EXPECT_EQ(math_html(marked(text)), fmt::format("<math>{}</math>", inside));
}

/// The page's markup with its content as text: what a browser without MathML shows.
std::string content_of(const std::string& html) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(
      fmt::format("<p>{}</p>", html).c_str(), pugi::parse_default | pugi::parse_ws_pcdata);
  EXPECT_TRUE(result) << result.description() << ": " << html;
  struct Collector : pugi::xml_tree_walker {
    std::string text;
    bool for_each(pugi::xml_node& node) override {
      text += node.value();
      EXPECT_STREQ(node.attribute("id").value(), "");
      return true;
    }
  } collector;
  document.traverse(collector);
  return collector.text;
}

std::string without(std::string text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
      text.erase(at, part.size());
    }
  }
  return text;
}

/// A text as its letters and digits alone, with the names of letters and signs written out. Roots
/// and sums are elements or signs of their own.
std::string letters_of(std::string text) {
  const std::pair<const char*, const char*> names[] = {
      {"α", "alpha"}, {"Δ", "Delta"}, {"δ", "delta"}, {"ε", "epsilon"}, {"μ", "mu"},
      {"ρ", "rho"},   {"σ", "sigma"}, {"τ", "tau"},   {"ξ", "xi"},      {"∞", "infinity"},
      {"∑", "sum"},   {"∈", "in"},    {"∉", "notin"}, {"ö", "oe"}};
  for (const auto& [sign, name] : names) {
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign)) {
      text.replace(at, std::string_view(sign).size(), name);
    }
  }
  std::string out;
  for (const char c : without(text, {"sqrt"})) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) out += c;
  }
  return out;
}

std::vector<std::string> catalogue_texts() {
  std::vector<std::string> texts;
  for (const Claim& claim : catalogue()) {
    for (const std::string_view text : {claim.title, claim.statement, claim.argument}) {
      texts.emplace_back(text);
    }
  }
  for (const NormalizerTraits& normalizer : normalizers()) {
    for (const std::string_view text :
         {normalizer.definition, normalizer.constant, normalizer.breaks}) {
      texts.emplace_back(text);
    }
  }
  return texts;
}

TEST(MathHtml, SetsScripts) {
  expect_math("a_i^2", "<msubsup><mi>a</mi><mi>i</mi><mn>2</mn></msubsup>");
  expect_math("a_(2)",
              "<msub><mi>a</mi><mrow><mo form=\"prefix\" stretchy=\"false\">(</mo><mn>2</mn>"
              "<mo form=\"postfix\" stretchy=\"false\">)</mo></mrow></msub>");
  expect_math("10^-9", "<msup><mn>10</mn><mrow><mo form=\"prefix\">−</mo><mn>9</mn></mrow></msup>");
  expect_math("L^z_i", "<msup><mi>L</mi><msub><mi>z</mi><mi>i</mi></msub></msup>");
  expect_math("F'_j", "<msub><mrow><mi>F</mi><mo form=\"postfix\">′</mo></mrow><mi>j</mi></msub>");
  expect_math("d1", "<msub><mi>d</mi><mn>1</mn></msub>");
  expect_math("s2_i^2",
              "<msubsup><mi>s</mi><mrow><mn>2</mn><mo>,</mo><mi>i</mi></mrow><mn>2</mn></msubsup>");
}

TEST(MathHtml, SetsSumsRootsAndFunctions) {
  expect_math("sum_{i not in I} a_i",
              "<munder><mo>∑</mo><mrow><mi>i</mi><mo>∉</mo><mi>I</mi></mrow></munder>"
              "<msub><mi>a</mi><mi>i</mi></msub>");
  expect_math("sqrt(u + v)", "<msqrt><mi>u</mi><mo>+</mo><mi>v</mi></msqrt>");
  expect_math("sqrt 2", "<msqrt><mn>2</mn></msqrt>");
  expect_math("max_i a_i",
              "<munder><mo movablelimits=\"true\" lspace=\"0\" rspace=\"0\">max</mo><mi>i</mi>"
              "</munder><mspace width=\"0.1667em\"></mspace><msub><mi>a</mi><mi>i</mi></msub>");
}

TEST(MathHtml, TellsTheBarsOfNormsInsideEachOther) {
  const std::string open = "<mrow><mo form=\"prefix\" stretchy=\"false\">";
  const std::string close = "<mo form=\"postfix\" stretchy=\"false\">";
  expect_math("|p - ||y|||", open + "|</mo><mi>p</mi><mo>−</mo>" + open + "‖</mo><mi>y</mi>" +
                                 close + "‖</mo></mrow>" + close + "|</mo></mrow>");
}

TEST(MathHtml, DividesTheNeighbouringFactorsOnly) {
  EXPECT_EQ(math_html("$p m/(M L)$"),
            "<math><mi>p</mi><mo>\u2062</mo><mi>m</mi><mo lspace=\"0\" rspace=\"0\">/</mo><mrow>"
            "<mo form=\"prefix\" stretchy=\"false\">(</mo><mi>M</mi><mo>\u2062</mo><mi>L</mi>"
            "<mo form=\"postfix\" stretchy=\"false\">)</mo></mrow></math>");
  EXPECT_EQ(math_cell_html("$p m/(M L)$"),
            "<math displaystyle=\"true\"><mi>p</mi><mo>\u2062</mo><mfrac><mi>m</mi><mrow><mi>M</mi>"
            "<mo>\u2062</mo><mi>L</mi></mrow></mfrac></math>");
  EXPECT_EQ(math_cell_html("$(1/2) N$"),
            "<math displaystyle=\"true\"><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>\u2062</mo>"
            "<mi>N</mi></math>");
}

TEST(MathHtml, ReadsWordsInFormulas) {
  expect_math("J = da/dl",
              "<mi>J</mi><mo>=</mo><mrow><mi mathvariant=\"normal\">d</mi><mi>a</mi></mrow>"
              "<mo lspace=\"0\" rspace=\"0\">/</mo>"
              "<mrow><mi mathvariant=\"normal\">d</mi><mi>l</mi></mrow>");
  expect_math("gain/std",
              "<mi mathvariant=\"normal\">gain</mi><mo lspace=\"0\" rspace=\"0\">/</mo>"
              "<mi mathvariant=\"normal\">std</mi>");
  expect_math("J_ij", "<msub><mi>J</mi><mrow><mi>i</mi><mo>\u2063</mo><mi>j</mi></mrow></msub>");
}

TEST(MathHtml, SetsMarkedFormulasAlone) {
  EXPECT_EQ(math_html("a_i of a is a bound, 1/L"), "a_i of a is a bound, 1/L");
  EXPECT_EQ(math_html("for a $K$ given"), "for a <math><mi>K</mi></math> given");
  EXPECT_EQ(math_html("along $a$. Never"),
            "along <span class=\"whole\"><math><mi>a</mi></math>.</span> Never");
  EXPECT_EQ(math_html("top-$N$ tokens"),
            "<span class=\"whole\">top-<math><mi>N</mi></math></span> tokens");
}

TEST(MathHtml, SetsTheSignsOfAReportWithoutMarks) {
  EXPECT_EQ(math_html("||x|| <= X, a -> b"), "‖x‖ ≤ X, a → b");
  EXPECT_EQ(statement_html("m <= M where a = 0"), "<p>m ≤ M where a = 0</p>\n");
}

TEST(MathHtml, KeepsWhatSpellsNoFormula) {
  for (const char* const text : {"a_{open", "x_", "x^", "x^-", "x^(open", "|x", "x + ", "((x)", "é",
                                 "x / / y", " x", "x ", ""}) {
    EXPECT_EQ(math_html(marked(text)), text);
  }
  EXPECT_EQ(math_html("5 $ a token"), "5 $ a token");
  EXPECT_EQ(math_html("$a$ and $b"), "<math><mi>a</mi></math> and $b");
  EXPECT_EQ(math_html("the sum over <b> & more"), "the sum over &lt;b&gt; &amp; more");
  EXPECT_EQ(math_html("$<b$"), "&lt;b");
  EXPECT_EQ(math_html(""), "");
}

TEST(MathHtml, TakesAnyDepthOfBrackets) {
  const std::string text(100'000, '(');
  EXPECT_EQ(content_of(math_html(marked(text))), text);
  std::string closed = fmt::format("{}x{}", std::string(2000, '('), std::string(2000, ')'));
  EXPECT_EQ(content_of(math_html(marked(closed))), closed);
}

TEST(MathHtml, BreaksALongFormulaBehindItsRelation) {
  const std::string html = math_html("$||a_i x_i - s|| <= a_i d1 + (A - a_i) X$");
  EXPECT_NE(html.find("<mo form=\"infix\">≤</mo></math><wbr/><math>"), std::string::npos) << html;
}

TEST(MathHtml, SetsEveryTextOfTheCatalogueAndLosesNothing) {
  for (const std::string& text : catalogue_texts()) {
    const std::string letters = letters_of(plain_text(text));
    EXPECT_EQ(letters_of(content_of(math_html(text))), letters);
    EXPECT_EQ(letters_of(content_of(math_cell_html(text))), letters);
    EXPECT_EQ(letters_of(content_of(statement_html(text))), letters);
  }
}

TEST(MathHtml, ReadsEveryFormulaOfTheCatalogue) {
  for (const std::string& text : catalogue_texts()) {
    for (const Stretch& stretch : stretches(text)) {
      if (stretch.is_formula) {
        EXPECT_TRUE(math::parse(stretch.text)) << "no formula: " << stretch.text;
      }
    }
  }
}

TEST(MathHtml, FindsEveryFormulaOfTheCatalogueMarked) {
  for (const std::string& text : catalogue_texts()) {
    for (const Stretch& stretch : stretches(text)) {
      if (stretch.is_formula) continue;
      for (const char* const sign :
           {"$", "<=", "=", "^", "||", "->", "sqrt", "{", "_i", "_j", "/L"}) {
        EXPECT_EQ(stretch.text.find(sign), std::string_view::npos)
            << sign << " stands outside a formula: " << text;
      }
    }
  }
}

TEST(StatementHtml, DisplaysTheInequalityOfEveryClaim) {
  for (const Claim& claim : catalogue()) {
    const std::string html = statement_html(claim.statement);
    const std::size_t line = html.find("<div class=\"formula-line\"");
    ASSERT_NE(line, std::string::npos) << claim.id;
    EXPECT_NE(html.substr(line, html.find("</div>") - line).find("≤"), std::string::npos)
        << claim.id;
  }
}

TEST(StatementHtml, SetsTheFormulaApartFromItsConditions) {
  EXPECT_EQ(statement_html("$m <= M$, where $a = 0$"),
            "<div class=\"formula-line\"><span class=\"whole\"><math "
            "displaystyle=\"true\"><mi>m</mi><mo>≤</mo>"
            "<mi>M</mi></math>,</span></div>\n<p>where <math><mi>a</mi><mo>=</mo>"
            "<mn>0</mn></math></p>\n");
  EXPECT_EQ(statement_html("for large $L$: $m <= M$"),
            "<p>for large <span class=\"whole\"><math><mi>L</mi></math>:"
            "</span></p>\n<div class=\"formula-line\"><math displaystyle=\"true\"><mi>m</mi>"
            "<mo>≤</mo><mi>M</mi></math></div>\n");
  EXPECT_EQ(statement_html("words alone"), "<p>words alone</p>\n");
}

TEST(StatementHtml, GivesEachFormulaThatFollowsALineOfItsOwn) {
  const std::string html = statement_html("$E <= M$, $V = N$, 0 when $L = 2$");
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = html.find("formula-line", at)) != std::string::npos; ++at) ++lines;
  EXPECT_EQ(lines, 2U);
  EXPECT_NE(html.find("<p>0 when"), std::string::npos) << html;
}

}  // namespace
}  // namespace attn::report
