#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reports/html/page.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

/// The text of some HTML, which must be well-formed.
std::string content_of(const std::string& html) {
  pugi::xml_document document;
  const auto flags = pugi::parse_default | pugi::parse_ws_pcdata;
  EXPECT_TRUE(document.load_string(fmt::format("<p>{}</p>", html).c_str(), flags)) << html;
  std::string text;
  for (const pugi::xpath_node& each : document.select_nodes("//text()")) {
    text += each.node().value();
  }
  return text;
}

/// A text as its letters and digits alone, with the names of letters and signs written out.
std::string letters_of(std::string text) {
  const std::pair<const char*, const char*> names[] = {
      {"α", "alpha"}, {"Δ", "Delta"}, {"δ", "delta"}, {"ε", "epsilon"}, {"μ", "mu"},
      {"ρ", "rho"},   {"σ", "sigma"}, {"τ", "tau"},   {"ξ", "xi"},      {"∞", "infinity"},
      {"∑", "sum"},   {"∈", "in"},    {"∉", "notin"}, {"√", "sqrt"},    {"ö", "oe"}};
  for (const auto& [sign, name] : names) {
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign)) {
      text.replace(at, std::string_view(sign).size(), name);
    }
  }
  std::erase_if(text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return text;
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

TEST(MathHtml, SetsFormulas) {
  const std::pair<const char*, const char*> formulas[] = {
      {"a_i^2", "<var>a</var><sub><var>i</var></sub><sup>2</sup>"},
      {"a_(2)", "<var>a</var><sub>(2)</sub>"},
      {"J_ij", "<var>J</var><sub><var>ij</var></sub>"},
      {"s2", "<var>s</var><sub>2</sub>"},
      {"10^-9", "10<sup>−9</sup>"},
      {"b^(p-1)", "<var>b</var><sup><var>p</var>−1</sup>"},
      {"F'_j", "<var>F</var>′<sub><var>j</var></sub>"},
      {"(1e-05, 0.5)", "(1e-05, 0.5)"},
      {"sum_{i not in I} xi_i",
       "∑<sub><var>i</var>\u202f∉\u202f<var>I</var></sub>\u202fξ<sub><var>i</var></sub>"},
      {"||x|| <= sqrt(u) - max_i v",
       "‖<var>x</var>‖\u00a0≤ √(<var>u</var>)\u00a0− "
       "max<sub><var>i</var></sub>\u202f<var>v</var>"}};
  for (const auto& [formula, html] : formulas) {
    EXPECT_EQ(math_html(fmt::format("${}$", formula)), html);
  }
}

TEST(MathHtml, SetsMarkedFormulasAlone) {
  EXPECT_EQ(math_html("a_i of a is a bound, 1/L"), "a_i of a is a bound, 1/L");
  EXPECT_EQ(math_html("for a $K$, given"), "for a <var>K</var>, given");
  EXPECT_EQ(math_html("$a$ and $b"), "<var>a</var> and $b");
  EXPECT_EQ(math_html("||x|| <= X, a -> b"), "‖x‖ ≤ X, a → b");
  EXPECT_EQ(math_html("the sum over <b> & more"), "the sum over &lt;b&gt; &amp; more");
}

TEST(MathHtml, KeepsWhatSpellsNoFormula) {
  for (const std::string& text : {std::string("a_{open"), std::string("x_"), std::string("x^(open"),
                                  std::string("x_)}"), std::string("é\"&<b>"), std::string(),
                                  std::string(100'000, '('), std::string(100'000, '_')}) {
    EXPECT_EQ(content_of(math_html("$" + text + "$")), text);
  }
  std::string deep;
  for (int i = 0; i < 30'000; ++i) deep += "_{";
  EXPECT_EQ(content_of(math_html("$" + deep + std::string(30'000, '}') + "$")).size(), 90'000U);
}

TEST(MathHtml, SetsEveryTextOfTheCatalogueAndLosesNothing) {
  for (const std::string& text : catalogue_texts()) {
    const std::string letters = letters_of(plain_text(text));
    EXPECT_EQ(letters_of(content_of(math_html(text))), letters);
    EXPECT_EQ(letters_of(content_of(statement_html(text))), letters);
    for (const Stretch& stretch : stretches(text)) {
      const std::string html = math_html(fmt::format("${}$", stretch.text));
      EXPECT_TRUE(!stretch.is_formula || html.find_first_of("_^") == std::string::npos) << html;
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
    const std::size_t line = html.find("<p class=\"formula-line\"");
    ASSERT_NE(line, std::string::npos) << claim.id;
    EXPECT_NE(html.substr(line, html.find("</p>", line) - line).find("≤"), std::string::npos)
        << claim.id;
  }
}

TEST(StatementHtml, SetsTheFormulaApartFromItsConditions) {
  EXPECT_EQ(statement_html("$m <= M$, where $a = 0$"),
            "<p class=\"formula-line\"><var>m</var>\u00a0≤ <var>M</var>,</p>\n"
            "<p>where <var>a</var>\u00a0= 0</p>\n");
  EXPECT_EQ(statement_html("for large $L$: $m$, $M$, 0 when $d$"),
            "<p>for large <var>L</var>:</p>\n<p class=\"formula-line\"><var>m</var>,</p>\n"
            "<p class=\"formula-line\"><var>M</var>,</p>\n<p>0 when <var>d</var></p>\n");
  EXPECT_EQ(statement_html("m <= M where a = 0"), "<p>m ≤ M where a = 0</p>\n");
}

}  // namespace
}  // namespace attn::report
