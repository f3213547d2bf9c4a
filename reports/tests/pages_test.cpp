#include "reports/pages/pages.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "reports/html/page.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/render.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/tests/text.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

using Files = std::map<std::string, std::string>;

const Files& sample_pages() {
  static const Files files = pages_of(sample_report());
  return files;
}

std::string page_of_claim(const Report& report, const std::string& id) {
  return pages_of(report).at(Names(report).claim(id));
}

/// What stands between `before` and the next quotation mark, each as often as it does.
std::vector<std::string> values_of(const std::string& text, const std::string& before) {
  std::vector<std::string> values;
  for (std::size_t at = text.find(before); at != std::string::npos;
       at = text.find(before, at + 1)) {
    const std::size_t first = at + before.size();
    values.push_back(text.substr(first, text.find('"', first) - first));
  }
  return values;
}

void expect_unique(std::vector<std::string> values, const std::string& what) {
  std::ranges::sort(values);
  EXPECT_EQ(std::ranges::adjacent_find(values), values.end()) << what;
}

/// Histograms of two drawings each, "x" and "x-2", which share no file with "x-2" of another claim.
TEST(Figures, OfClaimsWithNamesAlikeAreFilesOfTheirOwn) {
  Report report;
  for (const char* const id : {"x", "x-2", "X", "x-2-2", "x.2"}) {
    for (const Stage stage : {Stage::synthetic, Stage::gpt2}) {
      report.claims.push_back(plain_record(id, stage, 10));
      report.claims.back().ratio_histogram.assign(kRatioBins, 0);
      report.claims.back().ratio_histogram[3] = 10;
    }
  }
  const Files files = pages_of(report);
  std::vector<std::string> drawings;
  for (const auto& [name, content] : files) {
    if (!name.starts_with("figures/ratios-") || !name.ends_with(".svg")) continue;
    drawings.push_back(boost::algorithm::to_lower_copy(name));
  }
  EXPECT_EQ(drawings.size(), 10U);
  expect_unique(drawings, "drawings, also where capitals do not count");
  EXPECT_TRUE(files.contains("figures/ratios-x-2.svg"));
  EXPECT_TRUE(files.contains("figures/ratios-x--2.svg"));
}

TEST(Document, OfPartsThatDoNotFitIsALogicError) {
  const auto page = [](std::vector<std::vector<Text>> rows) {
    Document document{.path = "page.html", .title = "a page"};
    document.blocks.push_back(
        Table{.caption = "a table", .columns = {"a", "b"}, .rows = std::move(rows)});
    return page_of(document);
  };
  EXPECT_TRUE(has(page({{"1", "2"}}), "<td"));
  EXPECT_THROW(page({{"1", "2"}, {"3"}}), std::logic_error);
  EXPECT_THROW(page({{"1", "2", "3"}}), std::logic_error);
  Files files;
  Figure figure{.name = "one"};
  figure.rows.push_back({{"a", 1}});
  add_figure_files({figure}, files);
  EXPECT_EQ(files.size(), 1U);
  EXPECT_THROW(add_figure_files({figure}, files), std::logic_error);
  figure.name = "two";
  EXPECT_NO_THROW(add_figure_files({figure}, files));
}

/// A value that is a bound does not exceed it; one that is not a number keeps no bound of ours.
TEST(Figures, OfStepsCountTheValuesAboveTheBounds) {
  const auto caption = [](const std::vector<std::optional<double>>& values) {
    GradientPoint point{.temperature = 1};
    for (const std::optional<double>& value : values) {
      point.steps.push_back({.epsilon = 0.1,
                             .direction = Direction::top,
                             .largest = value,
                             .printed_bound = 1,
                             .true_bound = 2});
    }
    Measurements measured;
    measured.figures.gradient = {point, point};
    measured.figures.gradient.back().temperature = 2;
    return plain_text(step_figure(measured, "steps").value().caption);
  };
  const auto above = [](double x) { return std::nextafter(x, 9.0); };
  EXPECT_THAT(caption({0.5, 1, above(1), 2}),
              testing::EndsWith(" Of 8 such values 4 exceed the paper's bound and none ours."));
  EXPECT_THAT(caption({1, above(2), {}}),
              testing::EndsWith(" Of 4 such values 2 exceed the paper's bound and 2 ours."));
  EXPECT_THAT(caption({1, std::nan(""), 2}),
              testing::EndsWith(" Of 6 such values 2 exceed the paper's bound and 2 ours."));
}

/// Whether every element that is opened is closed, in order: after its head a page is XML, but for
/// an attribute without a value.
void expect_balanced(const std::string& html) {
  std::string body = html.substr(html.find("<body"));
  body.erase(body.find("</html>"));
  boost::algorithm::replace_all(body, "<details open>", "<details>");
  const pugi::xml_parse_result parsed = pugi::xml_document().load_string(body.c_str());
  EXPECT_TRUE(parsed) << parsed.description() << " at byte " << parsed.offset;
}

/// Each page stands alone, and each of its links leads to something.
void expect_sound(const Files& files) {
  for (const auto& [name, content] : files) {
    if (!name.ends_with(".html")) continue;
    SCOPED_TRACE(name);
    expect_balanced(content);
    for (const char* const fetched : {"<img", "url(", "@import", " src=", "<script", "onload="}) {
      EXPECT_FALSE(has(content, fetched)) << fetched;
    }
    EXPECT_TRUE(has(content, "content=\"default-src 'none'; img-src data:; "));
    EXPECT_EQ(occurrences(content, "<h1>"), 1U);
    EXPECT_EQ(occurrences(content, "<main>"), 1U);
    expect_unique(values_of(content, " id=\""), "ids");
    expect_unique(values_of(content, "role=\"region\" aria-label=\"Table"), "regions");
    for (std::string target : values_of(content, "<a href=\"")) {
      if (target.starts_with("https:")) continue;
      if (target.starts_with("../")) target = target.substr(3);
      const std::size_t hash = target.find('#');
      const std::string file = hash == 0 ? name : target.substr(0, hash);
      ASSERT_TRUE(files.contains(file) || file == "report.json") << target;
      if (hash == std::string::npos) continue;
      EXPECT_TRUE(has(files.at(file), fmt::format(" id=\"{}\"", target.substr(hash + 1))))
          << target;
    }
  }
}

TEST(Pages, StandAloneAndLeadToEachOther) {
  const Files& files = sample_pages();
  expect_sound(files);
  EXPECT_GT(files.size(), 3 * catalogue().size());
  std::string all;
  for (const auto& [name, content] : files) {
    if (name.ends_with(".html")) all += content;
  }
  for (const auto& [name, content] : files) {
    EXPECT_TRUE(name == "index.html" || has(all, fmt::format("{}\"", name))) << name << " is lost";
    if (name.ends_with(".svg")) {
      EXPECT_TRUE(pugi::xml_document().load_string(content.c_str())) << name;
    }
    if (name.ends_with(".csv")) {
      EXPECT_GE(occurrences(content, "\r\n"), 2U) << name << " has no numbers";
    }
  }
}

TEST(Pages, KeepTheOverviewSmall) {
  const std::string& index = sample_pages().at("index.html");
  EXPECT_LT(index.size(), 400U * 1024);
  EXPECT_LT(occurrences(index, "<") - occurrences(index, "</"), 6000U);
  EXPECT_LT(index.find("What is not claimed"), index.find("How to check it again"));
}

TEST(Pages, HaveTheExactCaseAndTheStatementOfEveryClaim) {
  std::vector<std::string_view> without_case;
  for (const Claim& claim : catalogue()) {
    const std::string& page = sample_pages().at(fmt::format("claims/{}.html", claim.id));
    EXPECT_TRUE(has(page, "<p class=\"formula-line\"")) << claim.id;
    EXPECT_TRUE(has(page, claim.status == Status::proved ? ">Proof</h2>" : ">Counterexample</h2>"));
    if (!has(page, fmt::format("[{{&quot;claim&quot;:&quot;{}&quot;", claim.id))) {
      without_case.push_back(claim.id);
    }
  }
  // With equal logits both sides are 0, and no case has the largest ratio.
  EXPECT_THAT(without_case, testing::ElementsAre("lemma1.uniform.repaired", "lemma1.entropy"));
}

/// A report of one searched claim with every kind of check, one of each wrong.
Report guarded_report() {
  return {.claims = {full_record()}};
}

TEST(Pages, SayWhatWasSampledAndWhatLayOutside) {
  const Files files = pages_of(guarded_report());
  expect_sound(files);
  const std::string& page = files.at("claims/claim.html");
  EXPECT_TRUE(has(page, "in 4 of 15 cases the expectation is enclosed by a confidence "));
  EXPECT_TRUE(has(page, "Hypotheses not met (Search): order (1 case); sum (2 cases)."));
  EXPECT_TRUE(has(page, "<details open><summary>Mutants (Search): 1 of 2 caught"));
  EXPECT_TRUE(has(page, "<details open><summary>Input classes: 1 of 2 not covered"));
  EXPECT_TRUE(has(files.at("index.html"), "<strong>Sampled</strong> expectations"));
  EXPECT_TRUE(has(files.at("index.html"), ">What went wrong</h2>"));
}

TEST(Pages, NameNoCommandOfOursForAnothersClaims) {
  Report report = guarded_report();
  report.catalogue = {.name = "mine", .eval = "mine eval", .claims = {}};
  report.claims.front().paper = "Lemma 1";
  for (const auto& [name, content] : pages_of(report)) {
    EXPECT_FALSE(has(content, "claims eval")) << name;
    EXPECT_FALSE(has(content, "./verify")) << name;
    EXPECT_FALSE(has(content, "every weight lies between")) << "our paper's Lemma 1";
  }
  EXPECT_TRUE(has(page_of_claim(report, "claim"), "mine eval - &lt;&lt;&#39;EOF&#39;"));
}

TEST(Pages, LeaveAnOversizedCaseToTheReport) {
  Report report = sample_report();
  ClaimRecord& record = report.claims.front();
  ASSERT_TRUE(record.worst);
  record.worst->input = nlohmann::json{{"logits", std::vector<std::string>(5000, "0.123456")}};
  const std::string page = page_of_claim(report, record.id);
  EXPECT_TRUE(has(page, "The exact case is long: <code>report case report."));
  EXPECT_TRUE(has(page, "claims eval -</code> decides the cases of this claim again."));
  EXPECT_FALSE(has(page, "0.123456"));
}

TEST(Pages, AreOfEveryInput) {
  Report report = sample_report();
  const Measurements first = report.inputs.front();
  report.inputs.front().input = "Run (of a model)";
  report.inputs = {report.inputs.front(), first, first};
  report.inputs[1].input = "gpt2, run.safetensors";
  report.inputs[2].input = "../../etc/passwd";
  EXPECT_EQ(longest_input(report), 0U);
  report.inputs[2].figures.distance_by_length.back().length = 4096;
  EXPECT_EQ(longest_input(report), 2U);
  const std::size_t claims = report.claims.size();
  for (std::size_t i = 0; i < claims; ++i) {
    if (report.claims[i].stage == Stage::synthetic) continue;
    report.claims[i].input = report.inputs.front().input;
    report.claims.push_back(report.claims[i]);
    report.claims.back().input = report.inputs[1].input;
  }
  complete(report);
  const Files files = pages_of(report);
  expect_sound(files);
  for (const char* const name : {"Run", "run-2", "etc-passwd"}) {
    EXPECT_TRUE(files.contains(fmt::format("inputs/{}.html", name))) << name;
    EXPECT_TRUE(files.contains(fmt::format("figures/{}-first-token.csv", name))) << name;
  }
}

/// The page of the sample's first input, changed.
std::string input_page_after(const std::function<void(Measurements&)>& change,
                             Files* files = nullptr) {
  Report report = sample_report();
  change(report.inputs.front());
  const Files pages = pages_of(report);
  if (files != nullptr) *files = pages;
  return pages.at(Names(report).input_page(0));
}

/// Layers that are not alike are listed, and the sizes are ranges.
TEST(Pages, ListLayersThatAreNotAlike) {
  Files files;
  const std::string page = input_page_after(
      [](Measurements& measured) {
        measured.layers = 2;
        measured.heads_per_layer = measured.positions = {};
        measured.layer_sizes = {{.layer = 0,
                                 .in_place_of_queries = {},
                                 .heads = 12,
                                 .key_heads = 3,
                                 .queries = 20,
                                 .keys = 20,
                                 .width = 24,
                                 .value_width = 16,
                                 .learned_sink = false},
                                {.layer = 7,
                                 .in_place_of_queries = Stead::scores,
                                 .heads = 16,
                                 .key_heads = 4,
                                 .queries = 20,
                                 .keys = 32,
                                 .width = {},
                                 .value_width = {},
                                 .learned_sink = true}};
      },
      &files);
  expect_balanced(page);
  EXPECT_TRUE(has(page, "What each layer has."));
  EXPECT_TRUE(has(page, "Queries and keys, scores or weights, whichever a layer has"));
  EXPECT_FALSE(has(page, "layer_sizes"));
  EXPECT_TRUE(
      has(files.at("index.html"), "2 layers, 12 to 16 heads each, 20 queries and 20 to 32 keys"));
  const auto csv = std::ranges::find_if(
      files, [](const auto& file) { return file.first.ends_with("-layers.csv"); });
  ASSERT_NE(csv, files.end());
  EXPECT_TRUE(has(csv->second, "scores"));
}

/// A learned sink has its name wherever the first token is spoken of.
TEST(Pages, NameALearnedSink) {
  const std::string plain = input_page_after([](const Measurements&) {});
  EXPECT_TRUE(has(plain, "without the first token"));
  EXPECT_TRUE(has(plain, "Weight of the first token"));
  EXPECT_FALSE(has(plain, "learned sink"));
  const std::string page =
      input_page_after([](Measurements& measured) { measured.learned_sink = true; });
  EXPECT_TRUE(has(page, "without the learned sink"));
  EXPECT_TRUE(has(page, "Weight of the learned sink"));
  EXPECT_TRUE(has(page, "How much the learned sink takes"));
  EXPECT_TRUE(has(page, "a learned sink)"));
  EXPECT_FALSE(has(page, "without the first token"));
  EXPECT_FALSE(has(page, "nothing can be read from the first token"));
}

TEST(Pages, TellQueriesFromKeys) {
  Report report = sample_report();
  report.inputs.front().layers = 3;
  report.inputs.front().positions = 4;
  report.inputs.front().keys = 7;
  EXPECT_TRUE(has(pages_of(report).at("index.html"), "4 queries and 7 keys"));
}

TEST(Pages, NameTheClaimsThatAnInputHasNotEnoughFor) {
  Report report = sample_report();
  report.inputs.front().not_covered = {{"corollary1.lower", "queries and keys"},
                                       {"theorem1.fixed", "values"},
                                       {"not.here", "values"}};
  const std::string page = pages_of(report).at("inputs/tiny.html");
  EXPECT_TRUE(has(page, "which has no queries and keys: <a href=\"../claims/corollary1.lower"));
  EXPECT_TRUE(has(page, "which has no values: <code>not.here</code>, <a"));
}

/// Each sentence has its verdict, number, interval and what would bear it out.
TEST(Pages, SayWhichSentencesAreBorneOut) {
  Report report = sample_report();
  const Files files = pages_of(report);
  const std::string& page = files.at("inputs/tiny.html");
  const std::size_t begin = page.find("id=\"abstract\"");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_LT(begin, page.find("id=\"distance\"")) << "first";
  for (const char* const words :
       {"borne out</strong>. <strong>0.98 (0.96 to 1.01)</strong> power of", "a power between 0.5",
        "not borne out</strong>. <strong>10 % (9 % to 11 %)</strong>",
        "not settled</strong>. <strong>71 % (69 % to 72 %)</strong>",
        "not measurable here</strong>: no temperature is low.", "4 of 128 tokens",
        "none is proved"}) {
    EXPECT_TRUE(has(page, words)) << words << page.substr(begin, 3000);
  }
  EXPECT_FALSE(has(page, "paper&#39;s own model"));
  EXPECT_TRUE(has(page, "Over the 3 key heads: 0.92 to 1.51, which leads to another verdict."));
  report.inputs.front().abstract.front().judged = true;
  EXPECT_TRUE(has(pages_of(report).at("inputs/tiny.html"), "paper&#39;s own model"));
  EXPECT_TRUE(has(markdown(report), "0.98 (0.96 to 1.01)"));
}

/// One row an input, and inputs of one model are drawn together against their lengths.
TEST(Pages, PutModelsSideBySide) {
  Report report = sample_report();
  EXPECT_FALSE(has(pages_of(report).at("index.html"), "One model at several lengths"));
  Measurements longer = report.inputs.front();
  longer.input = "longer";
  longer.figures.distance_by_length.back().length = 2048;
  for (HeadRecord& head : longer.heads) *head.distance_at_five *= 4;
  report.inputs.front().model = longer.model = "the model";
  report.inputs.push_back(longer);
  const Files files = pages_of(report);
  expect_sound(files);
  const std::string& index = files.at("index.html");
  EXPECT_TRUE(has(index, "One model at several lengths"));
  EXPECT_TRUE(has(index, "to the power 2 (mean over the heads, 95 % interval 2 to 2)"));
  EXPECT_EQ(occurrences(files.at("figures/lengths.csv"), "\r\n"), 1U + 2U);
  EXPECT_EQ(occurrences(index, "0.98 (0.96 to 1.01)"), 2U) << "two rows";
}

/// What a caption says of a course is what the numbers say.
TEST(Pages, CaptionsFollowTheNumbers) {
  EXPECT_TRUE(has(input_page_after([](const Measurements&) {}),
                  "to a power, 0.98 in the mean over the heads (0.96 to 1.01)"));
  const std::string one_length = input_page_after([](Measurements& measured) {
    measured.abstract.clear();
    std::erase_if(measured.figures.distance_by_length,
                  [](const DistancePoint& point) { return point.length < 1024; });
  });
  EXPECT_TRUE(has(one_length, "There is one length here"));
  const auto with_shares = [](const std::vector<double>& means) {
    return input_page_after([&](Measurements& measured) {
      std::size_t i = 0;
      for (SeparabilityPoint& point : measured.figures.separability) {
        if (!point.without_first) point.share->mean = means.at(i++);
      }
    });
  };
  EXPECT_TRUE(has(with_shares({1, 0.9, 0.8, 0.7, 0.6}),
                  "it falls at every step, and is above that of random sets at 4 of the 4"));
  EXPECT_TRUE(has(with_shares({1, 0.9, 0.95, 0.01, 0.02}),
                  "it falls in 2 of 4 steps, and is above that of random sets at 2 of the 4"));
}

/// Whatever the number of heads: the maps of claims are on a page of their own.
TEST(Pages, OfAnInputStaySmall) {
  for (const auto& [layers, heads] :
       {std::pair(12U, 12U), std::pair(30U, 9U), std::pair(32U, 32U)}) {
    Report report = sample_report();
    Measurements& measured = report.inputs.front();
    const std::string input = measured.input, model = measured.model;
    measured = measurements_from(sample_measurements(layers, heads));
    measured.input = input;
    measured.model = model;
    for (HeadRecord& head : measured.heads) {
      const HeadClaim claim = head.claims.at("theorem1.fixed");
      for (const CatalogueClaim& each : catalogue_of(report).claims) head.claims[each.id] = claim;
    }
    const Files files = pages_of(report);
    EXPECT_LT(files.at("inputs/tiny.html").size(), 400U * 1024) << layers;
    EXPECT_TRUE(has(files.at("inputs/tiny.html"), "tiny.heads.html"));
    const std::string& page = files.at("inputs/tiny.heads.html");
    expect_balanced(page);
    EXPECT_TRUE(has(page, "full colour at 1"));
  }
}

/// The number of cells of each strength: 0.2 to 0.8 of the red by the logarithm of the ratio, all
/// of it where the ratio is infinite.
TEST(Pages, AreTheRedderTheLargerARatioIsAboveOne) {
  Report report = sample_report();
  report.inputs.front().heads.front().claims.at("corollary3").max_ratio =
      std::numeric_limits<double>::infinity();
  const std::string page = pages_of(report).at("inputs/tiny.heads.html");
  const std::size_t begin = page.find(">corollary3: ", page.find("id=\"ratios\""));
  const std::string map = page.substr(begin, page.find("</svg>", begin) - begin);
  EXPECT_TRUE(has(map, "to infinite, full colour at 1, red up to 1.892</p>")) << map;
  EXPECT_EQ(occurrences(map, "class=\"heat over\""), 4U) << map;
  for (const char* const shade : {"z\"", "fill-opacity=\"0.8\"", "fill-opacity=\"0.3\""}) {
    EXPECT_EQ(occurrences(map, fmt::format("{} class=\"heat over\"", shade)), 1U) << shade << map;
  }
}

/// What the figures show stands beside the sentences of the paper that speak of measurements, and
/// nothing where it was not measured.
TEST(Pages, HaveNumbersBesideSentencesOnMeasurements) {
  Report report = sample_report();
  Measurements& measured = report.inputs.front();
  const std::string index = pages_of(report).at("index.html");
  const std::vector<std::string> numbers = {plateau_numbers(measured), critical_numbers(measured),
                                            drop_numbers(measured)};
  EXPECT_THAT(numbers[0], testing::StartsWith("at $L = 1,024$, $D$ is 239 at $N = 1$"));
  EXPECT_THAT(numbers[1], testing::HasSubstr("102 (9.96 % of $L$) at the level 0.01"));
  EXPECT_THAT(
      numbers[2],
      testing::EndsWith(
          "factor of 960 at $epsilon = 0.001$, 28.3 at $epsilon = 0.1$, 1 at $epsilon = 10$"));
  for (const std::string& each : numbers) {
    EXPECT_TRUE(has(index, ">tiny</a>: " + math_html(each) + "</td>")) << each;
  }
  measured.figures.distance_by_n.resize(1);
  measured.figures.critical_n.clear();
  std::erase_if(measured.figures.gradient,
                [](const GradientPoint& point) { return point.temperature == 1; });
  EXPECT_EQ(plateau_numbers(measured) + critical_numbers(measured) + drop_numbers(measured), "");
  EXPECT_FALSE(has(pages_of(report).at("index.html"), ". On <a"));
}

/// Shares are of the cases that meet the hypotheses, the ways of selecting stand apart, and what
/// was violated nowhere has no row.
TEST(Pages, SayHowOftenFalseClaimsFailWhereTheyApply) {
  Report report = sample_report();
  ClaimRecord& failing = record_in(report, "theorem1.fixed.any_set", Stage::gpt2);
  failing.cases = 1000;
  failing.assumption_not_met = 600;
  failing.violated = 130;
  failing.holds = 270;
  failing.equal = failing.undecided = 0;
  failing.sets = {{"N largest weights", {500, 0, 300}}, {"random set", {500, 130, 300}}};
  failing.max_ratio = std::numeric_limits<double>::infinity();
  ClaimRecord& nowhere = record_in(report, "corollary3", Stage::gpt2);
  nowhere.cases = nowhere.holds = 10;
  nowhere.violated = nowhere.equal = nowhere.assumption_not_met = 0;
  report.inputs.front().rows = 100;
  const Files files = pages_of(report);
  expect_sound(files);
  const std::string& page = files.at("inputs/tiny.html");
  const auto cells = [](const std::vector<std::string>& numbers) {
    std::string row;
    for (const std::string& number : numbers) {
      row += fmt::format("<td class=\"number\">{}</td>", number);
    }
    return row;
  };
  EXPECT_TRUE(has(page, cells({"65 %", "130", "200", "300"})));
  EXPECT_TRUE(has(page, cells({"0 %", "0", "200", "300"})));
  EXPECT_TRUE(has(page, "<td>row, random set</td>"));
  EXPECT_TRUE(has(page, "<td>row, N largest weights</td>"));
  EXPECT_TRUE(has(page, "infinite"));
  const std::size_t list = page.find("not violated in the cases of this input that were tried");
  ASSERT_NE(list, std::string::npos);
  EXPECT_NE(page.find("corollary3</a> (10)", list), std::string::npos);
  EXPECT_TRUE(has(page, "up to 64")) << "10 cases are of few rows";
  EXPECT_TRUE(has(files.at("figures/tiny-claims-by-head.csv"), "share_violated"));
}

TEST(Pages, NameTheHeadsOnWhichAClaimFailedOrStayedOpen) {
  Report report = sample_report();
  const auto page = [&] { return pages_of(report).at("inputs/tiny.html"); };
  EXPECT_FALSE(has(page(), "stayed open"));
  report.inputs.front().heads.at(4).claims["theorem1.fixed"].violated = 2;
  ClaimRecord& open = record_in(report, "lemma2", Stage::gpt2);
  open.cases += 1;
  open.undecided = 1;
  open.first_undecided = CaseRecord{.where = "window 2, layer 0, head 2, row 17"};
  rejudge(open);
  EXPECT_TRUE(
      has(page(), "A claim failed or stayed open</strong> on layer 0, head 2; layer 1, head 1.<"));
  expect_sound(pages_of(report));
}

TEST(Pages, GiveTheNumbersOfFiguresAsTheReportHasThem) {
  const Files& files = sample_pages();
  EXPECT_TRUE(has(files.at("figures/tiny-heads.csv"), "false,0,0,"));
  EXPECT_EQ(occurrences(files.at("figures/tiny-heads.csv"), "\r\ntrue,"), 6U);
  EXPECT_EQ(occurrences(files.at("figures/tiny-claims-by-head.csv"), "\r\n"), 1U + 18U);
  EXPECT_EQ(occurrences(files.at("figures/tiny-steps.csv"), "\r\n"), 1U + 120U);
  EXPECT_EQ(files.at("figures/distance.csv"), files.at("figures/tiny-distance-by-length.csv"));
  EXPECT_TRUE(has(files.at("index.html"), "; the paper&#39;s bound is "));
}

/// Every field of every point dropped in turn; what is drawn then must still be pages.
TEST(Pages, SurvivePointsWithoutSomeField) {
  Report report{.claims = {plain_record("claim", Stage::gpt2)}};
  const json whole = sample_measurements(2, 3);
  for (const auto& [name, points] : whole["figures"].items()) {
    for (const auto& [field, value] : points[0].items()) {
      json block = whole;
      for (json& point : block["figures"][name]) point[field] = nullptr;
      try {
        report.inputs = {measurements_from(block)};
        for (const auto& [file, content] : pages_of(report)) {
          EXPECT_FALSE(has(content, "=\"nan") || has(content, "=\"inf") || has(content, ",nan"))
              << name << " " << field << " in " << file;
        }
      } catch (const std::exception& error) {
        // A point that says not where it stands is refused, in one line that names it.
        EXPECT_TRUE(has(error.what(), name)) << error.what();
        EXPECT_FALSE(value.is_object()) << name << " " << field << " " << error.what();
      }
    }
  }
}

TEST(Pages, SurviveNumbersThatAreNotFinite) {
  Report report = sample_report();
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
    report.inputs = {measurements_from(block)};
    for (const auto& [file, content] : pages_of(report)) {
      if (file.ends_with(".csv")) continue;
      for (const char* const end : {"\"", ","}) {
        EXPECT_FALSE(has(content, fmt::format("=\"{}{}", word, end))) << file;
      }
    }
  }
}

TEST(Names, AreSafeAndUnique) {
  Report report;
  for (const char* const id : {"a.b", "A.b", "a b", "../x", "...", "<script>"}) {
    report.claims.push_back(plain_record(id, Stage::synthetic));
  }
  const Names names(report);
  std::vector<std::string> pages;
  for (const ClaimRecord& record : report.claims) pages.push_back(names.claim(record.id));
  EXPECT_THAT(pages,
              testing::ElementsAre("claims/a.b.html", "claims/A.b-2.html", "claims/a-b.html",
                                   "claims/x.html", "claims/unnamed.html", "claims/script.html"));
  expect_sound(pages_of(report));
}

TEST(Names, HaveSingleMarksBetweenLettersWhateverTheId) {
  std::vector<std::string> ids{"a"};
  for (std::size_t at = 0; ids[at].size() < 4; ++at) {
    for (const char c : {'a', '_', '.', '-', ' '}) ids.push_back(ids[at] + c);
  }
  Report report;
  for (const std::string& id : ids) report.claims.push_back(plain_record(id, Stage::synthetic));
  const Names names(report);
  for (const std::string& id : ids) {
    EXPECT_THAT(names.claim(id), testing::MatchesRegex("claims/[a-z0-9_]+([.-][a-z0-9_]+)*[.]html"))
        << id;
  }
}

TEST(WrittenFolder, LosesThePagesOfAnOlderReportAndNothingElse) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const fs::path out = folder / "out";
  Report report = guarded_report();
  report.claims.push_back(plain_record("older", Stage::synthetic));
  write_rendered(out, report, {{"report.json", report_text(report)}});
  write_file(out / "claims" / "mine.html", "<p>not of a report</p>");
  Report shorter = report;
  shorter.claims.pop_back();
  // Where a process stands in the folder, it is not replaced as a whole.
  for (const fs::path& place : {folder.path(), out}) {
    const fs::path before = fs::current_path();
    write_rendered(out, report, {});
    EXPECT_TRUE(fs::exists(out / "claims" / "older.html"));
    fs::current_path(place);
    write_rendered(out, shorter, {});
    fs::current_path(before);
    EXPECT_FALSE(fs::exists(out / "claims" / "older.html"));
    for (const char* const kept : {"claims/claim.html", "claims/mine.html", "report.json"}) {
      EXPECT_TRUE(fs::exists(out / kept)) << kept;
    }
  }
}

TEST(Pages, ReplayACommandWhereThereIsOne) {
  Report report = sample_report();
  const std::string anchor = "id=\"replay\"";
  EXPECT_THAT(page_of_claim(report, "lemma1.lower"), testing::HasSubstr(anchor));
  for (ClaimRecord& record : report.claims) record.replay.clear();
  EXPECT_THAT(page_of_claim(report, "lemma1.lower"), testing::Not(testing::HasSubstr(anchor)));
}

}  // namespace
}  // namespace attn::report
