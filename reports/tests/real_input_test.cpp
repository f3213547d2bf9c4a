#include "reports/html/real_input.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <pugixml.hpp>
#include <string>

#include "reports/html/heads.hpp"
#include "reports/html/math.hpp"
#include "reports/html/page.hpp"
#include "reports/html/sections.hpp"
#include "reports/io/csv.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/statements.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/tests/text.hpp"
#include "reports/text/format.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

std::string section_of(const json& block) {
  Report report = sample_report();
  report.inputs = {measurements_from(block)};
  FigureFiles files;
  return real_input_section(report, files);
}

std::string sample_section() {
  return section_of(sample_measurements(2, 3));
}

Measurements sample() {
  return measurements_from(sample_measurements(2, 3));
}

/// A part of the section, without its files.
std::string html_of(std::string (*part)(const Measurements&, FigureFiles&),
                    const Measurements& measured) {
  FigureFiles files;
  return part(measured, files);
}

std::string panel_title(const std::string& title) {
  return fmt::format("<p class=\"panel-title\">{}</p>", math_html(title));
}

struct Part {
  const char* id;
  std::function<void(json&)> leave_out;
};

const Part kParts[] = {
    {"real-abstract", [](json& block) { block.erase("abstract"); }},
    {"real-distance",
     [](json& block) {
       block["figures"].erase("distance_by_length");
       block["figures"]["distance_by_n"] = json::array();
     }},
    {"real-critical-n", [](json& block) { block["figures"].erase("critical_n"); }},
    {"real-separability", [](json& block) { block["figures"]["separability"] = json::array(); }},
    {"real-gradient", [](json& block) { block["figures"].erase("gradient"); }},
    {"real-sink", [](json& block) { block["figures"]["sink"] = nullptr; }},
    {"real-normalizers", [](json& block) { block["figures"].erase("normalizers"); }},
    {"real-heads", [](json& block) {
       for (json& head : block["heads"]) {
         head = {{"layer", head["layer"]}, {"head", head["head"]}, {"claims", head["claims"]}};
       }
     }}};

TEST(RealInput, HasEveryPartWithALinkToIt) {
  const std::string section = sample_section();
  for (const Part& part : kParts) {
    const std::string id = part.id;
    EXPECT_EQ(occurrences(section, fmt::format("id=\"{}\"", id)), 1u) << id;
    EXPECT_GE(occurrences(section, fmt::format("href=\"#{}\"", id)), 1u) << id;
  }
}

TEST(RealInput, CountsFailuresWithoutHeads) {
  json block = sample_measurements(2, 3);
  block["heads"] = 6;
  const std::string section = section_of(block);
  EXPECT_TRUE(has(section, "corollary3</a> fails in 1 of 1 cases (100 %).</li>"));
  EXPECT_FALSE(has(section, "The numbers behind the maps"));
}

TEST(RealInput, LeavesOutWhatTheReportDoesNotHave) {
  for (const Part& part : kParts) {
    json block = sample_measurements(2, 3);
    part.leave_out(block);
    const std::string section = section_of(block);
    EXPECT_FALSE(has(section, part.id)) << part.id;
    EXPECT_FALSE(has(section, "nan")) << part.id;
  }
  const std::string bare = section_of({{"model", "tiny"}});
  EXPECT_EQ(occurrences(bare, "<h3"), 1u) << "the failures, which the records have";
  EXPECT_EQ(occurrences(bare, "<figure"), 0u);
  EXPECT_TRUE(has(bare, "tiny"));
}

/// Every field of every point dropped in turn; what is drawn then must still be a page.
TEST(RealInput, SurvivesPointsWithoutSomeField) {
  const json whole = sample_measurements(2, 3);
  for (const auto& [name, points] : whole["figures"].items()) {
    for (const auto& [field, value] : points[0].items()) {
      for (const bool everywhere : {false, true}) {
        json block = whole;
        for (json& point : block["figures"][name]) {
          point[field] = nullptr;
          if (!everywhere) break;
        }
        try {
          const std::string section = section_of(block);
          EXPECT_EQ(occurrences(section, "<figure>"), occurrences(section, "</figure>"));
          EXPECT_FALSE(has(section, "=\"nan")) << name << " " << field;
          EXPECT_FALSE(has(section, "=\"inf")) << name << " " << field;
        } catch (const std::exception& error) {
          // A point that says not where it stands is refused, in one line that names it.
          EXPECT_TRUE(has(error.what(), name)) << error.what();
          EXPECT_FALSE(value.is_object()) << name << " " << field << " " << error.what();
        }
      }
    }
  }
}

TEST(RealInput, SurvivesNumbersThatAreNotFinite) {
  for (const char* const word : {"nan", "inf", "-inf"}) {
    json block = sample_measurements(2, 3);
    for (json& points : block["figures"]) {
      for (json& point : points) {
        for (json& value : point) {
          if (value.is_object()) value["mean"] = value["q3"] = word;
        }
      }
    }
    for (json& head : block["heads"]) head["share"] = word;
    const std::string section = section_of(block);
    EXPECT_FALSE(has(section, fmt::format("=\"{}", word)));
    EXPECT_FALSE(has(section, fmt::format(",{}", word))) << "a coordinate";
  }
}

TEST(RealDistance, DrawsFiveCurvesInEachPanelAndGivesTheirNumbers) {
  const std::string html = html_of(real_distance, sample());
  EXPECT_EQ(occurrences(html, panel_title("all tokens, $N = 5$")), 1u);
  EXPECT_EQ(occurrences(html, panel_title("without the first token, $L = 1,024$")), 1u);
  // Two figures of two panels of five curves, and the samples of the legends.
  EXPECT_EQ(occurrences(html, "<polyline"), 20u);
  EXPECT_EQ(occurrences(html, " band\""), 20u);
  EXPECT_EQ(occurrences(html, "E, read in full</li>"), 2u) << "one legend a figure";
  EXPECT_EQ(occurrences(html, "<details>"), 2u);
  EXPECT_TRUE(has(html, "its sharp form is 1.02"));
}

TEST(RealCriticalN, SaysNoneAndComparesWithThePaper) {
  const std::string html = html_of(real_critical_n, sample());
  EXPECT_TRUE(has(html, "the paper has about 0.06 L, that is 61.4"));
  EXPECT_TRUE(has(html, "<td class=\"number\">40</td><td class=\"number\">0.039 L</td>"));
  EXPECT_TRUE(has(html, "<td class=\"number\">none</td><td class=\"number\">-</td>"));
  EXPECT_TRUE(
      has(html, math_html("With $E$ read in full there is no critical $N$ in 4 of 12 settings.")));
}

TEST(RealCriticalN, SaysWhyThereIsNone) {
  Measurements measured = sample();
  const std::optional<double> none;
  NormalizerPoint& point = measured.figures.normalizers.front();
  EXPECT_EQ(critical_n_words(measured, point, none), "none");
  measured.layers = 1;
  measured.heads_per_layer = kMostHeadsNeverApart;
  measured.figures.critical_n.clear();
  EXPECT_EQ(critical_n_words(measured, point, none), "none: too few heads");
  EXPECT_TRUE(has(html_of(real_critical_n, measured), "with four heads or fewer"));
  point.largest_weight.reset();
  EXPECT_EQ(critical_n_words(measured, point, none), "none: weights undefined");
}

TEST(RealCriticalN, IsATableWhereThereIsNoneAtAll) {
  Measurements measured = sample();
  for (CriticalPoint& point : measured.figures.critical_n) point.n = point.fraction = std::nullopt;
  const std::string html = html_of(real_critical_n, measured);
  EXPECT_FALSE(has(html, "<figure>"));
  EXPECT_TRUE(has(html, "<td class=\"number\">none</td>"));
}

TEST(RealSeparability, ShowsBoxesWithTheControlTheBoundsAndThePapersRange) {
  const std::string html = html_of(real_separability, sample());
  EXPECT_EQ(occurrences(html, "hue-1 box\""), 10u + 1) << "two panels of five, and the legend";
  EXPECT_EQ(occurrences(html, "hue-2 box\""), 10u + 1);
  EXPECT_EQ(occurrences(html, "class=\"region\""), 2u + 1);
  for (const char* const name : {"lower bound, as printed", "lower bound, sharp",
                                 "upper bound, repaired", "precision P", "recall R", "F score"}) {
    EXPECT_EQ(occurrences(html, fmt::format("{}</li>", name)), 1u) << name;
  }
  EXPECT_TRUE(has(html, math_html("0.69 at $N = 20$ (below), 0.658 at $N = 100$ (below)")));
}

TEST(RealGradient, DrawsNormsAndStepsWithBothBounds) {
  const std::string html = html_of(real_gradient, sample());
  for (const char* const name : {"printed bound, min{1/4, √2 T}", "1/2, the proved bound"}) {
    EXPECT_EQ(occurrences(html, fmt::format("{}</li>", name)), 1u);
  }
  EXPECT_TRUE(has(html, math_html("the largest $T ||J||$ is 0.4999, not above $1/2$.")));
  EXPECT_EQ(occurrences(html, panel_title("random signs, all tokens")), 1u);
  EXPECT_EQ(
      occurrences(html, panel_title("between the two largest logits, without the first token")),
      1u);
  EXPECT_TRUE(has(html, "and none the proved one"));
}

TEST(RealNormalizers, ShowsTheLongestLengthInTheOpen) {
  const std::string html = html_of(real_normalizers, sample());
  const std::size_t longest = html.find("At L = 1,024"), folded = html.find("<details>");
  ASSERT_NE(longest, std::string::npos);
  EXPECT_LT(longest, folded);
  EXPECT_EQ(occurrences(html, "<details>"), 5u);
  EXPECT_EQ(occurrences(html, "<th scope=\"row\">sigmoid attention</th>"), 12u);
  for (const char* const tokens : {"all tokens", "without the first token"}) {
    EXPECT_EQ(occurrences(html, fmt::format("{}: the mean over the heads", tokens)), 2u * 6u)
        << "a caption and the name of its frame";
  }
}

TEST(RealNormalizers, TakePointsThatDoNotSayForAllTokens) {
  json block = sample_measurements(2, 3);
  json points = json::array();
  for (json& point : block["figures"]["normalizers"]) {
    if (point["without_first"] == true) continue;
    point.erase("without_first");
    points.push_back(point);
  }
  block["figures"]["normalizers"] = points;
  const std::string html = html_of(real_normalizers, measurements_from(block));
  EXPECT_EQ(occurrences(html, "<th scope=\"row\">sigmoid attention</th>"), 6u);
  EXPECT_FALSE(has(html, "without the first token"));
}

TEST(RealHeads, HasAMapAndATableForEachFieldAndVariant) {
  const std::string html = html_of(real_heads, sample());
  EXPECT_EQ(occurrences(html, "<p class=\"panel-title\">"), 6u);
  EXPECT_EQ(occurrences(html, "<svg"), 11u) << "the first token's weight has one variant";
  EXPECT_EQ(occurrences(html, "<details>"), 6u);
  EXPECT_EQ(occurrences(html, "<table"), 11u);
  EXPECT_EQ(occurrences(html, "; all tokens</p>"), 6u);
  EXPECT_EQ(occurrences(html, "; without the first token</p>"), 5u);
  EXPECT_TRUE(has(html, "layer 1, head 2"));
  EXPECT_TRUE(has(html, "means over the rows, for N = 100."));
}

TEST(RealHeads, HaveOneMapWhereNothingIsKnownWithoutTheFirstToken) {
  Measurements measured = sample();
  for (HeadRecord& head : measured.heads) head.without_first.reset();
  const std::string html = html_of(real_heads, measured);
  EXPECT_EQ(occurrences(html, "<svg"), 6u);
  EXPECT_FALSE(has(html, "; without the first token</p>"));
  EXPECT_FALSE(has(head_details(measured, sample_report(), ""), "all but first"));
}

TEST(RealHeads, NameBothNWhereTheyDiffer) {
  Measurements measured = sample();
  for (HeadRecord& head : measured.heads) head.without_first->n = 20;
  const std::string words = "for N = 100, without the first token for N = 20.";
  EXPECT_TRUE(has(html_of(real_heads, measured), words));
  EXPECT_EQ(occurrences(head_details(measured, sample_report(), ""), words), 6u);
}

/// What a reader finds at the cell of a head: its numbers, beside those of the other heads.
TEST(HeadDetails, HaveEveryMeasureAndClaimOfTheHeadThatAMapLeadsTo) {
  const std::string section = sample_section();
  EXPECT_EQ(occurrences(section, "<section class=\"head-detail\""), 6u);
  const std::size_t start = section.find("id=\"head-1-2\"");
  ASSERT_NE(start, std::string::npos);
  const std::string detail = section.substr(start, section.find("</section>", start) - start);
  EXPECT_TRUE(has(detail, "<h4>Layer 1, head 2</h4>"));
  const std::vector<HeadRecord> heads = sample().heads;
  EXPECT_TRUE(has(
      detail, fmt::format("<td class=\"number\">{}</td>", short_number(*heads.back().sink_share))));
  EXPECT_TRUE(has(detail, " of\u00a06</td>"));
  for (const char* const id : {"corollary3", "theorem1.fixed", "theorem1.fixed.any_set"}) {
    EXPECT_TRUE(has(detail, fmt::format("<th scope=\"row\">{}</th>", id)));
  }
  // Six measures, five of them without the first token, two shares of failures and three claims
  // have a map; each leads to each head.
  EXPECT_EQ(occurrences(section, "<a href=\"#head-1-2\">"), 16u);
  const double rest = *heads.back().without_first->share;
  EXPECT_TRUE(has(detail, fmt::format("<th scope=\"row\">Nₛ/N</th><td>all but first</td>"
                                      "<td class=\"number\">{}</td>",
                                      short_number(rest))));
}

TEST(HeadDetails, RankFromTheLargestAndShareAPlace) {
  Measurements measured = sample();
  const double values[] = {0.3, 0.9, 0.3, 0.1, 0.2, 0.7};
  for (std::size_t i = 0; i < 6; ++i) measured.heads[i].share = values[i];
  const std::string html = head_details(measured, sample_report(), "");
  EXPECT_EQ(occurrences(html,
                        "<td class=\"number\">0.3</td><td class=\"number\">3 of\u00a06</td>"
                        "<td class=\"number\">0.3</td>"),
            2u);
  EXPECT_TRUE(has(html, "<td class=\"number\">0.1</td><td class=\"number\">6 of\u00a06</td>"));
}

/// Each figure of the page is there once more as a file, and each file is linked.
TEST(Page, LinksEachFigureToItsFiles) {
  const Page page = page_of(sample_report());
  EXPECT_GT(page.figures.size(), 2 * catalogue().size());
  for (const auto& [name, content] : page.figures) {
    EXPECT_EQ(occurrences(page.html, fmt::format("href=\"figures/{}\"", name)), 1u) << name;
    if (name.ends_with(".svg")) {
      EXPECT_TRUE(pugi::xml_document().load_string(content.c_str())) << name;
      EXPECT_FALSE(has(content, "<a ")) << name << " leads nowhere outside of the page";
      const std::string numbers = page.figures.at(name.substr(0, name.size() - 4) + ".csv");
      EXPECT_GE(occurrences(numbers, "\r\n"), 2u) << name << " has no numbers";
    }
  }
  EXPECT_EQ(occurrences(page.html, "href=\"figures/"), page.figures.size());
  EXPECT_GE(occurrences(page.html, ".svg\""), occurrences(page.html, "<figure>"));
}

TEST(Page, GivesTheNumbersOfFiguresAsTheReportHasThem) {
  const Report report = sample_report();
  const Page page = page_of(report);
  const json figures(to_json(report)["gpt2"]["figures"]);
  EXPECT_EQ(page.figures.at("distance-by-n.csv"), csv_text(figures.at("distance_by_n")));
  EXPECT_EQ(page.figures.at("steps.csv"), csv_text(unfolded(figures.at("gradient"), "step")));
  EXPECT_TRUE(has(page.figures.at("head-sink-share.csv"),
                  "without_first,layer,head,sink_share\r\nfalse,0,0,"));
  const std::string shares = page.figures.at("head-share.csv");
  EXPECT_EQ(occurrences(shares, "\r\nfalse,"), 6u);
  EXPECT_EQ(occurrences(shares, "\r\ntrue,"), 6u);
}

TEST(Page, NamesTheInputsThatWereChecked) {
  Report report = sample_report();
  EXPECT_TRUE(has(page_of(report).html, "Checked on synthetic input; tiny. "));
  report.provenance.effort = Effort::none;
  EXPECT_TRUE(has(page_of(report).html, "Checked on tiny. "));
}

TEST(RealFailures, CountsThemAndSaysHowToDecideTheWorstAgain) {
  const std::string section = sample_section();
  EXPECT_TRUE(has(section, "corollary3</a> fails in 1 of 1 cases (100 %), in 5 of 6 heads."));
  EXPECT_TRUE(has(section, "The worst case of <a class=\"id\" href=\"#corollary3\">"));
  EXPECT_TRUE(has(section, "select(.id == &quot;corollary3&quot; and .stage == &quot;gpt2&quot;)"));
  EXPECT_TRUE(has(section, "claims eval worst.json"));
}

/// What `before` stands before in the text, each as often as it does.
std::vector<std::string> values_of(const std::string& text, const std::string& before) {
  std::vector<std::string> values;
  for (std::size_t at = text.find(before); at != std::string::npos;
       at = text.find(before, at + 1)) {
    const std::size_t first = at + before.size();
    values.push_back(text.substr(first, text.find('"', first) - first));
  }
  return values;
}

TEST(RealInput, NamesTheClaimsThatItHasNotEnoughFor) {
  Report report = sample_report();
  report.inputs.front().not_covered = {{"corollary1.lower", "queries and keys"},
                                       {"theorem1.fixed", "values"},
                                       {"theorem1.fixed.any_set", "values"}};
  const std::string page = page_of(report).html;
  EXPECT_TRUE(has(page, "Not covered by this input, which has no queries and keys: <a"));
  EXPECT_TRUE(has(page, "Not covered by this input, which has no values: <a"));
  EXPECT_EQ(occurrences(page, "Not covered by this input"), 2u);
}

TEST(RealInput, SeveralStandOnOnePage) {
  Report report = sample_report();
  const Measurements first = report.inputs.front();
  report.inputs.front().input = "first";
  report.inputs.push_back(first);
  report.inputs.back().input = "second";
  const std::size_t claims = report.claims.size();
  for (std::size_t i = 0; i < claims; ++i) {
    if (report.claims[i].stage == Stage::synthetic) continue;
    report.claims[i].input = "first";
    report.claims.push_back(report.claims[i]);
    report.claims.back().input = "second";
  }
  const Page page = page_of(report);
  std::vector<std::string> ids = values_of(page.html, " id=\"");
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  for (const std::string& target : values_of(page.html, "href=\"#")) {
    EXPECT_TRUE(std::ranges::binary_search(ids, target)) << target;
  }
  for (const char* const part : {"real", "real-distance", "real-failures", "head-0-0"}) {
    EXPECT_TRUE(std::ranges::binary_search(ids, part)) << part;
    EXPECT_TRUE(std::ranges::binary_search(ids, std::string("input-2-") + part)) << part;
  }
  EXPECT_EQ(page.figures.at("first-token.csv"), page.figures.at("input-2-first-token.csv"));
  EXPECT_TRUE(has(page.html, "<h2>Real attention: second</h2>"));
}

TEST(RealAbstract, StandsInTheOverviewAndInItsSection) {
  const std::string page = page_of(sample_report()).html;
  EXPECT_EQ(occurrences(page, "What the abstract says, measured"), 2u);
  EXPECT_TRUE(has(page, "<a href=\"#abstract-critical_fraction\">"));
  EXPECT_TRUE(has(page, "id=\"abstract-critical_fraction\""));
  EXPECT_TRUE(has(page, "<th scope=\"col\">length</th><th scope=\"col\" class=\"number\"><math>"));
  EXPECT_TRUE(has(page, "Estimate 0.039, 95 % interval 0.031 to 0.052, 144 samples."));
  EXPECT_EQ(occurrences(page, "<strong class=\"agrees-no\">Does not agree.</strong>"), 2u);
  EXPECT_LT(page.find("What the abstract says"), page.find("id=\"tightness\""));
}

}  // namespace
}  // namespace attn::report
