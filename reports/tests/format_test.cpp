#include "reports/text/format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "reports/text/escape.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {
namespace {

TEST(ShortNumber, CarriesThreeDigits) {
  EXPECT_EQ(short_number(0.0123456), "0.0123");
  EXPECT_EQ(short_number(12), "12");
  EXPECT_EQ(short_number(999.96), "1,000");
  EXPECT_EQ(short_number(1634.1), "1,630");
  EXPECT_EQ(short_number(-123456), "-123,000");
  EXPECT_EQ(short_number(243000000), "2.4e8");
  EXPECT_EQ(short_number(-99.6e6), "-1e8");
  EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(short_number(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(CountText, GroupsWholeNumbers) {
  EXPECT_EQ(count_text(1024), "1,024");
  EXPECT_EQ(count_text(0.5), "0.5");
  EXPECT_EQ(count_text(1e300), "1e300");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(RatioText, IsNeverRoundedAcrossOne) {
  EXPECT_EQ(ratio_text(1.0), "1");
  EXPECT_EQ(ratio_text(0.81254), "0.8125");
  EXPECT_EQ(ratio_text(1.0 - 3e-8), "1 - 3e-08");
  EXPECT_EQ(ratio_text(1.0 + 2e-5), "1 + 2e-05");
  EXPECT_EQ(ratio_text(std::nextafter(1.0, 0.0)), "just below 1");
  EXPECT_EQ(ratio_text(std::nextafter(1.0, 2.0)), "just above 1");
  EXPECT_EQ(ratio_text(2.0), "2");
  EXPECT_EQ(ratio_text(std::numeric_limits<double>::max()), "over 1e308");
  EXPECT_EQ(ratio_text(std::numeric_limits<double>::infinity()), "infinite");
}

TEST(Shortened, KeepsSixDigitsAndFarExponents) {
  EXPECT_EQ(six_digits("0.98184123456789012345"), "0.981841");
  EXPECT_EQ(six_digits("-0.98"), "-0.98");
  EXPECT_EQ(six_digits("0"), "0");
  EXPECT_EQ(six_digits("0.0"), "0");
  EXPECT_EQ(six_digits("1.23456789e-400"), "1.23457e-400");
  EXPECT_EQ(six_digits("1.23456789e+400"), "1.23457e+400");
}

TEST(Percent, IsZeroOrAHundredOnlyWhereItIsAndHasFourDigitsOfAShare) {
  EXPECT_EQ(percent(0, 1000), "0 %");
  EXPECT_EQ(percent(1, 100000), "< 0.1 %");
  EXPECT_EQ(percent(25, 1000), "2.5 %");
  EXPECT_EQ(percent(99999, 100000), "> 99.9 %");
  EXPECT_EQ(percent(1000, 1000), "100 %");
  EXPECT_EQ(percent(0, 0), "-");
  EXPECT_EQ(percent(0.0), "0 %");
  EXPECT_EQ(percent(0.002113), "0.211 %");
  EXPECT_EQ(percent(0.05), "5 %");
  EXPECT_EQ(percent(0.9994), "99.9 %");
  EXPECT_EQ(percent(0.9996), "> 99.9 %");
  EXPECT_EQ(percent(1.0), "100 %");
}

TEST(Duration, SpeaksOfMinutesPastOne) {
  EXPECT_EQ(duration(0.25), "0.25 s");
  EXPECT_EQ(duration(42), "42 s");
  EXPECT_EQ(duration(185.2), "3 min 5 s");
  EXPECT_EQ(duration(std::numeric_limits<double>::infinity()), "inf s");
}

TEST(EscapeHtml, LeavesNoMarkup) {
  EXPECT_EQ(escape_html("<script>alert(\"x\" & 'y')</script> \xCE\xBE"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt; \xCE\xBE");
  EXPECT_EQ(escape_html(std::string("a\0z\xFF", 4)), "a\xEF\xBF\xBDz\xEF\xBF\xBD");
}

TEST(EscapeMarkdown, KeepsATableRowOneRow) {
  EXPECT_EQ(escape_markdown("a|b\nc*d`<i>"), "a\\|b c\\*d\\`&lt;i&gt;");
}

TEST(XmlText, HoldsWhatXmlAllows) {
  EXPECT_EQ(xml_text("a <b> \xF0\x9F\x99\x82\n\t"), "a <b> \xF0\x9F\x99\x82\n\t");
  for (const char* const text :
       {"a\x01z", "a\x1Bz", "a\rz", "a\x7Fz", "a\xFFz", "a\xEF\xBF\xBEz", "a\xEF\xBF\xBFz",
        "a\xE2\x80\xAEz", "a\xE2\x81\xA6z", "a\xC2\x9Bz"}) {
    EXPECT_EQ(xml_text(text), "a\xEF\xBF\xBDz");
  }
}

TEST(WitnessLine, CanBeCheckedByHand) {
  CaseRecord record;
  record.input = nlohmann::json::parse(
      R"({"set": [0], "weights": ["1/100", "99/100"], "embeddings": [["1", "0"], ["1", "0"]]})");
  record.lhs = "0.98";
  record.rhs = "-0.98";
  EXPECT_EQ(witness_line(record),
            "$a = (1/100, 99/100)$, $x = ((1, 0), (1, 0))$, $I = {1}$: left side $0.98$, right "
            "side $-0.98$");
}

TEST(WitnessLine, CutsOnlyRowsWithAnEntryAToken) {
  CaseRecord record;
  record.input = nlohmann::json::parse(R"({"query": [0, 0, 0, 0, 0, 0, 0], "keys": [[1], [0]],
                                           "weights": [1, 0, 0, 0, 0, 0, 0]})");
  EXPECT_THAT(witness_line(record),
              testing::StartsWith("$q$ = ($0$, $0$, $0$, $0$, $0$, $0$, $0$), $k = ((1), (0))$, $L "
                                  "= 7$, $a = (1, 0, ..., 0)$"));
}

TEST(WitnessLine, DescribesALongCaseByItsSize) {
  CaseRecord record;
  nlohmann::json logits;
  for (int i = 0; i < 100; ++i) logits.push_back("0." + std::to_string(i));
  record.input = nlohmann::json{{"logits", logits}};
  record.lhs = "1";
  record.rhs = "0.5";
  EXPECT_EQ(witness_line(record), "a case of 100 tokens: left side $1$, right side $0.5$");
}

}  // namespace
}  // namespace attn::report
